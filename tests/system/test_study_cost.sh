#!/bin/bash
# A study that runs nothing: machines priced, the same numbers as those of heddle cost; the CD-Xbar
# paper's networks.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

"$HEDDLE" study cdxbar --only priced --jobs 2 >out.txt 2>err.txt || fail "exit status $?: $(head -n 3 err.txt)"
[ ! -s err.txt ] || fail "standard error: $(head -n 3 err.txt)"
grep -qE '^ +mesh, as_is +> 4\.000 +[0-9.]+ +(reproduced|direction only)' out.txt || fail "no bound: $(cat out.txt)"
[ -z "$(find out/cdxbar/streams -name '*.hds')" ] || fail "something was recorded"
"$HEDDLE" study cdxbar --only priced --list >list.txt || fail "--list: exit status $?"
grep -q '^mesh/sms20 .*done$' list.txt || fail "--list: $(head -n 4 list.txt)"
grep -q 'to be done' list.txt && fail "not everything is done: $(cat list.txt)"
[ "$(wc -l <out.txt)" -gt 100 ] || fail "no figures: $(cat out.txt)"
grep -q 'sms20@' out/cdxbar/report.html && fail "sizes of rows that have none"

# --only works on rows of any kind.
"$HEDDLE" study cdxbar --only fig3c,sms80 --out only >out.txt 2>err.txt || fail "--only: $(cat err.txt)"
grep -qE '^ +sms80 ' out.txt || fail "--only: $(cat out.txt)"
grep -qE '^ +sms20 ' out.txt && fail "--only has others: $(cat out.txt)"

# The same as heddle cost says of the machine, with the study's settings.
sets=(--set power.vc_allocator=false --set power.node=22 --set power.load=0.1)
for machine in cdxbar80 cdxbar56 cdxbar56_mesh cdxbar56_smesh; do
    "$HEDDLE" cost -m $machine "${sets[@]}" --json $machine.json >/dev/null || fail "cost -m $machine"
done
python3 - <<'EOF' || fail "the study does not say what heddle cost says"
import csv, json
rows = list(csv.DictReader(x for x in open("out/cdxbar/results.csv") if x[0] != "#"))
value = {(r["figure"], r["variant"], r["workload"], r["part"]): float(r["value"])
         for r in rows if r["kind"] == "value"}
near = lambda x, y: abs(x - y) <= 1e-9 * abs(y)
cost = {m: json.load(open(m + ".json")) for m in ("cdxbar80", "cdxbar56", "cdxbar56_mesh", "cdxbar56_smesh")}
net = lambda m, what: sum(n[what]["total"] for n in cost[m]["networks"])
assert near(value["fig3a", "cdxbar", "sms80", ""], net("cdxbar80", "area_mm2"))
assert near(value["fig3b", "cdxbar", "sms80", ""], net("cdxbar80", "power_w"))
assert near(value["fig3c", "cdxbar", "sms80", ""] * 1e6, cost["cdxbar80"]["max_clock_hz"])
assert near(value["cdxbar_area", "cdxbar56", "as_is", ""],
            net("cdxbar56", "area_mm2") / net("cdxbar56_mesh", "area_mm2"))
assert near(value["power_ports", "smesh56", "as_is", ""],
            net("cdxbar56_smesh", "power_w") / net("cdxbar56_mesh", "power_w"))

# What holds under any reading of the paper.
area = lambda v, n: value["fig3a", v, n, ""]
clock = lambda v, n: value["fig3c", v, n, ""]
names = "mesh", "smesh", "clos", "fly", "xbar", "cdxbar"
sizes = "sms20", "sms80", "sms120", "sms180"
for v in names:
    for a, b in zip(sizes, sizes[1:]):
        assert area(v, a) < area(v, b) and clock(v, a) >= clock(v, b), (v, a)
        assert value["fig3b", v, a, ""] < value["fig3b", v, b, ""], (v, a)
for n in sizes:
    assert area("mesh", n) > 2 * area("xbar", n) and clock("mesh", n) > clock("xbar", n)
assert area("cdxbar", "sms180") < area("xbar", "sms180")
assert clock("cdxbar", "sms80") == clock("cdxbar", "sms180")  # section 5.6: the global crossbar's
# Parts of stacks, and figures that say the same.
parts = lambda f, v, n: sum(x for k, x in value.items() if k[:3] == (f, v, n) and k[3])
for v in names:
    assert near(parts("fig2", v, "sms80"), area(v, "sms80")), v
assert near(area("mesh", "sms80") / area("xbar", "sms80"), value["mesh_area", "mesh", "as_is", ""])
assert near(clock("xbar", "sms80"), value["xbar_clock", "xbar", "as_is", ""])
# Every row of assumptions reaches the networks.
for row in ("links_2_cycles", "sm_links_3.3mm", "channels_32B", "at_2GHz", "vc_allocators"):
    assert not near(value["cdxbar_area", "cdxbar56", row, ""], value["cdxbar_area", "cdxbar56", "as_is", ""]), row
for row in ("slices_at_rim", "smesh_4x4"):
    assert not near(value["power", "smesh56", row, ""], value["power", "smesh56", "as_is", ""]), row
EOF

# A study of kernels and costs together: what a bigger cache brings, and what it takes.
cat >both.yaml <<'EOF'
machine: icc60
size: tiny
workloads: [HS, {name: chip, kind: cost}]
variants:
  plain: {}
  big: {set: {l1.size: 96K}}
figures:
  speed: {expr: ipc / base.ipc, baseline: plain, variants: [big], workloads: [HS]}
  area: {expr: cost.l1.area / base.cost.l1.area, baseline: plain, variants: [big], workloads: [chip]}
EOF
"$HEDDLE" study both.yaml --csv both.csv >out.txt 2>err.txt || fail "both kinds: $(cat err.txt)"
grep -qE '^value,area,big,chip,,1\.[0-9]+' both.csv || fail "no area: $(cat both.csv)"
grep -qE '^value,speed,big,HS,,[01]\.?[0-9]*' both.csv || fail "no speed: $(cat both.csv)"
rm out/both/results.csv
"$HEDDLE" report out/both >out.txt 2>err.txt || fail "report: $(cat err.txt)"
cmp -s <(sed '/^#/d' out/both/results.csv) <(sed '/^#/d' both.csv) || fail "report makes another results.csv"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
