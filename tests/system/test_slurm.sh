#!/bin/bash
# A study through a real Slurm of one node gives the database that a local one gives, row for row,
# whatever happens to its tasks: killed, cancelled, requeued, the node's daemon gone, the disk full.
# A part of the study in `make test`; all two hundred runs, and more trouble, in `make check-full`.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
if [ -z "${WITH_SLURM:-}" ]; then
    command -v sqlite3 >/dev/null || { echo "no sqlite3 here"; exit 77; }
    exec "$HEDDLE_SOURCE/scripts/with-slurm.sh" bash "$0"
fi
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

file=$HEDDLE_SOURCE/tests/data/study/cluster.yaml
is_full=${HEDDLE_CHECK_FULL:-0}
part=(--only HS,BP,speed)
kills=10
if [ "$is_full" = 1 ]; then
    part=()
    kills=60
fi

# study STATUS DIR ARGUMENT... - of the part; out.txt and err.txt have what it said.
study() {
    local want=$1 dir=$2
    shift 2
    "$HEDDLE" study "$file" "${part[@]}" --out "$dir" "$@" >out.txt 2>err.txt
    local status=$?
    [ $status -eq "$want" ] || fail "$dir $*: exit status $status: $(head -n 3 err.txt)"
}

one_line() { # PATTERN
    [ "$(wc -l <err.txt)" -eq 1 ] && grep -qE -- "$1" err.txt || fail "no \"$1\": $(head -n 3 err.txt)"
}

# All that is in a database but how long runs took, and numbers that depend on who came first.
rows_of() { # DB [WHICH]
    sqlite3 "$1" "SELECT key, machine, workload, variant, version, config, cycles, digest, asked FROM run WHERE ${2:-1} ORDER BY key;
        SELECT run, name.name, value.value FROM value JOIN name ON name.id = value.name JOIN run ON run.key = value.run
            WHERE ${2:-1} ORDER BY 1, 2;
        SELECT * FROM failure"
}

same_as_local() { # DIR WHAT [WHICH]
    rows_of "$1/results.db" "${3:-1}" >rows.txt
    rows_of calm/results.db "${3:-1}" | cmp -s - rows.txt ||
        fail "$2: not the rows of the local study: $(rows_of calm/results.db | diff rows.txt - | head -n 3)"
    cmp -s <(sed '/^#/d' "$1/results.csv") <(sed '/^#/d' calm/results.csv) || fail "$2: other values"
    [ "$(sqlite3 "$1/results.db" 'PRAGMA journal_mode')" = delete ] || fail "$2: a write-ahead log"
    [ ! -e "$1/shards" ] || fail "$2: left behind: $(ls "$1/shards")"
}

# In the queue, without jobs that are over but not forgotten yet.
queued() { squeue --noheader --array --format=%T "$@"; }

# What was requeued would wait for two minutes more.  Within a second or so it is too early: slurmd takes it for the job
# that was killed, and does not start it.
hurry() {
    local id ids
    ids=$(squeue --noheader --name="$own" --states=PENDING --format='%A %r' | awk '$2 == "BeginTime" { print $1 }')
    [ -z "$ids" ] || sleep 2
    for id in $ids; do
        scontrol update "jobid=$id" starttime=now 2>/dev/null
    done
}

wait_until_idle() { # WHAT
    for _ in $(seq 600); do
        [ -n "$(queued --name="$own")" ] || return
        hurry
        sleep 0.2
    done
    fail "$1: the jobs do not end: $(squeue --noheader | head -n 5)"
}

submit() { # DIR ARGUMENT... - and own is what its jobs are called
    study 0 "$1" --slurm "${@:2}"
    own=$(sed -n 's/^name //p' "$1/cluster/jobs" 2>/dev/null | tail -n 1)
}

missing() { # DIR
    "$HEDDLE" study "$file" "${part[@]}" --out "$1" --status | sed -nE '1s/.* ([0-9]+) failed, ([0-9]+) missing$/\1 \2/p' |
        awk '{ print $1 + $2 }'
}

# Whether the last submission's gather has come to its end.
is_gathered() { # DIR
    [ "$(tail -n 1 "$1/cluster/jobs" 2>/dev/null)" = gathered ]
}

# Submits again until nothing is missing, the report neither.
complete() { # DIR WHAT ARGUMENT...
    local dir=$1 what=$2 before
    shift 2
    for _ in 1 2 3 4 5 6; do
        before=$(missing "$dir")
        ! is_gathered "$dir" || return
        submit "$dir" "$@"
        number=$(find "$dir/cluster" -name '*.manifest' | wc -l)
        [ "$(grep -c ^run "$dir/cluster/$number.manifest")" -eq "$before" ] ||
            fail "$what: not only what is missing is submitted again"
        wait_until_idle "$what"
    done
    is_gathered "$dir" || fail "$what: is never complete: $(tail -qn 1 "$dir"/cluster/logs/* | sort | uniq -c)"
}

"$HEDDLE" study "$file" "${part[@]}" --out calm >out.txt 2>err.txt || fail "local: $(cat err.txt)"
runs=$(sed -nE '1s/^[^:]*: ([0-9]+) runs.*/\1/p' <("$HEDDLE" study "$file" "${part[@]}" --out calm --status))

# --- undisturbed -----------------------------------------------------------------------------------

mkdir "a folder"
study 0 "a folder/it's" --slurm --dry-run --partition main --time 1:00:00
[ ! -e "a folder/it's" ] || fail "--dry-run makes files"
[ -z "$(queued)" ] || fail "--dry-run submits"
for line in '#SBATCH --partition=main' '#SBATCH --time=1:00:00' '--dependency=afterany:RECORDINGS' '--dependency=afterany:RUNS' '--gather'; do
    grep -qF -- "$line" out.txt || fail "--dry-run: no $line"
done
submit "a folder/it's" --per-task $((runs / 6 + 1)) --partition main --time 10 --jobs 2
study 2 "a folder/it's" --slurm
one_line 'tasks of an earlier submission are under way'
wait_until_idle undisturbed
same_as_local "a folder/it's" undisturbed
study 0 "a folder/it's" --slurm
grep -q '^all .* runs are done' out.txt || fail "a second submission: $(cat out.txt)"
[ -z "$(queued)" ] || fail "a second submission submits"
study 0 "a folder/it's" --status
grep -q '^jobs: none$' out.txt || fail "--status: $(cat out.txt)"

# --- a gather that was killed between its last shard and its report ----------------------------------

sed -i '$d' "a folder/it's/cluster/jobs"
rm "a folder/it's/results.csv"
study 0 "a folder/it's" --status
grep -q '^all runs are done, but the report is not' out.txt || fail "--status without a report: $(cat out.txt)"
submit "a folder/it's"
grep -q "^submitted: the gather of $runs runs that are done" out.txt || fail "a gather alone: $(cat out.txt)"
wait_until_idle "a gather alone"
same_as_local "a folder/it's" "a gather alone"

# --- cancelled, and others' jobs are left alone ----------------------------------------------------

printf '#!/bin/sh\nsleep 600\n' >sleep.sh
other=$(sbatch --parsable --job-name=heddle-cluster-other sleep.sh)
submit cancelled --per-task $((runs / 4))
for _ in $(seq 100); do
    [ -z "$(find cancelled/shards -name '*.db' -size +40k 2>/dev/null | head -n 1)" ] || break
    sleep 0.1
done
study 0 cancelled --cancel
grep -q '^cancelled: ' out.txt || fail "--cancel: $(cat out.txt)"
wait_until_idle cancelled
[ "$(queued --jobs="$other")" = RUNNING ] || fail "--cancel: another's job is $(queued --jobs="$other")"
scancel "$other"
[ -z "$(find cancelled/streams -name '*.part*')" ] || fail "--cancel leaves $(ls cancelled/streams)"
[ "$(missing cancelled)" -lt "$runs" ] || fail "--cancel: what was done is lost"
complete cancelled cancelled --max-tasks 3
same_as_local cancelled cancelled

# --- requeued while it runs: the same task goes on in another shard --------------------------------

submit requeued --per-task "$runs"
task=
for _ in $(seq 200); do
    task=$(squeue --noheader --name="$own" --states=RUNNING --format='%A %i' | awk '$2 ~ /_/ { print $1; exit }')
    [ -z "$task" ] || [ -z "$(find requeued/shards -name '*.db' -size +60k 2>/dev/null)" ] || break
    sleep 0.05
done
done_before=$((runs - $(missing requeued)))
scontrol requeue "$task" 2>err.txt || fail "scontrol requeue $task: $(cat err.txt)"
wait_until_idle requeued
grep -q "^gathered .* from 2 shards; $runs of $runs runs are done" requeued/cluster/logs/*.log ||
    fail "requeued: $(tail -qn 1 requeued/cluster/logs/*)"
again=$(sed -nE 's/^([0-9]+) runs in .*\.1\.db$/\1/p' requeued/cluster/logs/*)
[ -n "$again" ] && [ $((again + done_before)) -le "$runs" ] || fail "requeued: $again runs again, $done_before were done"
same_as_local requeued requeued

# --- a disk that is full ---------------------------------------------------------------------------

if [ "$is_full" = 1 ] && mkdir disk && mount -t tmpfs -o size=1500k tmpfs disk; then
    submit disk/study --per-task $((runs / 3 + 1))
    wait_until_idle "a full disk"
    grep -qhE 'No space left|disk is full' disk/study/cluster/logs/* || # unless no log found room
        [ "$(df --output=avail disk | tail -n 1)" -lt 100 ] || fail "no full disk: $(tail -qn 1 disk/study/cluster/logs/*)"
    [ "$(missing disk/study)" -gt 0 ] || fail "the disk was large enough"
    mount -o remount,size=64m disk
    complete disk/study "a full disk"
    # Programs alone are remembered where there is room, and run again where they are not.
    same_as_local disk/study "a full disk" "variant != 'alone'"
    umount disk
fi

# --- everything at once, at random -------------------------------------------------------------------

tasks() { # ids of tasks that run
    squeue --noheader --name="$own" --states=RUNNING --format=%A
}
one_of() { shuf -n 1 --random-source=<(yes $RANDOM); }

trouble() { # KIND
    local pid id
    case $1 in
    [0-4]) # a process: a task, a run, a recording, a gather
        pid=$(pgrep -x heddle | one_of)
        [ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null ;;
    [5-6])
        id=$(tasks | one_of)
        [ -z "$id" ] || scontrol requeue "$id" 2>/dev/null ;;
    7)
        id=$(tasks | one_of)
        [ -z "$id" ] || scancel "$id" 2>/dev/null ;;
    *)
        kill -KILL "$(cat /run/slurmd.pid)" 2>/dev/null
        sleep 1
        "$HEDDLE_SOURCE/scripts/with-slurm.sh" --slurmd ;;
    esac
}

RANDOM=22
done_kills=0
for round in $(seq 10); do
    [ $done_kills -lt $kills ] && ! is_gathered killed || break
    submit killed --per-task $((runs / 8 + 1))
    while [ $done_kills -lt $kills ] && [ -n "$(queued --name="$own")" ]; do
        sleep 0.$((RANDOM % 4 + 1))
        hurry
        [ -n "$(tasks)" ] || continue
        trouble $((RANDOM % 9))
        done_kills=$((done_kills + 1))
    done
    wait_until_idle "round $round of kills"
done
complete killed "kills"
same_as_local killed "$done_kills kills in $round rounds"
[ $done_kills -gt 3 ] || fail "only $done_kills kills"
echo "$runs runs, $done_kills kills, $(find killed/cluster -name '*.manifest' | wc -l) submissions"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
