#!/bin/bash
# Rows of kind loop: one kernel alone, again and again.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# study STATUS ARGUMENT... - heddle study with that exit status; out.txt and err.txt hold what it said.
study() {
    local want=$1
    shift
    "$HEDDLE" study "$@" >out.txt 2>err.txt </dev/null
    local status=$?
    [ $status -eq "$want" ] || fail "heddle study $*: exit status $status: $(head -n 3 err.txt)"
}

# value FIGURE WORKLOAD - of the only variant
value() { sed -nE "s/^value,$1,one,$2,,([^,]*),.*/\1/p" out/loop/results.csv; }

cat >loop.yaml <<'END'
title: a kernel in a loop
machine: gv100_1417
size: tiny
workloads:
  - BP
  - {name: cold, workload: BP, kind: loop, set: {loop.kernel: adjust_weights, loop.times: 1}}
  - {name: warm, workload: BP, kind: loop, set: {loop.kernel: adjust_weights}}
  - {name: first, workload: BP, kind: loop}
variants: {one: {}}
figures:
  fetched: {expr: dram.read_bursts, mean: none}
  issued: {expr: sm.issued, mean: none}
  watts: {expr: energy.structural.power, mean: none}
  sum: {expr: energy.structural.sm + energy.structural.l1 + energy.structural.noc + energy.structural.l2 + energy.structural.dram + energy.structural.other - energy.structural.total, mean: none}
END
study 0 loop.yaml --jobs 2
[ ! -s err.txt ] || fail "standard error: $(head -n 3 err.txt)"

# What fits into the L2 is read from DRAM once, and each run of the kernel does the same work.
awk -v a="$(value fetched cold)" -v b="$(value fetched warm)" 'BEGIN { exit !(a > 0 && b == 0) }' ||
    fail "read from DRAM: $(value fetched cold) cold, $(value fetched warm) warm"
[ "$(value issued cold)" = "$(value issued warm)" ] || fail "a run of a loop is not a run"
awk -v a="$(value issued first)" -v b="$(value issued warm)" -v all="$(value issued BP)" \
    'BEGIN { exit !(a > 0 && a + b == all) }' || fail "the kernels of BP are not its two loops"
for row in cold warm first; do
    awk -v p="$(value watts $row)" 'BEGIN { exit !(p > 54 && p < 300) }' || fail "$row: $(value watts $row) W"
    awk -v d="$(value sum $row)" 'BEGIN { exit !(d < 1e-12 && d > -1e-12) }' ||
        fail "$row: parts and total differ by $(value sum $row) J"
done

sed 's/adjust_weights, loop.times: 1/nothing/' loop.yaml >none.yaml
study 1 none.yaml --only fetched,cold --out none
grep -q 'loop.kernel: no kernel has "nothing" in its name' out.txt err.txt || fail "no complaint: $(cat out.txt err.txt)"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
