#!/bin/bash
# Every workload's outputs are right at tiny, small and few, and no size is larger than it promises:
# 0.2, 5, 25 and (few) 5 million warp instructions.  With HEDDLE_CHECK_FULL=1: at study, too, from another
# seed, and with all checks on.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C

mapfile -t workloads < <("$HEDDLE" list workloads --names)
[ ${#workloads[@]} -ge 11 ] || { echo "only ${#workloads[@]} workloads"; exit 1; }
failed=0
runs=0

field() { sed -n "s/^  \"$1\": \([0-9]*\),$/\1/p" r.json; }

check() { # WORKLOAD SIZE MOST OPTIONS...
    local name=$1@$2 most=$3
    shift 3
    runs=$((runs + 1))
    if ! "$HEDDLE" run -w "$name" --functional "$@" --json r.json >out 2>&1; then
        failed=$((failed + 1))
        echo "$name $*: $(tail -n 1 out)"
    elif [ "$(field warp_insns)" -gt "$most" ]; then
        failed=$((failed + 1))
        echo "$name: $(field warp_insns) warp instructions, more than $most"
    fi
}

for workload in "${workloads[@]}"; do
    check "$workload" tiny 200000
    check "$workload" small 5000000
    check "$workload" few 5000000
    if [ "${HEDDLE_CHECK_FULL:-0}" = 1 ]; then
        check "$workload" small 5000000 --check --seed 5
        check "$workload" study 25000000
    fi
done
echo "$runs runs, $failed failed"
[ $failed -eq 0 ]
