#!/bin/bash
# Timed runs are reproducible: executed or replayed, with or without skipping, with any number of
# threads, audited or not, the digest over all statistics is the same.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

digest() { # digest ARGUMENT...
    "$HEDDLE" run "$@" --json - 2>err | sed -nE 's/^  "digest": "([0-9a-f]{16})",$/\1/p'
    [ ! -s err ] || cat err >&2
}

# same WORKLOAD ARGUMENT... - on the machine that the arguments describe.
same() {
    local w=$1 plain way
    shift
    [ -e "$w.hds" ] || "$HEDDLE" record -w "$w@tiny" -o "$w.hds" >out 2>&1 ||
        fail "record: $(cat out)"
    plain=$(digest "$@" -w "$w@tiny" --threads 1)
    [ ${#plain} -eq 16 ] || fail "$w $*: no digest"
    for way in "-w $w@tiny --no-skip --threads 1" "--trace $w.hds" "--trace $w.hds --threads 2" \
        "-w $w@tiny --threads 3 --check" "--trace $w.hds --details --series x.csv --period 77" \
        "-w $w@tiny --portable --no-verify"; do
        # shellcheck disable=SC2086  # several words
        [ "$(digest "$@" $way)" = "$plain" ] || fail "$w $*: another digest with $way"
    done
}

same HS -m icc60
same BFS -m icc60 --set gpu.clock=1GHz --set noc.clock=1.9GHz --set l2.clock=0.7GHz
same LUD -m cdxbar80
same HS -m sharing15
same 2DCONV -m sharing15 --set noc.networks=one --set router.vcs=2
same HS -m intra56
same HS -m coalesce28 --set router.extension=combine --set combine.by=row --set combine.networks=request
same BFS -m intra56_ring --set intra.adaptive=both --set intra.arbiter=fair
same LUD -m cdxbar80 --set noc.topology=mwsr --set mwsr.inputs=80 --set mwsr.outputs=16
same LUD -m volta
same SPMV -m sharing15 --set l1.replacement=sharing_l1 --set l2.replacement=sharing_l2 --set sharing_l2.age=500
same 2DCONV -m sharing15 --set gpu.cta_scheduler=qx_adpt --set l1.write_miss=allocate \
    --set l1.replacement=sharing_l1 --set l2.replacement=sharing_l2 --set sharing_l2.at_launch=clear
same HS -m kepler15 --set gpu.cta_scheduler=bcs --set sharing.enabled=true
same HS -m cdxbar80_clos --set sm.scheduler=two_level --set mc.scheduler=banked_fifo

one=$(digest -m icc60 -w BFS@tiny --seed 1)
[ "$one" = "$(digest -m icc60 -w BFS@tiny)" ] || fail "seed 1 is not the default"
[ "$one" != "$(digest -m icc60 -w BFS@tiny --seed 2)" ] || fail "another input, the same digest"
[ "$one" != "$(digest -m icc60 -w BFS@tiny --set l1.mshrs=2)" ] || fail "a parameter does nothing"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
