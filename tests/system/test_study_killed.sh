#!/bin/bash
# Studies that end early, by signals and by failing disks, keep what is done and go on from there.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

mini=$HEDDLE_SOURCE/tests/data/study/mini.yaml

# done_runs DIR - how many results there are; fails when they cannot be read.
done_runs() {
    "$HEDDLE" study "$mini" --out "$1" --list 2>err.txt |
        sed -nE 's/.* runs, ([0-9]+) of them done.*/\1/p'
}

# completes DIR - the same command does the rest, and the results are those of an undisturbed one.
completes() {
    "$HEDDLE" study "$mini" --out "$1" >out.txt 2>err.txt ||
        fail "$2: does not go on: $(head -n 3 err.txt)"
    cmp -s <(sed "/^#/d" "$1/results.csv") <(sed "/^#/d" calm/results.csv) || fail "$2: other results"
}

# children PID - its children.
children() { awk -v parent="$1" '$4 == parent { print $1 }' /proc/[0-9]*/stat 2>/dev/null; }

[ -r /proc/self/stat ] || { echo "no /proc here"; exit 77; }
start=$(date +%s%N)
"$HEDDLE" study "$mini" --out calm >out.txt 2>err.txt || fail "undisturbed: $(cat err.txt)"
length=$(($(date +%s%N) - start)) # nanoseconds

# --- the parent ------------------------------------------------------------------------------------

RANDOM=1
round=0
for signal in KILL TERM KILL INT KILL HUP; do
    round=$((round + 1))
    dir=killed$round
    "$HEDDLE" study "$mini" --out $dir --jobs 2 >out.txt 2>err.txt &
    pid=$!
    sleep "$(awk -v n="$length" -v r=$RANDOM 'BEGIN { print n * 1.1 / 1e9 * r / 32768 }')"
    kids=$(children $pid)
    kill -$signal $pid 2>/dev/null
    wait $pid 2>/dev/null
    status=$?
    case $signal in
    # Before its handlers are in place, a signal ends it as it ends any program.
    KILL) [ $status -eq 137 ] || [ $status -eq 0 ] || fail "$signal: status $status" ;;
    *) case $status in 0 | 4 | 129 | 130 | 143) ;; *) fail "$signal: status $status" ;; esac ;;
    esac
    [ $status -ne 4 ] || grep -q '^heddle: interrupted: ' err.txt || fail "$signal: $(cat err.txt)"
    for kid in $kids; do
        for _ in 1 2 3 4 5 6 7 8 9 10; do
            [ -d "/proc/$kid" ] && ! grep -q '^State:.*Z' "/proc/$kid/status" 2>/dev/null || break
            sleep 0.05
        done
        ! kill -0 "$kid" 2>/dev/null || grep -q '^State:.*Z' "/proc/$kid/status" 2>/dev/null ||
            fail "$signal: child $kid lives on"
    done
    [ $signal = KILL ] || [ -z "$(find $dir -name '*.part*' 2>/dev/null)" ] ||
        fail "$signal: left behind: $(find $dir -name '*.part*')"
    completes $dir $signal
done

# --- a child ---------------------------------------------------------------------------------------

lives() { # PID: it has not ended; a shell's child that has is a zombie until it is waited for
    [ -d "/proc/$1" ] && ! grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null
}

# Whatever it was doing: the others go on, status and report say what happened.  A child may be done
# before it is killed: then another is tried, and at once.
seen=0
for round in $(seq 40); do
    [ "$round" -le 4 ] || [ $seen -eq 0 ] || break
    dir=child$round
    "$HEDDLE" study "$mini" --out $dir --jobs 1 >out.txt 2>err.txt &
    pid=$!
    kid=
    while [ -z "$kid" ] && lives $pid; do
        kid=$(children $pid | head -n 1)
        [ -n "$kid" ] || sleep 0.005
    done
    if [ "$round" -le 4 ]; then
        sleep "0.0$((round * 2))"
        kid=$(children $pid | head -n 1)
    fi
    [ -z "$kid" ] || kill -KILL "$kid" 2>/dev/null
    wait $pid
    status=$?
    [ $status -le 1 ] || fail "a killed child: status $status: $(cat err.txt)"
    if [ $status -eq 1 ]; then
        seen=$((seen + 1))
        grep -q '^heddle: [0-9]* of 6 runs failed, .*killed by signal 9' err.txt ||
            fail "a killed child: $(cat err.txt)"
        grep -q 'killed by signal 9' out.txt || fail "no failed run in the table"
        [ -s $dir/report.html ] || fail "no report when a run failed"
        "$HEDDLE" report $dir >out.txt 2>err.txt || fail "report: $(cat err.txt)"
        grep -q 'killed by signal 9' out.txt || fail "heddle report forgets the failure"
    fi
    completes $dir "a killed child"
done
[ $seen -gt 0 ] || fail "no child was killed in time"

# --- databases and disks -----------------------------------------------------------------------------

# refused DIR PATTERN - status 2 and one line; the database is left as it was.
refused() {
    cp "$1/results.db" before.db
    "$HEDDLE" study "$mini" --out "$1" >out.txt 2>err.txt
    [ $? -eq 2 ] || fail "$2: not refused"
    [ "$(wc -l <err.txt)" -eq 1 ] && grep -qE "$2" err.txt || fail "$2: $(head -n 3 err.txt)"
    cmp -s "$1/results.db" before.db || fail "$2: the database was changed"
}

mkdir text foreign
echo 'not a database, but long enough to be taken for one at first sight' >text/results.db
refused text 'not a database of results'
cp -r calm damaged
dd if=/dev/urandom of=damaged/results.db bs=4096 seek=1 count=8 conv=notrunc 2>/dev/null
refused damaged 'damaged'
if command -v sqlite3 >/dev/null; then
    sqlite3 foreign/results.db 'CREATE TABLE t(x)'
    refused foreign 'of another program'
fi

# A limit on the size of files: like a full disk, but everywhere.
cp -r calm full
rm full/results.db
"$HEDDLE" study "$mini" --out full --only half >out.txt 2>err.txt || fail "--only: $(cat err.txt)"
before=$(done_runs full)
(ulimit -f 36; "$HEDDLE" study "$mini" --out full >out.txt 2>err.txt)
status=$?
[ $status -eq 1 ] || [ $status -eq 2 ] || fail "files of at most 36 K: status $status"
[ "$(wc -l <err.txt)" -eq 1 ] || fail "files of at most 36 K: $(head -n 3 err.txt)"
[ "$(done_runs full)" = "$before" ] || fail "files of at most 36 K: results are lost"
completes full "a limit on files"

# A disk that is really full, where we may make one.
mkdir disk
trap 'umount disk 2>/dev/null' EXIT
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=120k tmpfs disk 2>/dev/null; then
    "$HEDDLE" study "$mini" --out disk/study >out.txt 2>err.txt
    status=$?
    [ $status -eq 1 ] || [ $status -eq 2 ] || fail "a full disk: status $status: $(cat err.txt)"
    grep -qE 'No space left|disk is full' err.txt || fail "a full disk: $(head -n 3 err.txt)"
    mount -o remount,size=8m disk
    completes disk/study "a full disk"
    rm disk/study/results.csv
    mount -o remount,ro disk
    "$HEDDLE" study "$mini" --out disk/study >out.txt 2>err.txt
    [ $? -eq 2 ] || fail "a read-only disk: not refused"
    grep -qE '^heddle: disk/study[^ ]*: cannot write: ' err.txt || fail "read-only: $(cat err.txt)"
    umount disk
fi

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
