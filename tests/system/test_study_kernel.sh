#!/bin/bash
# Rows that are one kernel of a workload have what heddle run says of it, launches averaged; rows of
# one workload share a run.  Caches that are flushed make a kernel as slow as if it were the first, and
# nothing is read that is older than what was written.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

cat >kernels.yaml <<'END'
title: kernels
machine: volta
size: tiny
workloads:
  - {name: findK, workload: BT, kernel: findK}
  - {name: findRangeK, workload: BT, kernel: findRangeK}
  - {name: points, workload: KMEANS, kernel: kmeansPoint}
variants: {counted: {set: {l1.count_sectors: true, gpu.flush: true}}}
against: chip
figures:
  cycles:
    expr: cycles
    mean: none
    chart: scatter
    paper:
      - {variant: counted, workload: findK, value: 5000, source: made up}
      - {variant: counted, workload: points, value: 9000, source: made up}
  read: {expr: l1.read_sectors, mean: none}
  n: {expr: launches, mean: none}
END
"$HEDDLE" study kernels.yaml --jobs 2 >out.txt 2>err.txt || fail "exit status $?: $(head -n 3 err.txt)"
grep -qE '^  what +chip +measured' out.txt || fail "not against a chip: $(cat out.txt)"
grep -qE '^  counted: mean error .* correlation -?1\.000; 2 rows$' out.txt || fail "no errors: $(cat out.txt)"
"$HEDDLE" study kernels.yaml --list | grep -q '^2 runs' || fail "rows of one workload do not share a run"

sets=(--set l1.count_sectors=true --set gpu.flush=true)
for w in BT KMEANS; do
    "$HEDDLE" run -m volta -w $w@tiny "${sets[@]}" --check --json $w.json >/dev/null || fail "$w: exit status $?"
done
python3 - <<'END' || fail "the study does not say what heddle run says"
import csv, json
value = {(r["figure"], r["workload"]): float(r["value"])
         for r in csv.DictReader(x for x in open("out/kernels/results.csv") if x[0] != "#")
         if r["kind"] == "value"}
kernels = [k for w in ("BT", "KMEANS") for k in json.load(open(w + ".json"))["kernels"]]
for row, name in (("findK", "findK"), ("findRangeK", "findRangeK"), ("points", "kmeansPoint")):
    own = [k for k in kernels if k["kernel"] == name]
    assert value["n", row] == len(own), (row, len(own))
    mean = lambda f: sum(map(f, own)) / len(own)
    assert value["cycles", row] == mean(lambda k: k["end"] - k["begin"]), row
    assert value["read", row] == mean(lambda k: k["stats"]["l1.read_sectors"]), row
END

# The second of two launches that are alike reads what the first one read, if nothing is left of it.
read_twice() { # SETTING...
    "$HEDDLE" run -m volta -w HS@small "$@" --check --json hs.json >/dev/null || fail "HS $*: exit status $?"
    python3 -c 'import json; print(*(k["stats"]["dram.read_bytes"] for k in json.load(open("hs.json"))["kernels"]))'
}
read -r first second < <(read_twice --set gpu.flush=true)
[ "$first" = "$second" ] || fail "flushed: $first and $second bytes"
read -r first second < <(read_twice)
[ "$second" -lt "$first" ] || fail "kept: $first and $second bytes"

# Any L2 can be flushed.
for set in l2.write_through=true l2.write_fetch=true l2.enabled=false l2.sectored=false l2.replacement=srrip; do
    "$HEDDLE" run -m volta -w BP@tiny --set gpu.flush=true --set $set --check >/dev/null 2>err.txt ||
        fail "$set: $(head -n 1 err.txt)"
done
exit $((failed > 0))
