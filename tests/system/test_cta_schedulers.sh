#!/bin/bash
# Every CTA scheduler on the machines, audited: each machine has a quarter of them, with
# HEDDLE_CHECK_FULL=1 all.  On a machine of clusters each runs two programs at once, guests and all.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# digest ARGUMENT... - of a run
digest() {
    "$HEDDLE" run --json digest.json "$@" >out 2>error || fail "$*: $(head -n 3 error)"
    grep -m 1 '"digest"' digest.json
}

"$HEDDLE" list machines --names >machines
"$HEDDLE" list values gpu.cta_scheduler >schedulers
[ "$(wc -l <schedulers)" -ge 13 ] || fail "too few schedulers: $(cat schedulers)"
[ "${HEDDLE_CHECK_FULL:-0}" = 1 ] && every=1 || every=4
turn=0
while read -r machine; do
    for scheduler in $(awk -v turn=$((turn++)) -v every=$every '(NR + turn) % every == 0' schedulers); do
        "$HEDDLE" run -m "$machine" -w 2DCONV@tiny --check --set "gpu.cta_scheduler=$scheduler" >out 2>error &&
            grep -q '^outputs checked: all right; ' out || fail "$machine, $scheduler: $(head -n 3 error)"
    done
done <machines

while read -r scheduler; do
    "$HEDDLE" run -m icc60 -w HS@tiny -w BFS@tiny --check --no-alone --set gpu.partition=room \
        --set "gpu.cta_scheduler=$scheduler" >out 2>error || fail "$scheduler: $(head -n 3 error)"
done <schedulers

# same WORKLOAD SETTING... - a run with these is one of round robin.
same() {
    local workload=$1 settings=() setting
    shift
    for setting; do settings+=(--set "$setting"); done
    [ "$(digest -m sharing15 -w "$workload")" = "$(digest -m sharing15 -w "$workload" --strict "${settings[@]}")" ]
}
# Groups of one are round robin, and so is a grid of one row that adapts; without, it is on one SM.
same HS@tiny gpu.cta_scheduler=q8 q8.ctas=1 || fail "q8 in groups of one is not rr"
same HS@tiny gpu.cta_scheduler=q16_adpt q16_adpt.ctas=1 || fail "q16_adpt in groups of one is not rr"
same HS@tiny gpu.cta_scheduler=bcs bcs.ctas=1 bcs.start=block || fail "bcs in blocks of one is not rr"
same BFS@tiny gpu.cta_scheduler=qx_adpt || fail "a row under qx_adpt is not rr"
same BFS@tiny gpu.cta_scheduler=qx && fail "a row under qx is rr"
same HS@tiny gpu.cta_scheduler=bcs && fail "bcs is rr"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
