#!/bin/bash
# heddle run with several programs: workloads, own kernels and recordings mixed; partitions, windows,
# progress against each alone, which is kept; the same result however it is run.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

run() {
    "$HEDDLE" run "$@" >printed 2>err </dev/null ||
        fail "heddle run $*: exit status $?: $(head -n 3 err)"
    [ ! -s err ] || fail "heddle run $*: standard error: $(head -n 3 err)"
}

refuse() {
    local pattern=$1
    shift
    "$HEDDLE" run "$@" >printed 2>err </dev/null
    [ $? -eq 2 ] || fail "heddle run $*: exit status is not 2"
    [ ! -s printed ] && [ "$(wc -l <err)" -eq 1 ] || fail "heddle run $*: not one line of error"
    grep -qE "^heddle: $pattern\$" err || fail "heddle run $*: not \"$pattern\": $(cat err)"
}

# ask FILE EXPRESSION - of a JSON document, `d`.
ask() {
    python3 -c 'import json, sys
d = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$1" "$2"
}

expect() {
    [ "$(ask "$1" "$2")" = "$3" ] || fail "$1: $2 is $(ask "$1" "$2"), not $3"
}

examples=$HEDDLE_SOURCE/examples/saxpy
"$HEDDLE" record -w HS@tiny -o hs.hds >/dev/null 2>err || fail "record: $(cat err)"

# A workload, PTX of one's own and a recording, each with a third of the SMs.
run -m icc60 -w BFS@tiny --ptx "$examples/saxpy.ptx" --launch "$examples/saxpy.yaml" \
    --trace hs.hds --check --json mixed.json
grep -q '^3 programs at once, SMs by partition contiguous$' printed || fail "no table of programs"
grep -qE 'STP [0-9.]+, ANTT [0-9.]+; alone on the same SMs: STP' printed || fail "no STP, ANTT"
expect mixed.json '[len(p["sms"]) for p in d["programs"]]' '[20, 20, 20]'
expect mixed.json '[p["program"].split("/")[-1] for p in d["programs"]]' \
    "['BFS@tiny', 'saxpy.ptx', 'hs.hds']"
expect mixed.json '[p["runs"] for p in d["programs"]]' '[1, 1, 1]'
expect mixed.json 'sum(d["stats"]["program%d.sm.issued" % i] for i in range(3)) == d["stats"]["sm.issued"]' True
expect mixed.json 'abs(d["stp"]["machine"] - sum(p["progress"]["machine"] for p in d["programs"])) < 1e-12' True
expect mixed.json 'any(p["cached"]["machine"] for p in d["programs"])' False

# Alone, the same programs need the same time: found again.
run -m icc60 -w BFS@tiny --ptx "$examples/saxpy.ptx" --launch "$examples/saxpy.yaml" \
    --trace hs.hds --json again.json
expect again.json 'all(all(p["cached"].values()) for p in d["programs"])' True
expect again.json 'd["stp"]' "$(ask mixed.json 'd["stp"]')"
expect again.json 'd["digest"]' "$(ask mixed.json 'd["digest"]')"

# A recording is the workload that was recorded; threads and skipping change nothing.
for how in '-w HS@tiny' '--trace hs.hds' '-w HS@tiny --no-skip' '-w HS@tiny --threads 2'; do
    # shellcheck disable=SC2086
    run -m cdxbar80 $how -w BFS@tiny --set gpu.partition=room --window 9000 --no-alone \
        --json window.json
    expect window.json 'd["cycles"]' 9000
    ask window.json 'd["digest"]' >>digests
done
[ "$(sort -u digests | wc -l)" -eq 1 ] || fail "digests differ: $(cat digests)"
expect window.json 'd["programs"][0]["runs"] > 0' True # it is short, and restarts

# One program, restarting.
run -m icc60 -w NN@tiny --window 5000 --json one.json
expect one.json 'd["cycles"]' 5000

refuse '--set gpu.partition=romm: no partition "romm"; did you mean room\?' \
    -m icc60 -w HS@tiny -w BFS@tiny --set gpu.partition=romm
refuse '--set gpu.sm_count=1: 1 SMs for 2 programs|.*gpu.partition: 1 SMs for 2 programs' \
    -m icc60 -w HS@tiny -w BFS@tiny --set gpu.sm_count=1
refuse 'run: more than 8 programs at once' -m icc60 -w HS -w HS -w HS -w HS -w HS -w HS -w HS -w HS -w HS
refuse '--window 0: expected a whole number from 1 to .*' -m icc60 -w HS --window 0

exit $((failed > 0))
