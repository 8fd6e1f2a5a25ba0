#!/bin/bash
# Energy of a run, as users meet it: bills whose counts are the statistics of the same document, parts
# that sum to the total, kernels that sum to the run, two models that are never mixed.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

run=(run -m icc60 -w SRAD@tiny --set icc.enabled=true)
"$HEDDLE" "${run[@]}" --json run.json >out 2>err || fail "exit status $?: $(cat err)"
"$HEDDLE" "${run[@]}" --set power.node=45 --json node.json >/dev/null || fail "45 nm: exit status $?"
"$HEDDLE" "${run[@]}" --set noc.width=32 --json narrow.json >/dev/null || fail "32 B: exit status $?"
"$HEDDLE" "${run[@]}" --max-cycles 3000 --json part.json >/dev/null 2>&1
[ $? -eq 4 ] || fail "a run out of budget does not end with status 4"

python3 - <<'EOF' || fail "a bill is not as it should be"
import json, re
near = lambda x, y: abs(x - y) <= 1e-9 * max(abs(x), abs(y))
load = lambda name: json.load(open(name + ".json"))
parts = ["sm", "l1", "noc", "l2", "dram", "other"]

def count(text, of):
    """'60 cycles - sm.active_cycles' from what the document says."""
    sum_of = lambda name: of[name] if "*" not in name else sum(
        v for k, v in of.items() if re.fullmatch(re.escape(name).replace(r"\*", "[a-z]+"), k))
    terms = re.findall(r"([+-]?) ?(?:([0-9.]+) )?([a-z][\w.*]*)", text)
    assert terms, text
    return sum((-1 if sign == "-" else 1) * float(weight or 1) * sum_of(name)
               for sign, weight, name in terms)

def check(d):
    stats = dict(d["stats"], cycles=d["cycles"])
    for model, bill in d["energy"].items():
        stat = lambda name: stats["energy.%s.%s" % (model, name)]
        stats["seconds"] = seconds = stat("total") / stat("power")
        assert list(bill["parts"]) == parts
        assert near(sum(bill["parts"].values()), bill["total_j"]), model
        assert near(sum(i["joules"] for i in bill["items"]), bill["total_j"]), model
        assert near(sum(i["joules"] for i in bill["items"] if i["static"]), bill["static_j"]), model
        for part in parts:
            assert near(sum(i["joules"] for i in bill["items"] if i["part"] == part), stat(part))
        for i in bill["items"]:
            assert i["joules"] >= 0 and near(i["count"] * i["each_j"], i["joules"]), i
            assert near(count(i["counts"], stats), i["count"]), i
        assert near(stat("total"), bill["total_j"]) and near(stat("static"), bill["static_j"])
        assert near(stat("edp"), bill["total_j"] * seconds)
        assert near(stat("insns_per_joule"), stats["sm.thread_insns"] / bill["total_j"])
        assert near(seconds, d["cycles"] / 1.4e9), seconds

run, node, narrow, part = map(load, ("run", "node", "narrow", "part"))
for d in run, node, narrow, part:
    check(d)
assert list(run["energy"]) == ["gpuwattch40", "structural"]
for model in run["energy"]:  # between kernels nothing happens that is paid for
    for name in parts + ["total", "static"]:
        name = "energy.%s.%s" % (model, name)
        own = sum(k["stats"][name] for k in run["kernels"])
        assert near(own, run["stats"][name]), (name, own)
assert len(run["kernels"]) > 1
assert part["partial"] and part["energy"]["structural"]["total_j"] < run["energy"]["structural"]["total_j"]

# A node is a matter of the structural model; a flit of half the width costs half in the other.
assert node["energy"]["gpuwattch40"] == run["energy"]["gpuwattch40"]
assert node["energy"]["structural"]["parts"]["noc"] > run["energy"]["structural"]["parts"]["noc"]
each = lambda d, model: [i["each_j"] for i in d["energy"][model]["items"] if i["part"] == "noc"]
assert each(run, "gpuwattch40") and all(near(x, 2 * y) for x, y in
    zip(each(run, "gpuwattch40"), each(narrow, "gpuwattch40")))
assert abs(each(run, "gpuwattch40")[0] / (2 * 1.94e-9) - 1) < 0.002  # 64 bytes; 32 are 1.94 nJ

# What is printed is what the document says.
table = [l.split() for l in open("out") if re.match(r"(energy|gpuwattch40|structural) ", l)]
assert [r[0] for r in table] == ["energy"] + list(run["energy"]), table
for row in table[1:]:
    bill = run["energy"][row[0]]
    assert abs(float(row[1]) / 1e3 / bill["total_j"] - 1) < 1e-3, row
    for text, name in zip(row[3:9], parts):
        assert abs(float(text) - 100 * bill["parts"][name] / bill["total_j"]) <= 0.0501, (row, name)
EOF

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
