#!/bin/bash
# heddle cost: the ICC paper's figures, the document, and one line for whatever is wrong.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

icc=(--set icc.enabled=true --set icc.entries=48 --set icc.cc_lines=24)

# --- the table -------------------------------------------------------------------------------

"$HEDDLE" cost -m icc60 "${icc[@]}" >out 2>err || fail "icc60: exit status $?"
[ ! -s err ] || fail "standard error: $(head -n 3 err)"
has() {
    grep -qE -- "$1" out || fail "no \"$1\" in: $(cat out)"
}
has '^merge_table +12 +276 +3312 '
has '^coalesced_cache +12 +3195 +38340 '
has '^total +[0-9]+ '
[ "$(awk 'length > 100' out)" = '' ] || fail "lines over 100 characters"
grep -q ' $' out && fail "blanks at the end of a line"
grep -qiE 'mm2|watt' out && fail "area or power without a model of it"

for name in $("$HEDDLE" list machines --names); do
    "$HEDDLE" cost -m "$name" >out 2>err || fail "$name: $(cat err)"
    has '^l2 '
    [ "$(awk 'length > 100' out)" = '' ] || fail "$name: lines over 100 characters"
done
"$HEDDLE" cost -m icc60 --set icc.enabled=false >out
grep -qE '^(merge_table|coalesced_cache)' out && fail "a unit that is not there is listed"

# --- the document ----------------------------------------------------------------------------

"$HEDDLE" cost -m icc60 "${icc[@]}" --json cost.json >out || fail "--json: exit status $?"
has '^merge_table '
"$HEDDLE" cost -m icc60 "${icc[@]}" --json - >out || fail "--json -: exit status $?"
cmp -s out cost.json || fail "--json FILE and --json - differ"
python3 - <<'EOF' || fail "the document is not as it should be"
import json
d = json.load(open("cost.json"))
s, u = d["storage_bytes"], d["units"]
assert d["schema"] == 1 and d["machine"] == "icc60", d
assert u["merge_table"] == {"units": 12, "bytes_each": 276}, u
assert s["merge_table"] == 12 * 276 and s["coalesced_cache"] == 12 * 3195, s
assert s["total"] == sum(v for k, v in s.items() if k != "total"), s
assert set(u) == set(s) - {"total"}, (u, s)
assert all(s[k] == v["units"] * v["bytes_each"] for k, v in u.items()), (u, s)
assert "area_mm2" not in d and "power_w" not in d, d
EOF

# --- what is wrong -----------------------------------------------------------------------------

mkdir cwd
refuse() {
    local pattern=$1 status
    shift
    (cd cwd && exec "$HEDDLE" cost "$@") >out 2>err </dev/null
    status=$?
    [ $status -eq 2 ] || fail "cost $*: exit status $status"
    [ ! -s out ] || fail "cost $*: standard output: $(head -n 1 out)"
    [ "$(wc -l <err)" -eq 1 ] || fail "cost $*: $(wc -l <err) lines on standard error"
    grep -qE "^heddle: $pattern\$" err || fail "cost $*: $(cat err)"
    [ -z "$(ls -A cwd)" ] || fail "cost $*: left behind: $(ls -A cwd)"
}
refuse 'cost: -m MACHINE is missing \(heddle list machines\)'
refuse 'cost: nothing follows "-m" \(heddle cost --help\)' -m
refuse 'cost: no option "--jsn" \(heddle cost --help\)' -m icc60 --jsn x
refuse 'cost: no option "-x" \(heddle cost --help\)' -m icc60 -x
refuse 'cost: unexpected "extra" \(heddle cost --help\)' -m icc60 extra
refuse 'no machine "icc61"; did you mean icc60\?' -m icc61
refuse '--set l1\.sice=1: unknown parameter; did you mean l1\.size\?' -m icc60 --set l1.sice=1
refuse '--set gpu\.clusters=11: 11 clusters on a network .*' -m icc60 --set gpu.clusters=11 \
    --json cost.json
refuse '--set l1\.size=1000: .*' -m icc60 --set l1.size=1000
refuse 'nowhere/x\.json: cannot write: .*' -m icc60 --json nowhere/x.json

"$HEDDLE" cost --help | grep -q '^usage: heddle cost -m MACHINE' || fail "no help"
"$HEDDLE" --help | grep -q '^  cost ' || fail "heddle --help does not name it"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
