#!/bin/bash
# heddle explore: one and two jobs, killed and gone on with, give the same points; a search finds what
# all points have at a fraction of the runs; a budget ends it where it says; mistakes are one line.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

mini=$HEDDLE_SOURCE/tests/data/explore/mini.yaml
explore() { "$HEDDLE" explore "$@" >out.txt 2>err.txt; }
points() { sed '/^#/d' "$1/points.csv"; }
value() { sed -nE "s/^ *\"$2\": ([0-9.]+),?$/\1/p" "$1/results.json" | head -n 1; }

# --- the same whatever happens ---------------------------------------------------------------------

explore "$mini" --out calm --jobs 1 || fail "one job: $(cat err.txt)"
explore "$mini" --out two --jobs 2 || fail "two jobs: $(cat err.txt)"
cmp -s <(points calm) <(points two) || fail "one job and two give other points"
[ "$(points calm | wc -l)" -gt 20 ] || fail "hardly any points: $(points calm | wc -l)"
grep -q 'on the front' calm/report.html || fail "the page has no front"

round=0
for delay in 0.2 0.7 1.5; do
    round=$((round + 1))
    "$HEDDLE" explore "$mini" --out killed --jobs 2 >out.txt 2>err.txt &
    pid=$!
    sleep $delay
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
done
explore "$mini" --out killed --jobs 2 || fail "after kills: $(cat err.txt)"
cmp -s <(points calm) <(points killed) || fail "after kills the points are others"
before=$(sqlite3 killed/results.db 'select count(*) from run' 2>/dev/null || echo 0)
explore "$mini" --out killed --jobs 2 || fail "again: $(cat err.txt)"
after=$(sqlite3 killed/results.db 'select count(*) from run' 2>/dev/null || echo 0)
[ "$before" = "$after" ] || fail "a second time runs were done again: $before, then $after"

"$HEDDLE" report calm >out.txt 2>err.txt
[ $? -eq 2 ] && grep -q 'calm: an exploration; this makes its outputs anew' err.txt ||
    fail "heddle report: $(cat err.txt)"

# --- all points, and what the search finds in a tenth of the runs ------------------------------------

sed 's/^method: .*/method: grid/; s/^workloads: .*/workloads: [HS]/
     s/from: 8, to: 32/from: 8, to: 64/; s/\[8, 16, 32\]/[8, 12, 16, 24, 32, 48]/' "$mini" >grid.yaml
sed 's/^method: .*/method: nsga2/; s/^nsga2: .*/nsga2: {population: 6, generations: 20}/' grid.yaml >tenth.yaml
echo 'budget: {runs: 30}' >>tenth.yaml
explore grid.yaml --out all --db shared.db || fail "grid: $(cat err.txt)"
explore tenth.yaml --out tenth --db shared.db || fail "tenth: $(cat err.txt)"
[ "$(value all runs)" = 300 ] || fail "a grid of 480 points, of which 300 differ: $(value all runs) runs"
[ "$(value tenth runs)" -le 30 ] || fail "the budget of 30 runs: $(value tenth runs)"
grep -q '"is_spent": true' tenth/results.json || fail "a spent budget is not told"
# What each front has at best; area is that of both, and time may be a little behind.
best() { # DIR VALUE: the least on the front
    points "$1" | awk -F, -v v="$2" '$5 == "yes" && $7 == v { print $8 }' | sort -g | head -n 1
}
awk -v a="$(best all time)" -v b="$(best tenth time)" 'BEGIN { exit !(b <= a * 1.01) }' ||
    fail "time: $(best tenth time) in a tenth of the runs, $(best all time) of all"
awk -v a="$(best all area)" -v b="$(best tenth area)" 'BEGIN { exit !(b <= a * 1.01) }' ||
    fail "area: $(best tenth area) in a tenth of the runs, $(best all area) of all"

# --- fidelities --------------------------------------------------------------------------------------

sed 's/^method: .*/method: halving/; s/^workloads: .*/workloads: [STO]/; s/^nsga2: .*/halving: {points: 9, eta: 3}/
     s/^size: .*/size: small\nsizes: [tiny, small]/' "$mini" >halving.yaml
explore halving.yaml --out halving || fail "halving: $(cat err.txt)"
[ "$(points halving | awk -F, '$4 == "small" && $7 == "time"' | wc -l)" -lt \
    "$(points halving | awk -F, '$4 == "tiny" && $7 == "time"' | wc -l)" ] || fail "all points were kept"
points halving | awk -F, '$4 == "tiny" && $5 == "yes"' | grep -q . && fail "a cheap point is on the front"

# --- what cannot be built ----------------------------------------------------------------------------

sed 's/^method: .*/method: grid/; s/^workloads: .*/workloads: [STO]/
     s/l1.mshrs: \[8, 16, 32\]/l1.ways: [4, 7]/; s/l1.mshrs: 32/l1.ways: 4/; s/^constraints:.*/constraints:/' "$mini" >odd.yaml
explore odd.yaml --out odd || fail "points that cannot be built: $(cat err.txt)"
grep -q 'configurations cannot be built or run' out.txt || fail "what cannot be built is not told"

# --- what can be built and not run: the rest is searched, and the status says so ----------------------

sed 's/^method: .*/method: grid/; s/^workloads: .*/workloads: [HS]/
     s/l1.mshrs: \[8, 16, 32\]/sm.shared: [48K, 1K]/; s/l1.mshrs: 32/sm.shared: 48K/; s/l1.size: \[.*/l1.size: [16K, 48K]/' "$mini" >shared.yaml
explore shared.yaml --out shared
[ $? -eq 1 ] || fail "runs that fail: $(cat err.txt)"
grep -q '^16 configurations cannot be built or run; the first.*an SM of this machine has 1024$' out.txt ||
    fail "runs that fail are not told: $(tail -n 5 out.txt)"
[ "$(points shared | grep -cE ',time,[0-9]')" -eq 16 ] || fail "not the 16 points that can be run"
explore shared.yaml --out shared # tried again, and the others are not
[ "$(sqlite3 shared/results.db 'SELECT count(*) FROM failure')" -eq 16 ] || fail "failures of the second time"

# --- hours, all of which the baseline takes ----------------------------------------------------------

sed 's/^method: .*/method: grid/; s/^workloads: .*/workloads: [HS]/' "$mini" >hours.yaml
echo 'budget: {hours: 0.0000001}' >>hours.yaml
explore hours.yaml --out hours || fail "hours: $(cat err.txt)"
grep -q '"is_spent": true' hours/results.json || fail "spent hours are not told"
[ "$(points hours | grep -c ',time,')" -eq 1 ] || fail "spent hours: $(points hours)"

# --- mistakes ----------------------------------------------------------------------------------------

refuses() { # SED WORDS: exit status 2, one line with these words, nothing written
    sed "$1" "$mini" >bad.yaml
    "$HEDDLE" explore bad.yaml --out bad >out.txt 2>err.txt
    local status=$?
    [ $status -eq 2 ] || fail "$1: status $status"
    [ "$(wc -l <err.txt)" -eq 1 ] || fail "$1: $(cat err.txt)"
    grep -qF -- "$2" err.txt || fail "$1: $(cat err.txt), not: $2"
    [ ! -e bad ] || fail "$1: something was written"
}
refuses 's/l1.size:/l1.sise:/' 'bad.yaml:10: variant'
refuses 's/l1.size: 48K/l1.size: 47K/' 'bad.yaml:13: l1.size: no value of l1.size "47K"'
refuses 's/method: nsga2/method: nsga/' 'bad.yaml:19: method: no method "nsga"; did you mean nsga2?'
refuses 's/population: 6/population: 0/' 'bad.yaml:20: population:'
refuses 's/cost.area/cost.aera/' 'did you mean cost.area?'
refuses 's/at_most: 1.5//' 'expected at_least or at_most'
refuses 's/times: 2/times: 1/' 'icc.entries: expected {from: A, to: B, step: C}'
refuses 's/^when: .*/when: {icc.entries: {icd: on}}/' 'no axis "icd"; did you mean icc?'
refuses 's/^objectives:/objectivs:/' 'unknown key; did you mean objectives?'
"$HEDDLE" explore "$mini" --machine a >out.txt 2>err.txt
[ $? -eq 2 ] || fail "--machine without a list: $(cat err.txt)"

[ $failed -eq 0 ] || exit 1
