#!/bin/bash
# A study in shards, as any batch system can run them: the results of the whole, whatever ends early.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

mini=$HEDDLE_SOURCE/tests/data/study/mini.yaml

study() { # STATUS ARGUMENT...
    local want=$1
    shift
    "$HEDDLE" study "$mini" "$@" >out.txt 2>err.txt </dev/null
    local status=$?
    [ $status -eq "$want" ] || fail "heddle study $*: exit status $status: $(head -n 3 err.txt)"
}

one_line() { # PATTERN
    [ "$(wc -l <err.txt)" -eq 1 ] && grep -qE -- "$1" err.txt || fail "no \"$1\": $(head -n 3 err.txt)"
}

same() { # DIR WHAT
    cmp -s <(sed '/^#/d' "$1/results.csv") <(sed '/^#/d' calm/results.csv) || fail "$2: other results"
    [ ! -e "$1/shards" ] || fail "$2: left behind: $(ls "$1/shards")"
}

study 0 --out calm

# --- all of it: recordings, shards, gather ---------------------------------------------------------

study 0 --out s --status
grep -qx 'mini: 6 runs: 0 in the database, 0 in shards, 0 failed, 6 missing' out.txt || fail "--status: $(cat out.txt)"
[ ! -e s ] || fail "--status makes a folder"
study 0 --out s --record 1/2
study 0 --out s --record 2/2
[ "$(find s/streams -name '*.hds' | wc -l)" -eq 2 ] || fail "--record: $(ls s/streams)"
study 0 --out s --record 1/1
grep -q '^recorded 0 programs' out.txt || fail "recorded twice: $(cat out.txt)"
for k in 1 2 3 4; do
    "$HEDDLE" study "$mini" --out s --shard $k/4 >shard$k.txt 2>&1 &
done
wait
grep -hqv ' runs in s/shards/' shard?.txt && fail "shards: $(cat shard?.txt)"
study 0 --out s --status
grep -q ' 6 in shards, 0 failed, 0 missing$' out.txt || fail "--status: $(cat out.txt)"
study 0 --out s --shard 2/4
grep -qx 'nothing is missing' out.txt || fail "a shard twice: $(cat out.txt)"
study 0 --out s --gather
grep -q '^gathered 6 new results from 4 shards; 6 of 6 runs are done$' out.txt || fail "--gather: $(tail -n 2 out.txt)"
same s "four shards"
study 0 --out s --gather # again
grep -q '^gathered 0 new results from 0 shards; 6 of 6 runs are done$' out.txt || fail "again: $(tail -n 1 out.txt)"
study 0 --out s --shard 1/4
grep -qx 'nothing is missing' out.txt || fail "a shard of what is done: $(cat out.txt)"
for option in --csv --json; do
    study 0 --out s --gather $option -
    ! grep -q '^gathered' out.txt || fail "--gather $option - says more than the document"
done
"$HEDDLE" report s >out.txt 2>err.txt || fail "heddle report: $(cat err.txt)"

# --- more shards than runs; a part of them; a local study takes what shards have -------------------

study 0 --out few --shard 1/9
study 0 --out few --shard 9/9
grep -qx 'nothing is missing' out.txt || fail "a ninth of six runs: $(cat out.txt)"
study 1 --out few --gather
one_line '^heddle: 5 of 6 runs are missing; heddle study [^ ]*/mini.yaml --out few does them$'
[ -s few/report.html ] || fail "no report of what there is"
study 0 --out few --shard 2/9
study 0 --out few
same few "a local study after shards"

# --- killed at any moment --------------------------------------------------------------------------

RANDOM=3
for signal in KILL TERM KILL; do
    for k in 1 2; do
        for _ in 1 2 3; do
            "$HEDDLE" study "$mini" --out killed$signal --shard $k/2 >out.txt 2>err.txt &
            pid=$!
            sleep "0.$((RANDOM % 3))$((RANDOM % 10))"
            kill -$signal $pid 2>/dev/null
            wait $pid 2>/dev/null
        done
        study 0 --out killed$signal --shard $k/2
    done
    "$HEDDLE" study "$mini" --out killed$signal --gather >out.txt 2>&1 & # and once more in the middle of it
    pid=$!
    sleep "0.0$((RANDOM % 10))"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    study 0 --out killed$signal --gather
    same killed$signal "SIG$signal"
    rm -r killed$signal
done

# --- damage ----------------------------------------------------------------------------------------

for k in 1 2; do study 0 --out damaged --shard $k/2; done
dd if=/dev/urandom of=damaged/shards/1-of-2.0.db bs=4096 seek=1 count=8 conv=notrunc 2>/dev/null
"$HEDDLE" study "$mini" --out damaged --gather >out.txt 2>err.txt
[ $? -eq 1 ] || fail "a damaged shard: not said"
grep -q '1-of-2.0.db.damaged: damaged, and set aside' err.txt || fail "a damaged shard: $(cat err.txt)"
study 0 --out damaged --shard 1/2
study 0 --out damaged --gather
rm damaged/shards/*.damaged && rmdir damaged/shards
same damaged "a damaged shard"

# A limit on the size of files: like a full disk.
study 0 --out full --record 1/1
(ulimit -f 36; exec "$HEDDLE" study "$mini" --out full --shard 1/1 >out.txt 2>err.txt)
[ $? -ne 0 ] || fail "files of at most 36 K: nobody notices"
one_line '1-of-1|runs failed'
study 0 --out full --shard 1/1
study 0 --out full --gather
same full "a limit on files"

# --- what is refused -------------------------------------------------------------------------------

for part in 0/3 4/3 3 x/y 1/ /2 1/2/3 -1/2; do
    study 2 --out no --shard "$part"
    one_line "^heddle: --shard $part: expected K/N"
done
study 2 --out no --record 0/1
one_line '^heddle: --record 0/1: expected K/N'
study 2 --out no --task nothing
one_line 'expected FILE:K'
study 2 --out no --task nothing:1
one_line '^heddle: nothing: cannot read: .* \(is it in a folder that all computers share\?\)'
study 2 --out no --shard 1/2 --gather
one_line 'there can be only one'
study 2 --out no --time 10
one_line '^heddle: study: --time: only with --slurm'
study 2 --out no --slurm --dry-run --time soon
one_line '^heddle: --time soon: expected MINUTES'
study 2 --out no --slurm --dry-run --partition 'a b'
one_line 'no name of a partition'
study 2 --out no --cancel
one_line 'was never submitted'
study 2 --out /proc/heddle --shard 1/2
one_line '^heddle: /proc/heddle: cannot '
PATH=/nonexistent study 2 --out no --slurm
one_line 'no sbatch on the path'
[ ! -e no ] || fail "a refusal makes a folder: $(find no)"

# A manifest of another study, or of this one before it was changed.
study 0 --out s2 --slurm --dry-run --per-task 3
grep -qF -- '--array=0-1' out.txt || fail "--dry-run: $(cat out.txt)"
printf 'heddle manifest 1\nrun 0 1 1 0123456789abcdef few/HS\nrecord 1 0 0 0123456789abcdef HS@tiny\n' >1.manifest
study 2 --out s2 --task 1.manifest:0
one_line 'submit it again'
study 2 --out s2 --task 1.manifest:1
one_line 'HS@tiny is not of this study any more'
study 2 --out s2 --task 1.manifest:2
one_line 'no task 2'

# A search cannot be cut.
for option in '--shard 1/2' --slurm --gather; do
    # shellcheck disable=SC2086  # an option and its argument
    "$HEDDLE" study "$HEDDLE_SOURCE/tests/data/explore/mini.yaml" $option >out.txt 2>err.txt
    [ $? -eq 2 ] || fail "an exploration with $option"
    one_line 'an exploration .* cannot be cut into parts'
done

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
