#!/bin/bash
# heddle cost -m, -n, --router, --link, --array: the ICC paper's figures, sums, documents, and one line
# for whatever is wrong.
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
has '^noc.request: 22 nm, '
has '^buffer +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]+ %'
has '^router_12x8 +1 '
has '^link_12300um +20 '
[ "$(grep -cE '^merge_table ' out)" -eq 2 ] || fail "merge_table not in both tables"

for name in $("$HEDDLE" list networks --names); do
    "$HEDDLE" cost -n "$name" >out 2>err || fail "$name: $(cat err)"
    has '^total +[0-9.]+ +[0-9.]+ '
    [ "$(awk 'length > 100' out)" = '' ] || fail "$name: lines over 100 characters"
done
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
area, power = d["area_mm2"], d["power_w"]
parts = {"network." + p for p in ("buffer", "crossbar", "allocator", "clock", "link")}
arrays = set(d["arrays"])
assert {"merge_table", "coalesced_cache", "l1", "l2", "register_file", "shared_memory"} <= arrays
assert set(area) == set(power) == parts | arrays | {"total"}, (area, power)
near = lambda x, y: abs(x - y) <= 1e-9 * abs(y)
for m in area, power, *(n[k] for n in d["networks"] for k in ("area_mm2", "leakage_w", "power_w")):
    assert all(v >= 0 for v in m.values()), m
    assert near(m["total"], sum(v for k, v in m.items() if k != "total")), m
assert d["node_nm"] == 22 and d["clock_hz"] == 1.4e9 and d["max_clock_hz"] > 0
assert [n["name"] for n in d["networks"]] == ["noc.request", "noc.reply"]
for part in parts:
    of = lambda n: n["area_mm2"][part.split(".")[1]]
    assert near(area[part], sum(of(n) for n in d["networks"])), part
for n in d["networks"]:
    kinds = sum(k["count"] * k["area_mm2_each"] for k in n["kinds"])
    assert near(kinds, n["area_mm2"]["total"]), (kinds, n)
    assert all(n["power_w"][p] >= n["leakage_w"][p] for p in n["power_w"])
assert near(d["wire_area_mm2"], sum(n["wire_area_mm2"] for n in d["networks"]))
for k, v in d["arrays"].items():
    assert near(area[k], v["area_mm2_each"] * u[k]["units"]), k
    assert near(power[k], v["leakage_w_each"] * u[k]["units"]), k
EOF
"$HEDDLE" cost -n xbar80x16 --json net.json >/dev/null || fail "-n: exit status $?"
python3 - <<'EOF' || fail "the document of a network is not as it should be"
import json
d = json.load(open("net.json"))
assert d["network"] == "xbar80x16" and "machine" not in d and not d["arrays"], d
assert d["max_clock_hz"] < d["clock_hz"], d  # an 80x16 crossbar is too slow for 1.4 GHz
EOF

# --- single parts ----------------------------------------------------------------------------

"$HEDDLE" cost --router 10x3 --set router.vcs=4 --set router.depth=4 --json r.json >out ||
    fail "--router: exit status $?"
has '^router 10x3: 256 bits, 4 VCs of 4 flits, 22 nm'
"$HEDDLE" cost --link 12.3mm --json l.json >out || fail "--link: exit status $?"
has '^link 12.3mm: 256 bits, 22 nm, 0.714 ns'
"$HEDDLE" cost --link 12300um --json l2.json >/dev/null || fail "--link in um: exit status $?"
"$HEDDLE" cost --array 48K,4way,128B --json a.json >out || fail "--array: exit status $?"
has '^array 48K,4way,128B: cache, 49152 B .* tags of 35 bits'
"$HEDDLE" cost --array 3K,cam,128B >out || fail "--array of a CAM: exit status $?"
"$HEDDLE" cost --array 128K,ram,128B,16banks >out || fail "--array of RAM: exit status $?"
python3 - <<'EOF' || fail "documents of single parts are not as they should be"
import json
r, l, l2, a = (json.load(open(f + ".json")) for f in ("r", "l", "l2", "a"))
near = lambda x, y: abs(x - y) <= 1e-9 * abs(y)
assert near(r["area_um2"], sum(v for k, v in r.items() if k.startswith("area_") and k != "area_um2"))
assert near(r["flit_pj"], sum(r[k + "_pj"] for k in
            ("buffer_write", "buffer_read", "crossbar", "switch_1", "switch_2"))), r
assert l["is_met"] == 1 and all(near(l[k], l2[k]) for k in l if k != "link"), (l, l2)
assert l["delay_ns"] <= 1 / 1.4 and l["wire_area_um2"] > 100 * l["area_um2"]
assert a["search_pj"] < a["read_pj"], a
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

refuse 'no network "mash80"; did you mean mesh80\?' -n mash80
refuse 'cost: -m and -n: one at a time' -m icc60 -n mesh80
refuse 'cost: --csv goes with --sweep or --validate, not -m' -m icc60 --csv x.csv
refuse 'cost: --reference goes with --validate, not -m' -m icc60 --reference x
refuse 'cost: --json - and --csv - both want standard output' --sweep sms=20 --json - --csv -
for ports in 0x3 10x0 -1x3 10x 10 x 10x3x 5000x3 99999999999999999999x3 1.5x3; do
    refuse "--router $ports: expected inputs and outputs from 1 to 4096, as in 10x3" \
        --router "$ports" --json r.json
done
for length in -3mm 0mm 3kg nan inf mm '' 1e9mm; do
    refuse "--link $length: expected a length above 0 and up to 1000mm, as in 12.3mm" \
        --link "$length" --json l.json
done
for array in 0 '' -1K,4way 4way 48K,4wey 48K,0way 48K,0B 48K,way '48K,,' 48K,99999999999way; do
    refuse "--array $array: expected a size and words .*" --array "$array"
done
refuse '--array 48K,5way,128B: not a whole number of sets of lines' --array 48K,5way,128B
refuse '--set power\.node=28: .*22.*32.*45.*' --router 5x5 --set power.node=28
refuse '--set power\.node=-22: .*' -m icc60 --set power.node=-22
refuse '--set noc\.width=0: .*' --link 3.3mm --set noc.width=0
refuse '--set router\.vcs=0: .*' --router 5x5 --set router.vcs=0
refuse '--set cdxbar\.link_mm=-1: .*' -n cdxbar80 --set cdxbar.link_mm=-1

"$HEDDLE" cost --help | grep -q '^usage: heddle cost -m MACHINE' || fail "no help"
"$HEDDLE" --help | grep -q '^  cost ' || fail "heddle --help does not name it"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
