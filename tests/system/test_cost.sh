#!/bin/bash
# heddle cost -m, -n, --router, --link, --optical, --array: the ICC paper's figures, sums, documents, and
# one line for whatever is wrong.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

icc=(--set icc.enabled=true --set icc.cc_lines=24) # and 48 entries

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
tail -n 1 out >last

for name in $("$HEDDLE" list networks --names); do
    "$HEDDLE" cost -n "$name" >out 2>err || fail "$name: $(cat err)"
    has '^total +[0-9.]+ +[0-9.]+ '
    [ "$(awk 'length > 100' out)" = '' ] || fail "$name: lines over 100 characters"
done
for name in $("$HEDDLE" list machines --names); do
    "$HEDDLE" cost -m "$name" >out 2>err || fail "$name: $(cat err)"
    case $name in
        coalesce28* | intra56*) grep -qE '^l2' out && fail "$name: an L2 that is not there" ;;
        *) has '^l2 ' ;;
    esac
    [ "$(awk 'length > 100' out)" = '' ] || fail "$name: lines over 100 characters"
done
"$HEDDLE" cost -m icc60 --set icc.enabled=false >out
grep -qE '^(merge_table|coalesced_cache)' out && fail "a unit that is not there is listed"

# --- the document ----------------------------------------------------------------------------

"$HEDDLE" cost -m icc60 "${icc[@]}" --json cost.json >out || fail "--json: exit status $?"
has '^merge_table '
"$HEDDLE" cost -m icc60 "${icc[@]}" --json - >out || fail "--json -: exit status $?"
cmp -s <(grep -v '"command"' out) <(grep -v '"command"' cost.json) || fail "--json FILE and --json - differ"
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
words = open("last").read().split()  # "in all 44.42 mm2 of silicon, 9.609 W ..."
assert words[:2] == ["in", "all"] and words[3] == "mm2" and words[7] == "W", words
assert abs(float(words[2]) / area["total"] - 1) < 1e-3, words
assert abs(float(words[6]) / power["total"] - 1) < 1e-3, words
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
"$HEDDLE" cost --link 12.3mm --set power.link_cycles=2 >out || fail "--link in cycles: exit status $?"
has '^link 12.3mm: 256 bits, 22 nm, 1.43 ns in 2 cycles$'
"$HEDDLE" cost --link 12300um --json l2.json >/dev/null || fail "--link in um: exit status $?"
"$HEDDLE" cost --array 48K,4way,128B --json a.json >out || fail "--array: exit status $?"
has '^array 48K,4way,128B: cache of 49152 B, 128 B lines, 4-way, 35-bit tags, 1024-bit port, 22 nm$'
has '^area +[0-9]+ um2$'
"$HEDDLE" cost --array 3K,cam,128B >out || fail "--array of a CAM: exit status $?"
"$HEDDLE" cost --array 128K,ram,128B,16banks >out || fail "--array of RAM: exit status $?"
python3 - <<'EOF' || fail "documents of single parts are not as they should be"
import json
r, l, l2, a = (json.load(open(f + ".json")) for f in ("r", "l", "l2", "a"))
near = lambda x, y: abs(x - y) <= 1e-9 * abs(y)
assert near(r["area_um2"], sum(v for k, v in r.items() if k.startswith("area_") and k != "area_um2"))
assert near(r["flit_pj"], sum(r[k + "_pj"] for k in
            ("buffer_write", "buffer_read", "crossbar", "switch_1", "switch_2"))), r
assert l["is_met"] == 1 and all(near(l[k], l2[k]) for k, v in l.items() if type(v) is not str), (l, l2)
assert l["delay_ns"] <= 1 / 1.4 and l["wire_area_um2"] > 100 * l["area_um2"]
assert a["search_pj"] < a["read_pj"], a
EOF

# --- optical channels --------------------------------------------------------------------------

optical() { # optical NAME ARGUMENT... - into NAME.json and out
    local name=$1
    shift
    "$HEDDLE" cost --optical "$@" --json "$name.json" >out || fail "--optical $*: exit status $?"
    [ "$(awk 'length > 100' out)" = '' ] || fail "--optical $*: lines over 100 characters"
}
optical bus 40mm,7writers
has '^optical 40mm,7writers: 256 bits at 1.4 GHz, standard laser, reshuffle tuning, 22 nm$'
optical short 3.3mm
has '^cheaper than wires above +- \(never\)$'
optical long 12.3mm
optical even 12.3mm --set "power.load=$(python3 -c 'import json; print(json.load(open("long.json"))["break_even_load"])')"
optical quiet 12.3mm --set photonic.laser=throttled --set photonic.tuning=athermal
optical lossy 12.3mm --set photonic.waveguide_db_per_cm=3
"$HEDDLE" cost --link 12.3mm --json wires.json >/dev/null
python3 - <<'EOF' || fail "optical channels are not as they should be"
import json
bus, short, long, even, quiet, lossy, wires = (json.load(open(f + ".json")) for f in
    ("bus", "short", "long", "even", "quiet", "lossy", "wires"))
near = lambda x, y: abs(x - y) <= 1e-6 * abs(y)
for d in bus, short, long, even, quiet, lossy:
    assert near(d["always_mw"], d["laser_mw"] + d["tuning_mw"] + d["leakage_mw"]), d
    assert near(d["flit_at_load_pj"], d["flit_pj"] + d["always_mw"] * 1e9 / (d["load"] * 1.4e9)), d
assert short["break_even_load"] is None and 0 < long["break_even_load"] < 1
assert near(even["flit_at_load_pj"], even["wire_flit_at_load_pj"]), even  # that is what it means
assert near(long["wire_flit_at_load_pj"],
            wires["flit_pj"] + wires["leakage_mw"] * 1e9 / (long["load"] * 1.4e9)), (long, wires)
assert (bus["writers"], bus["readers"], bus["wire_cycles"], long["wire_cycles"]) == (7, 1, 3, 1)
assert near(bus["tuning_mw"], 4 * long["tuning_mw"])  # eight banks of rings, not two
assert bus["laser_mw"] > long["laser_mw"] > short["laser_mw"]
assert quiet["laser_mw"] == quiet["tuning_mw"] == 0 < quiet["laser_flit_pj"] < quiet["flit_pj"]
# 2 dB more per cm: the laser, to within what the modulator is set anew for
assert 1.1 < lossy["laser_mw"] / long["laser_mw"] < 10 ** 0.246 * 1.01
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
refuse 'cost: -m twice: one at a time' -m icc60 -m pascal
refuse 'cost: --json twice: one at a time' --router 5x5 --json a.json --json b.json
refuse 'cost: --json and --csv both want x' --validate --json x --csv x
refuse 'cost: --reference goes with --validate' --reference x
refuse 'cost: nothing can be --set with --validate' --validate --set power.node=22
refuse '/dev/full: cannot write: .*' --router 5x5 --json /dev/full
refuse 'cost: --csv goes with --validate, not -m' -m icc60 --csv x.csv
refuse 'cost: --reference goes with --validate, not -m' -m icc60 --reference x
refuse 'cost: --json - and --csv - both want standard output' --validate --json - --csv -
refuse 'cost: no option "--sweep" \(heddle cost --help\)' --sweep sms=20
for ports in 0x3 10x0 -1x3 10x 10 x 10x3x 5000x3 99999999999999999999x3 1.5x3; do
    refuse "--router $ports: expected inputs and outputs from 1 to 4096, as in 10x3" \
        --router "$ports" --json r.json
done
for length in -3mm 0mm 3kg 3.3km nan inf mm '' 1e9mm 1e400mm 1e-300mm 0.9um; do
    refuse "--link $length: expected a length from 1um to 1000mm, as in 12.3mm" \
        --link "$length" --json l.json
    refuse "--optical $length,2writers: expected a length from 1um to 1000mm, then .*" \
        --optical "$length,2writers" --json o.json
done
for ends in 7 writers 0writers -1readers 7wrters '' '2writers,' 99999999999writers; do
    refuse "--optical 40mm,$ends: expected .* writers and readers, as in 40mm,7writers" \
        --optical "40mm,$ends" --json o.json
done
refuse 'photonic: 1 writers and 9999 readers; expected .*' --optical 40mm,9999readers
refuse 'photonic: [0-9.]+ dB lost on the way; expected .*' --optical 1000mm --json o.json
refuse '--set photonic\.laser_efficiency=0: 0 is outside 0\.001\.\.1' --optical 40mm \
    --set photonic.laser_efficiency=0
refuse 'photonic\.rate: no modulator reaches .*' --optical 40mm --set photonic.rate=90GHz
for array in 0 '' -1K,4way 4way 48K,4wey 48K,0way 48K,0B 48K,0bit 48K,0banks 48K,0tag 48K,way '48K,,' \
    48K,99999999999way 48K,4way,65tag 999999999,ram,999999999B 5G,cam,1B; do
    refuse "--array $array: expected a size below 4G and words .*" --array "$array" --json a.json
done
refuse '--array 3K,cam,4way: cam has no ways' --array 3K,cam,4way
refuse '--array 3K,ram,4way: ram has no ways' --array 3K,ram,4way
refuse '--array 3K,ram,9tag: ram has no tags' --array 3K,ram,9tag
refuse '--array 48K,5way,128B: not a whole number of sets of lines' --array 48K,5way,128B
refuse '--set power\.node=28: .*22.*32.*45.*' --router 5x5 --set power.node=28
refuse '--set power\.node=-22: .*' -m icc60 --set power.node=-22
refuse '--set noc\.width=0: .*' --link 3.3mm --set noc.width=0
refuse '--set router\.vcs=0: .*' --router 5x5 --set router.vcs=0
refuse '--set cdxbar\.link_mm=-1: .*' -n cdxbar80 --set cdxbar.link_mm=-1

# In a file, the line is named.
printf 'base: %s/machines/icc60.yaml\npower:\n  node: 22\nmesh:\n  link_mm: -3.3\n' \
    "$HEDDLE_SOURCE" >bad.yaml
refuse '\.\./bad\.yaml:5: mesh\.link_mm: -3\.3 is outside 0\.\.1000' -m ../bad.yaml --json c.json
printf 'base: %s/networks/mesh80.yaml\npower: {node: 28}\n' "$HEDDLE_SOURCE" >bad.yaml
refuse '\.\./bad\.yaml:2: power\.node: "28" is not one of 7, 12, 22, 32, 45; .*' -n ../bad.yaml

"$HEDDLE" cost --help | grep -q '^usage: heddle cost -m MACHINE' || fail "no help"
"$HEDDLE" --help | grep -q '^  cost ' || fail "heddle --help does not name it"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
