#!/bin/bash
# heddle characterise: levels and errors that follow from the machine, beside a chip's; runs are kept; what
# it writes is a study that can be run again; bad input is one line.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# --- a machine alone ---
"$HEDDLE" characterise -m sharing15 --quick --only banks,atomics,launch --out alone --json alone.json \
    --csv alone.csv >out 2>err || fail "exit status $?: $(head -n 3 err)"
grep -qE '^ +32 +3[12]\.[0-9]+$' out || fail "32 lanes in a bank do not take 32 cycles: $(cat out)"
grep -q 'beside' out && fail "there is no chip"
for file in report.html study.yaml results.db figures/banks.svg; do
    [ -s "alone/$file" ] || fail "no $file"
done
grep -v '^#' alone.csv | head -n 1 | grep -qx 'curve,point,x,unit,measured,chip,error' || fail "columns of the CSV"
grep -qE '^atomics,atomics_word,0,1/cycle,[0-9.]+,,$' alone.csv || fail "CSV: $(grep atomics alone.csv)"

# --- beside a chip ---
"$HEDDLE" characterise -m sharing15 --quick --only latency --chip v100 --out beside --json - >beside.json \
    2>err || fail "beside: exit status $?: $(head -n 3 err)"
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail "the JSON is not what it should be"
import json
alone = json.load(open("alone.json"))
assert alone["schema"] == 1 and alone["machine"] == "sharing15" and alone["chip"] == "" and alone["quick"]
assert [c["name"] for c in alone["curves"]] == ["banks", "launch", "atomics"]
assert all(c["median_error"] is None for c in alone["curves"])
banks = [p["measured"] for p in alone["curves"][0]["points"]]
assert banks == sorted(banks) and abs(banks[-1] / 32 - 1) < 0.03, banks
(latency,) = json.load(open("beside.json"))["curves"]
points = latency["points"]
assert all(p["chip"] for p in points)
worst = max(abs(p["measured"] / p["chip"] - 1) for p in points)
assert abs(latency["worst_error"] - worst) < 1e-9
levels = latency["levels"]
# 16 KB and 768 KB: each level is slower than the one before, and ends about where its cache does.
assert [l["value"] for l in levels] == sorted(l["value"] for l in levels) and len(levels) >= 3, levels
assert 14 * 1024 < levels[0]["until"] < 24 * 1024, levels
assert 640 * 1024 < levels[1]["until"] < 1100 * 1024, levels
END
fi

# --- runs are kept, and the study is one ---
"$HEDDLE" study beside/study.yaml --out beside --list >out 2>err || fail "--list: $(head -n 3 err)"
grep -q 'to be done' out && fail "runs were not kept: $(cat out)"
"$HEDDLE" characterise -m sharing15 --quick --only latency --chip v100 --out beside >again.out 2>err ||
    fail "again: exit status $?"
grep -qE '^sharing15 beside v100 \(quick\)$' again.out || fail "again: $(head -n 3 again.out)"
grep -qE '^off by [0-9.]+% in the median, by [0-9.]+% at most' again.out || fail "no errors"
"$HEDDLE" report beside >out 2>err || fail "heddle report: $(head -n 3 err)"

# --- settings are part of it ---
"$HEDDLE" characterise -m sharing15 --quick --only banks --set shared.latency=40 --out set >out 2>err ||
    fail "--set: exit status $?: $(head -n 3 err)"
grep -q 'shared.latency: "40"' set/study.yaml || fail "--set is not in the study"

refuse() {
    local pattern=$1
    shift
    "$HEDDLE" characterise "$@" >out 2>err
    [ $? -eq 2 ] || fail "characterise $*: not refused"
    [ "$(wc -l <err)" -eq 1 ] && grep -qE "^heddle: $pattern" err || fail "characterise $*: $(cat err)"
}
refuse 'characterise: -m MACHINE is missing'
refuse 'no machine "sharing16"; did you mean sharing15\?' -m sharing16
refuse 'no measurements of a chip "v1" in ' -m sharing15 --chip v1
refuse 'characterise: --only: no part "bank"; did you mean banks\?' -m sharing15 --only bank
refuse 'characterise: --csv - and --json -: there can be only one' -m sharing15 --csv - --json -
refuse 'characterise: unexpected "x"' -m sharing15 x
refuse '--jobs 0: expected' -m sharing15 --jobs 0
refuse '.*shared.latenc.*' -m sharing15 --set shared.latenc=4

exit $((failed > 0))
