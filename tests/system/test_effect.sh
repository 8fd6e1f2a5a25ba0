#!/bin/bash
# Settings that change nothing are told in one line on standard error, or refused with --strict.
set -eu
export HEDDLE_DATA=$HEDDLE_SOURCE

told() { # told TEXT ARGUMENT...: the one line says so, and with --strict nothing is done
    local text=$1 status=0
    shift
    "$HEDDLE" "$@" >out 2>error || { cat error; exit 1; }
    [ "$(cat error)" = "heddle: no effect: $text" ] || { echo "$*:"; cat error; exit 1; }
    [ -s out ]
    "$HEDDLE" "$@" --strict >out 2>error || status=$?
    [ "$status" = 2 ] && [ "$(cat error)" = "heddle: --strict: no effect: $text" ] && [ ! -s out ] ||
        { echo "$* --strict: $status"; cat out error; exit 1; }
}
silent() {
    "$HEDDLE" "$@" --strict >out 2>error || { echo "$*"; cat error; exit 1; }
    [ ! -s error ] || { echo "$*"; cat error; exit 1; }
}

unread='nothing here reads section'
told "mesh.width ($unread mesh), icc.entries (icc.enabled is false)" \
    run -m icc60 -w HS@tiny --set mesh.width=4 --set icc.entries=8
told 'gpu.clusters (it had this value)' run -m icc60 -w HS@tiny --set gpu.clusters=12
told 'locality.stores (locality.windows is empty)' \
    run -m icc60 -w HS@tiny --set locality.stores=true
silent run -m icc60 -w HS@tiny --set icc.enabled=true --set icc.entries=8 --set pipe.int_latency=5 \
    --set power.node=45
silent run -m icc60 -w HS@tiny --set gpu.clock=1GHz --set gpu.clock=1.5GHz
# A CTA scheduler reads its parameters when a kernel begins, after this is told.
silent run -m icc60 -w HS@tiny --set gpu.cta_scheduler=distributed_block --set distributed_block.ctas=3
told "distributed_block.ctas ($unread distributed_block)" \
    run -m icc60 -w HS@tiny --set distributed_block.ctas=3

told "torus.width ($unread torus)" noc -m mesh80 --rate 0.05 --set torus.width=4 --set measure.cycles=500
told "traffic.rate ($unread traffic)" noc -m mesh80 --print --set traffic.rate=0.2
told 'reqrep.slots (traffic.pattern is uniform)' noc -m mesh8_uniform_p1_v4b8 --rate 0.05 \
    --set reqrep.slots=4 --set measure.cycles=500
silent noc -m mesh8_uniform_p1_v4b8 --rate 0.05 --seed 1 --traffic uniform --set measure.cycles=500 \
    --set power.node=45

# What is not asked for need not be possible: traffic.rate is too much for such bursts.
silent noc -m clos80 --rate 0.01 --set traffic.process=bursty --set traffic.burst_on=10 \
    --set traffic.burst_off=200 --set measure.cycles=500

told "mesh.width ($unread mesh)" cost --router 4x4 --set mesh.width=4 --set router.vcs=2
told "two_level.active_warps ($unread two_level)" cost -m icc60 --set two_level.active_warps=4
silent cost -m icc60 --set power.node=45
silent cost -m icc60 # nothing is set

cat >own.yaml <<'END'
machine: icc60
workloads: [HS]
size: tiny
variants:
  plain: {set: {icc.entries: 8}}
  again: {base: plain, set: {gpu.clusters: 12}}
  icc: {base: plain, set: {icc.enabled: true}}
figures:
  f: {expr: ipc, variants: [plain, again, icc]}
END
told 'plain: icc.entries (icc.enabled is false), again: the same as its base plain' \
    study own.yaml --list
cat >rows.yaml <<'END'
machine: icc60
size: tiny
variants: {plain: {}, icc: {set: {icc.enabled: true}}}
workloads:
  - {name: HS, set: {icc.entries: 8, mesh.width: 4}}
  - {name: BFS, cross: {icc.enabled: [false, true], icc.entries: [8, 16], torus.width: [2, 4]}}
  - BP
figures:
  f: {expr: ipc}
END
told "HS: mesh.width ($unread mesh), BFS: torus.width ($unread torus)" study rows.yaml --list
# Of explorations nothing is told: what has no effect shows as an effect of nothing.
for study in "$HEDDLE_SOURCE"/studies/*.yaml; do
    grep -q '^space:' "$study" && continue
    silent study "$(basename "$study" .yaml)" --list
done

# Of several networks or machines, what changes something in one of them has an effect.
silent noc -m mesh8_gpu56 -m cdxbar80 --rate 0.02 --set mesh.routing=yx --set cdxbar.ports=2
silent run -m cdxbar80 -m icc60 -w HS@tiny --set cdxbar.ports=2
# A mistake in the last network is found before the first is measured.
! "$HEDDLE" noc -m mesh8_gpu56 -m nothing --rate 0.02 >out 2>error
[ ! -s out ] && grep -q '^heddle: no network "nothing"' error

# Another topology than the file's leaves what the file says of its own alone.
"$HEDDLE" run -m cdxbar80 -w HS@tiny --set noc.topology=ideal >out 2>error
[ ! -s error ]
for topology in xbar mesh smesh torus clos fly mwsr; do # sizes that nobody gave are the machine's
    silent run -m cdxbar80 -w HS@tiny --set noc.topology=$topology
done
silent cost -m cdxbar80 --set noc.topology=mesh
silent run -m cdxbar80 -w HS@tiny --set noc.topology=mesh --set mesh.routing=yx
! "$HEDDLE" run -m cdxbar80 -w HS@tiny --set noc.topology=mesh --set mesh.width=9 >out 2>error
grep -q '^heddle: mesh.mem: ' error # who gives one size gives all
"$HEDDLE" run -m cdxbar80 -w HS@tiny --set noc.topology=ideal --set cdxbar.ports=2 >out 2>error
grep -q "^heddle: no effect: cdxbar.ports ($unread cdxbar)$" error
! "$HEDDLE" run -m cdxbar80 -w HS@tiny --set noc.topology=ideal --set cdxbar.ports=many >out 2>error
grep -q 'cdxbar.ports=many: expected an integer' error # it is looked at all the same
