#!/bin/bash
# heddle cost --sweep: the CD-Xbar paper's tables and claims; documents that agree with each other; one
# line for whatever is wrong.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

"$HEDDLE" cost --sweep sms=20,80,120,180 --json s.json --csv s.csv >out 2>err || fail "exit status $?"
[ ! -s err ] || fail "standard error: $(head -n 3 err)"
has() {
    grep -qE -- "$1" out || fail "no \"$1\" in: $(cat out)"
}
has '^ 80  clos +\(8, 10, 10\) +56 +2080 +512  56, 2080, 512 '
has '^Fig\. 2: '
has '^Fig\. 3c: '
has '^Fig\. 11: 56 SMs, 8 slices'
has '^clock of the 80x16 crossbar +5\.4 +600 MHz +[0-9]+ MHz +(reproduced|direction only|not reproduced)$'
has '^links in three cycles '
[ "$(awk 'length > 100' out)" = '' ] || fail "lines over 100 characters"
grep -q ' $' out && fail "blanks at the end of a line"

"$HEDDLE" cost --sweep sms=20,80,120,180 --json - >out || fail "--json -: exit status $?"
cmp -s <(grep -v '"command"' out) <(grep -v '"command"' s.json) || fail "--json FILE and --json - differ"

python3 - <<'EOF' || fail "the documents are not as they should be"
import csv, json
d = json.load(open("s.json"))
rows = list(csv.DictReader(x for x in open("s.csv") if x[0] != "#"))
near = lambda x, y: abs(x - y) <= 1e-6 * abs(y)
names = ["mesh", "smesh", "clos", "fly", "xbar", "cdxbar"]
assert [(n["sms"], n["network"]) for n in d["networks"]] == [
    (s, n) for s in (20, 80, 120, 180) for n in names]
assert [n["network"] for n in d["fig11"]] == ["mesh", "smesh", "cdxbar"]
both = d["networks"] + d["fig11"]
assert len(rows) == len(both)
for n, r in zip(both, rows):
    for key in "area_mm2", "power_w":
        m = n[key]
        assert all(v >= 0 for v in m.values()) and m["total"] > 0, n
        assert near(m["total"], sum(v for k, v in m.items() if k != "total")), n
        for k, v in m.items():
            quantity, unit = key.split("_")
            assert near(float(r["%s_%s_%s" % (quantity, k, unit)]), v), (r, k)
    assert int(r["sms"]) == n["sms"] and r["network"] == n["network"] and r["size"] == n["size"]
    assert near(float(r["max_clock_hz"]), n["max_clock_hz"])
for name in names:
    own = [n for n in d["networks"] if n["network"] == name]
    for a, b in zip(own, own[1:]):
        assert a["area_mm2"]["total"] < b["area_mm2"]["total"], name
        assert a["power_w"]["total"] < b["power_w"]["total"], name
        assert a["max_clock_hz"] >= b["max_clock_hz"], name
of = lambda name: {n["sms"]: n for n in d["networks"] if n["network"] == name}
xbar, mesh, cd = of("xbar"), of("mesh"), of("cdxbar")
area = lambda n: n["area_mm2"]["total"]
for s in xbar:  # what holds under any reading of the paper
    assert area(mesh[s]) > 2 * area(xbar[s])
    assert mesh[s]["max_clock_hz"] > xbar[s]["max_clock_hz"]
assert area(cd[180]) < area(xbar[180])
assert cd[80]["max_clock_hz"] == cd[180]["max_clock_hz"]  # section 5.6: the global crossbar's
claims = {c["name"]: c for c in d["claims"]}
assert near(claims["mesh_area"]["measured"], area(mesh[80]) / area(xbar[80]))
assert near(claims["xbar_clock"]["measured"], xbar[80]["max_clock_hz"])
fig11 = {n["network"]: n for n in d["fig11"]}
power = lambda name: fig11[name]["power_w"]["total"]
assert near(claims["cdxbar_power"]["measured"], power("cdxbar") / power("mesh") - 1)
first = d["sensitivity"][0]
assert all(near(first[c], claims[c]["measured"]) for c in claims)
assert len(d["sensitivity"]) > 8
EOF

# What is set reaches the networks.
"$HEDDLE" cost --sweep sms=80 --set power.node=45 --set power.link_cycles=2 --json n.json >out ||
    fail "--set: exit status $?"
has '^45 nm, 1\.4 GHz, channels of 32 B, .* links in 2 cycles$'
python3 - <<'EOF' || fail "--set does not reach the networks"
import json
area = lambda f: [n["area_mm2"]["total"] for n in json.load(open(f))["networks"] if n["sms"] == 80]
assert all(x > y for x, y in zip(area("n.json"), area("s.json")))
EOF

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
for list in sms=0 sms= sms=abc sms=1e9 sms=1000000000 sms=-20 sms=20,,80 'sms=20,' sms=2.5 sms=nan 20 \
    clusters=20 '' sms=1,2,3,4,5,6,7,8,9,10,11; do
    refuse "--sweep $list: expected up to 10 numbers of SMs from 1 to 4000, as in sms=20,80,120,180" \
        --sweep "$list" --json s.json --csv s.csv
done
refuse '--set power\.node=28: .*' --sweep sms=20 --set power.node=28 --json s.json
refuse '--set noc\.width=0: .*' --sweep sms=20 --set noc.width=0 --csv s.csv
refuse '--set noc\.networks=one: a sweep is of request and reply networks' --sweep sms=20 \
    --set noc.networks=one --json s.json
refuse '--set noc\.topology=ideal: a sweep goes over topologies' --sweep sms=20 \
    --set noc.topology=ideal --json s.json

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
