#!/bin/bash
# Every workload's outputs are right at tiny, small and few, and no size is larger than it promises:
# 0.2, 5, 25 and (few) 5 million warp instructions.  At few, a kernel with a quarter of the work or
# more has 24 to 72 CTAs, and no such kernel has more: part of a machine of 80 SMs has nothing to do.
# With HEDDLE_CHECK_FULL=1: at study, too, from another seed, and with all checks on.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C

"$HEDDLE" list workloads --names >workloads
[ "$(wc -l <workloads)" -ge 11 ] || { echo "only $(wc -l <workloads) workloads"; exit 1; }

check() { # WORKLOAD SIZE MOST OPTIONS...
    local name=$1@$2 most=$3 run="$1.$2$4" insns
    shift 3
    # shellcheck disable=SC2086  # several words, or none
    if ! "$HEDDLE" run -w "$name" --functional $1 --json "$run.json" >"$run.out" 2>&1; then
        echo "$name $1: $(tail -n 1 "$run.out")" >>failures
        return
    fi
    insns=$(sed -n 's/^  "warp_insns": \([0-9]*\),$/\1/p' "$run.json")
    [ "$insns" -le "$most" ] || echo "$name: $insns warp instructions, more than $most" >>failures
}
export -f check

# Long ones first.
[ "${HEDDLE_CHECK_FULL:-0}" != 1 ] || {
    sed 's/$/ study 25000000/' workloads
    sed 's/$/ small 5000000 "--check --seed 5"/' workloads
} >jobs
for size in 'small 5000000' 'few 5000000' 'tiny 200000'; do
    sed "s/\$/ $size/" workloads
done >>jobs
xargs -P 2 -L 1 bash -c 'check "$0" "$1" "$2" "${3:-}"' <jobs
command -v python3 >/dev/null && python3 - >>failures <<'END'
import glob, json, math
for path in sorted(glob.glob("*.few.json")):
    kernels = json.load(open(path))["kernels"]
    work = sum(k["warp_insns"] for k in kernels)
    ctas = [math.prod(k["first_grid"]) for k in kernels if k["warp_insns"] >= work / 4]
    if ctas and not 24 <= max(ctas) <= 72:
        print(f"{path}: {max(ctas)} CTAs, not 24 to 72")
END
echo "$(wc -l <jobs) runs"
[ ! -s failures ] || { cat failures; exit 1; }
