#!/bin/bash
# Machines nobody would build: they run correctly, audited, or are refused with one line that names
# what is wrong and where.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

settings() { # settings "A=1 B=2" - as options
    local s
    options=()
    for s in $1; do options+=(--set "$s"); done
}

# works MACHINE WORKLOAD SETTINGS
works() {
    settings "$3"
    timeout 120 "$HEDDLE" run -m "$1" -w "$2@tiny" --check "${options[@]}" >out 2>err </dev/null ||
        fail "$*: exit status $?"
    ! grep -v '^heddle: no effect: ' err >other || fail "$*: $(head -n 3 other)"
    grep -q '^outputs checked: all right; ' out || fail "$*: outputs not checked"
}

# refuse PATTERN MACHINE SETTINGS
refuse() {
    local status
    settings "$3"
    "$HEDDLE" run -m "$2" -w HS@tiny "${options[@]}" --json x.json >out 2>err </dev/null
    status=$?
    [ $status -eq 2 ] || fail "$2 $3: exit status $status, not 2"
    [ ! -s out ] || fail "$2 $3: standard output is not empty"
    [ "$(wc -l <err)" -eq 1 ] || fail "$2 $3: $(wc -l <err) lines on standard error"
    grep -qE "^heddle: $1\$" err || fail "$2 $3: not \"$1\": $(head -n 2 err)"
    [ -z "$(find . -name 'x.json*')" ] || fail "$2 $3: left a result"
}

# --- sizes -----------------------------------------------------------------------------------

works icc60 BFS 'l1.size=384 l1.ways=3'
works icc60 HS 'l1.size=128 l1.ways=1 l2.size=128 l2.ways=1'
works icc60 SRAD 'l2.size=36K l2.ways=3'   # 96 sets
works sharing15 HS 'l1.size=48K l1.ways=4' # 96 sets
works icc60 HS 'gpu.clusters=1 gpu.sms_per_cluster=1 xbar.inputs=1'
works icc60 HS 'gpu.clusters=1 gpu.sms_per_cluster=1 xbar.inputs=1 mc.channels=1 xbar.outputs=1'
works icc60 HS 'gpu.clusters=20 gpu.sms_per_cluster=50 xbar.inputs=20'   # 1000 SMs at 20 ports
works icc60 HS 'gpu.clusters=1000 gpu.sms_per_cluster=1 xbar.inputs=1000' # at 1000
works icc60 DCT 'gpu.clusters=5 xbar.inputs=5'
works icc60 BP 'mc.channels=7 xbar.outputs=7'
works icc60 BP 'l2.slices_per_channel=3 xbar.outputs=24'
works icc60 HS 'map.interleave=128'
works icc60 HS 'noc.width=1'
works icc60 HS 'gpu.sm_first=59'
works icc60 HS 'sm.threads=2048 sm.warps=64 sm.ctas=64 sm.schedulers=4'
works icc60 HS 'gpu.clock=1GHz noc.clock=1.9GHz l2.clock=0.7GHz'
works cdxbar80 HS 'noc.topology=ideal'
works sharing15 LUD 'noc.networks=one router.vcs=2'
works sharing15 HS 'dram.trefi=400 dram.trfc=100' # a quarter of the time is refreshes

tight='noc.port_depth=2 router.depth=1 l1.mshrs=1 l1.merges=1 l1.queue=1 l1.pending=1 l1.requests=8
    constant.mshrs=1 constant.merges=1 texture.mshrs=1 texture.merges=1 l2.mshrs=1 l2.merges=1
    l2.memory_queue=0 l2.fill_queue=1 l2.miss_queue=1 l2.input_queue=1 l2.reply_queue=1 mc.queue=1
    l2.writebacks=2 cluster.request_queue=2 cluster.response_fifo=1 cluster.response_queue=2'
works icc60 HS "$tight"
works icc60 HS "$tight l2.write_through=false l2.writebacks=1"
works icc60 LUD "$tight mc.scheduler=banked_fifo l2.memory_queue=1 l2.miss_queue=3"
works icc60 BFS "$tight l2.enabled=false l2.writebacks=1"
works icc60 DCT "$tight l2.gated=true l2.port_bytes=1 l2.memory_queue=1 l2.miss_queue=3"
works coalesce28 BFS "$tight"
works sharing15 HS "$tight"
works sharing15 DCT "$tight noc.networks=one router.vcs=2"
works cdxbar80 HS "$tight mc.scheduler=fifo"

# --- what cannot be --------------------------------------------------------------------------

yaml="[^ ]*/machines/icc60\.yaml:[0-9]+:"
# More slices than such a crossbar can have: its sizes are left as they are, and so do not fit.
refuse '.*gpu\.clusters: 12 clusters on a network \(cdxbar\) with 80 nodes for cores' icc60 \
    'noc.topology=cdxbar mc.channels=1024 l2.slices_per_channel=16'
refuse '--set l1\.mshrs=0: 0 is outside 1\.\.4096' icc60 l1.mshrs=0
refuse '--set l2\.miss_queue=2: 2 is less than the 3 places that a miss needs before memory_queue' icc60 \
    l2.miss_queue=2
refuse '--set l2\.writebacks=1: 1 is less than the 2 slots that a write sent through needs' icc60 \
    l2.writebacks=1
refuse '--set l1\.size=500: 500 is not a multiple of 384 bytes \(ways x line\)' icc60 \
    'l1.size=500 l1.ways=3'
refuse '--set map\.interleave=32: 32 would spread a line of 128 bytes over slices' icc60 \
    map.interleave=32
refuse '--set map\.order=RRRBCS: 1 letters B do not number the 16 banks of dram\.banks' icc60 \
    map.order=RRRBCS
refuse '--set gpu\.clusters=5: 5 clusters on a network \(xbar\) with 12 nodes for cores' icc60 \
    gpu.clusters=5
refuse "$yaml gpu\.clusters: 12 clusters on a network \(ideal\) with 80 nodes for cores" icc60 \
    'noc.topology=ideal ideal.cores=80'
refuse '--set mc\.channels=7: 7 L2 slices .* on a network \(xbar\) with 8 memory nodes' icc60 \
    mc.channels=7
refuse "$yaml xbar\.outputs: one network for all nodes needs a square crossbar, not 12 x 8 .*" \
    icc60 noc.networks=one
refuse '--set gpu\.sm_count=5: SMs up to 64 of 60' icc60 'gpu.sm_first=59 gpu.sm_count=5'
refuse "$yaml sm\.schedulers: 2 schedulers for 1 warps" icc60 sm.threads=32
refuse '.*the clocks have no common tick of a useful length.*' icc60 gpu.clock=1.234567GHz
refuse '--set gpu\.cta_scheduler=rrr: no CTA scheduler "rrr"; did you mean .*\?' icc60 \
    gpu.cta_scheduler=rrr
refuse '--set sm\.scheduler=gtoo: no warp scheduler "gtoo"; did you mean gto\?' icc60 \
    sm.scheduler=gtoo
refuse '--set mc\.scheduler=frfcf: .*frfcf.*; did you mean .?frfcfs.?\?' icc60 mc.scheduler=frfcf
refuse '--set noc\.topology=xbra: no topology "xbra"; did you mean xbar\?' icc60 noc.topology=xbra
refuse '--set l1\.mhsrs=4: unknown parameter; did you mean l1\.mshrs\?' icc60 l1.mhsrs=4
# Ports of a concentrated crossbar have several readers, clusters do not share what they read.
refuse '.*noc\.topology.*' icc60 'noc.topology=cxbar gpu.clusters=80 gpu.sms_per_cluster=1
    l2.slices_per_channel=2'

# A kernel that fits no SM, and files.
"$HEDDLE" run -m icc60 -w MM@tiny --set sm.threads=512 >out 2>err
[ $? -eq 2 ] || fail "a CTA larger than an SM is not refused"
grep -qE '^heddle: kernel matrixmul: a CTA needs 1024 \(threads\), an SM .* has 512$' err ||
    fail "a CTA larger than an SM: $(cat err)"

printf 'base: %s\nl1: {mshrs: 0}\n' "$HEDDLE_SOURCE/machines/icc60.yaml" >m.yaml
refuse 'm\.yaml:2: l1\.mshrs: 0 is outside 1\.\.4096' m.yaml ''
printf 'base: %s\n\nsm: {scheduler: gt0}\n' "$HEDDLE_SOURCE/machines/icc60.yaml" >m.yaml
refuse 'm\.yaml:3: sm\.scheduler: no warp scheduler "gt0"; did you mean gto\?' m.yaml ''
refuse 'no machine "icc6O"; did you mean icc60\?' icc6O ''

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
