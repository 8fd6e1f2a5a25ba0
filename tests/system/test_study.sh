#!/bin/bash
# A study from its file to its outputs: what is run, what is kept, what is refused.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

mini=$HEDDLE_SOURCE/tests/data/study/mini.yaml

# study STATUS ARGUMENT... - heddle study with that exit status; out and err hold what it said.
study() {
    local want=$1
    shift
    "$HEDDLE" study "$@" >out.txt 2>err.txt </dev/null
    local status=$?
    [ $status -eq "$want" ] || fail "heddle study $*: exit status $status: $(head -n 3 err.txt)"
}

# runs DB - how many results there are.
runs() { "$HEDDLE" study "$mini" --db "$1" --list | sed -nE 's/.* runs, ([0-9]+) of them done.*/\1/p'; }

# one_line PATTERN - the complaint is one line, and that one.
one_line() {
    [ "$(wc -l <err.txt)" -eq 1 ] && grep -qE -- "$1" err.txt || fail "no \"$1\": $(head -n 3 err.txt)"
}

# same FILE FILE - the same results, whoever made the files.
same() { cmp -s <(sed '/^#/d' "$1") <(sed '/^#/d' "$2"); }

# --- all of it ---------------------------------------------------------------------------------

"$HEDDLE" study "$mini" --list >out.txt || fail "--list: exit status $?"
grep -q '^few/BP@tiny .*to be done' out.txt || fail "--list: $(cat out.txt)"
[ ! -e out ] || fail "--list makes files"

study 0 "$mini" --jobs 2
[ ! -s err.txt ] || fail "not quiet in a pipe: $(head -n 3 err.txt)"
grep -qE 'few, mean.*0\.7' out.txt || fail "no verdict: $(cat out.txt)"
if command -v rsvg-convert >/dev/null; then
    [ -s out/mini/figures/speed.png ] || fail "no figures/speed.png"
fi
for f in report.html results.csv results.json verdicts.md figures/speed.svg results.db; do
    [ -s out/mini/$f ] || fail "no out/mini/$f"
done
[ "$(find out/mini/streams -name '*.hds' | wc -l)" -eq 2 ] || fail "streams: $(ls out/mini/streams)"
[ -z "$(find out -name '*.part*')" ] || fail "left behind: $(find out -name '*.part*')"
[ "$(runs out/mini/results.db)" = 6 ] || fail "not six runs"
head -n 3 out/mini/results.csv | tail -n 2 | grep -q '^# command: heddle study .*mini\.yaml --jobs 2$' ||
    fail "no command in results.csv: $(head -n 3 out/mini/results.csv)"
if command -v python3 >/dev/null; then
    python3 -m json.tool out/mini/results.json >/dev/null || fail "results.json is no JSON"
fi

# Nothing is run twice, and what is printed does not depend on that; nor on the number of processes.
cp out.txt first.txt
cp out/mini/results.csv first.csv
touch -d '2001-01-01' out/mini/streams/*
study 0 "$mini"
cmp -s out.txt first.txt || fail "printed again: $(diff out.txt first.txt | head -n 4)"
study 0 "$mini" --jobs 1 --out serial
same serial/results.csv first.csv || fail "another number of processes, other results"

# A run is the same as heddle run's.
"$HEDDLE" run -m icc60 -w HS@tiny --set l1.mshrs=4 --json run.json >/dev/null || fail "heddle run"
if command -v sqlite3 >/dev/null; then
    cycles=$(sqlite3 out/mini/results.db \
        "SELECT cycles FROM run WHERE variant = 'few' AND workload = 'HS@tiny'")
    grep -q "\"cycles\": $cycles,\$" run.json || fail "heddle run has not $cycles cycles"
fi

# --- documents to standard output, and again without running --------------------------------------

study 0 "$mini" --csv -
same out.txt first.csv || fail "--csv - is not results.csv: $(head -n 3 out.txt)"
study 0 "$mini" --json copy.json
[ -s copy.json ] || fail "no --json"
study 2 "$mini" --json - --csv -
one_line 'there can be only one'

rm -r out/mini/{report.html,results.csv,results.json,verdicts.md,figures,streams}
mv out/mini moved
"$HEDDLE" report moved >out.txt 2>err.txt || fail "report: exit status $?: $(cat err.txt)"
same moved/results.csv first.csv || fail "report makes another results.csv"
for f in report.html results.json verdicts.md figures/speed.svg; do
    [ -s moved/$f ] || fail "report makes no $f"
done
[ ! -e moved/streams ] || fail "report records"
"$HEDDLE" report nowhere >out.txt 2>err.txt
[ $? -eq 2 ] || fail "a report of nothing"
one_line '^heddle: nowhere/results.db: no such database'
[ ! -e nowhere ] || fail "a report of nothing makes a folder"

# The report says when, where and from what it was made, and whether it is the whole study.  Nothing else
# of it depends on when that is.
page=moved/report.html
grep -q '<dt>Runs</dt><dd>6</dd>' $page || fail "no number of runs in the report"
grep -qE '<dt>Host</dt><dd>.+ processors?\)</dd>' $page || fail "no host in the report"
grep -q 'class="notice' $page && fail "a notice in the report of a whole study"
grep -q 'The busiest network' $page || fail "no heat map"
SOURCE_DATE_EPOCH=0 "$HEDDLE" report moved >/dev/null && cp $page first.html
grep -q '<dt>Made</dt><dd>1970-01-01 00:00 UTC</dd>' first.html || fail "no date in the report"
SOURCE_DATE_EPOCH=0 "$HEDDLE" report moved >/dev/null
cmp -s $page first.html || fail "a report made twice differs: $(diff $page first.html | head -n 2)"
mkdir own
{ echo 'reasons: why.md' && echo 'quick: {workloads: [HS]}' && cat "$mini"; } >own/mini.yaml
echo 'Because.' >own/why.md
study 0 own/mini.yaml --quick --db moved/results.db --out own/out
grep -q '^A quick run: verdicts are provisional' out.txt || fail "quick, and nobody says so: $(tail -n 4 out.txt)"
page=own/out/report.html
grep -q 'class="notice quick"' $page || fail "no banner of a quick run"
grep -q 'It has 1 of 2 workloads\.' $page || fail "not what of the study was run: $(grep 'It has' $page)"
grep -q '<code>heddle study own/mini.yaml --db moved/results.db --out own/out</code>' $page ||
    fail "not how to run all of it"
grep -q 'href="\.\./why\.md"><code>why\.md</code>' $page || fail "no link to the reasons: $(grep reasons $page)"
grep -qE 'reproduced|direction only' out.txt own/out/verdicts.md && fail "a quick run reproduces"
grep -q '"quick": true' own/out/results.json || fail "results.json: quick, and does not say so"
grep -q '"quick": false' moved/results.json || fail "results.json of the whole study"
head -n 1 own/out/verdicts.md | grep -q '^A quick run' || fail "verdicts.md: quick, and does not say so"
study 0 own/mini.yaml --only HS --db moved/results.db --out own/out
grep -q '<strong>A part of the study' $page || fail "--only: the report does not say so"

# --- runs of another version ----------------------------------------------------------------------

if command -v sqlite3 >/dev/null; then
    # As an older model would have left them: the same questions under other keys.
    cp -r moved old
    sqlite3 old/results.db "UPDATE value SET run = run - 7; UPDATE run SET key = key - 7, version = '0.0.1'"
    sqlite3 old/results.db "UPDATE run SET version = '0.0.2' WHERE workload = 'HS@tiny' AND variant = 'few'"
    sum=$(cd old && cat report.html results.* verdicts.md figures/* | cksum)
    "$HEDDLE" report old >out.txt 2>err.txt
    [ $? -eq 1 ] || fail "runs of another version are reported"
    one_line '^heddle: old: 6 of 6 runs are of other versions of the model \(5 of 0\.0\.1, 1 of 0\.0\.2\), and nothing was written; --any-version uses them, .*: heddle study '
    [ ! -s out.txt ] && [ "$sum" = "$(cd old && cat report.html results.* verdicts.md figures/* | cksum)" ] ||
        fail "a refused report changes files"
    "$HEDDLE" report old --any-version >out.txt 2>err.txt || fail "--any-version: $(cat err.txt)"
    same old/results.csv first.csv || fail "--any-version: other results"
    grep -q '"version": ".*, with runs of others: 5 of 0\.0\.1, 1 of 0\.0\.2"' old/results.json ||
        fail "--any-version: nobody says so: $(grep version old/results.json)"
    # None at all.
    sqlite3 old/results.db "DELETE FROM run"
    "$HEDDLE" report old --any-version >out.txt 2>err.txt
    [ $? -eq 1 ] || fail "a report of nothing"
    one_line 'not one of 6 runs is done, and nothing was written'
    same old/results.csv first.csv || fail "an empty report replaced a good one"
    # One of them: the others have not been run, which is no reason to say nothing.
    rm -r old
    cp -r moved old
    sqlite3 old/results.db "DELETE FROM run WHERE variant != 'few'"
    "$HEDDLE" report old >out.txt 2>err.txt || fail "some runs: exit status $?"
    grep -q 'runs are missing; this does them' err.txt || fail "some runs: $(cat err.txt)"
fi

# --- two studies, one database -------------------------------------------------------------------

"$HEDDLE" study "$mini" --db shared.db --out a >a.txt 2>&1 &
one=$!
"$HEDDLE" study "$mini" --db shared.db --out b >b.txt 2>&1 &
two=$!
wait $one || fail "the first of two: $(tail -n 2 a.txt)"
wait $two || fail "the second of two: $(tail -n 2 b.txt)"
same a/results.csv first.csv && same b/results.csv first.csv || fail "two at once differ"
[ "$(runs shared.db)" = 6 ] || fail "two at once: not six runs"
rm a/results.csv
"$HEDDLE" report a --db shared.db >out.txt 2>err.txt || fail "report --db: $(cat err.txt)"
same a/results.csv first.csv || fail "report --db makes another results.csv"

# --- what is in a value is no HTML ---------------------------------------------------------------

cat >marks.yaml <<'END'
machine: icc60
size: tiny
workloads: [HS]
variants: {a: {set: {sm.registers_of: "<b>k</b>=32"}}}
figures: {f: {expr: ipc, title: "</script><b>"}}
END
study 0 marks.yaml
grep -q '&quot;&lt;b&gt;k&lt;/b&gt;=32&quot;' out/marks/report.html || fail "no value as it is written"
! grep -qE '<b>k|</script><b>' out/marks/report.html || fail "a value is HTML"

# --- what is refused -----------------------------------------------------------------------------

study 2
one_line 'which one'
study 2 icx
one_line 'no study "icx"'
study 2 nothing.yaml
one_line 'nothing.yaml'
study 2 "$mini" "$mini"
one_line 'unexpected'
study 2 "$mini" --jobs 0
one_line 'expected a whole number'
study 2 "$mini" --only nothing
one_line 'nothing'
study 2 "$mini" --out /proc/heddle
one_line '^heddle: /proc/heddle: cannot '
study 2 "$mini" --out first.txt
one_line '^heddle: first.txt: '
study 2 "$mini" --json nowhere/x.json
one_line '^heddle: nowhere/x.json: cannot write'
[ ! -e nowhere ] || fail "a refusal makes a folder"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
