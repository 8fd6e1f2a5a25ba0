#!/bin/bash
# Energies of periods and of kernels add up to those of the run.
set -u
failed=0
fail() { echo "$*"; failed=$((failed + 1)); }

"$HEDDLE" run -m icc60 -w BFS@tiny --set icc.enabled=true --set icc.cc_lines=24 --period 500 \
    --series series.csv --columns energy. --json run.json >/dev/null || fail "the run failed"
command -v python3 >/dev/null || exit $((failed > 0))
python3 - <<'END' || fail "energies do not add up"
import csv, json

run = json.load(open("run.json"))
rows = list(csv.DictReader(x for x in open("series.csv") if x[0] != "#"))
assert len(rows) > 3
for model in run["energy"]:
    for part in "sm", "l1", "noc", "l2", "dram", "other", "total", "static":
        name = "energy.%s.%s" % (model, part)
        whole = run["stats"][name]
        # The network may drain for some cycles after the last one.
        assert abs(sum(float(r[name]) for r in rows) / whole - 1) < 1e-3, name
        of_kernels = sum(k["stats"][name] for k in run["kernels"])
        assert of_kernels <= whole * (1 + 1e-9) and of_kernels > 0.9 * whole, name
END

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
