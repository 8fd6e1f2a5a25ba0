#!/bin/bash
# heddle list machines: every machine file loads, fits together and comes to the figures it names.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

"$HEDDLE" list machines --names >names || fail "--names: exit status $?"
for name in icc60 sharing15 kepler15 coalesce28 intra56 pascal volta cdxbar56 cdxbar56_mesh \
    cdxbar56_{smesh,cfnoc,hrcnet} cdxbar80 cdxbar80_{fc,fcreal,fc16,fc24,clos,fly} \
    coalesce28_{b8,x2,x2b8} intra56_{b8,x2,x2b8}; do
    grep -qx "$name" names || fail "no machine $name"
done
grep -qE 'gpgpusim|gddr' names && fail "what machines start from is listed as a machine"
sort -c names || fail "names are not sorted"

"$HEDDLE" list machines >out 2>err || fail "exit status $?"
[ ! -s err ] || fail "standard error: $(head -n 3 err)"
grep unusable out && fail "there are unusable machines"
[ "$(awk 'length > 100' out)" = '' ] || fail "lines over 100 characters"

# of NAME FACTS: the line below NAME is this one.
of() {
    local line
    line=$(grep -A 1 "^$1 " out | tail -n 1 | sed 's/^ *//')
    [ "$line" = "$2" ] || fail "$1: $line"
}
# 8 ports x 64 B x 1.4 GHz, of which 128 of 192 bytes are data.
of icc60 '60 SMs at 12 ports, L1 48K, L2 4M, 8 channels, DRAM 716.8 (stated: 720), NoC 477.9 GB/s'
of cdxbar80 '80 SMs, L1 16K, L2 2M, 8 channels, DRAM 716.8 (stated: 700), NoC 573.4 GB/s'
of cdxbar80_fc16 \
    '80 SMs at 16 ports, L1 16K, L2 2M, 8 channels, DRAM 716.8 (stated: 700), NoC 573.4 GB/s'
of cdxbar80_fc24 \
    '80 SMs at 24 ports, L1 16K, L2 2M, 8 channels, DRAM 716.8 (stated: 700), NoC 573.4 GB/s'
of cdxbar56_hrcnet '56 SMs, L1 16K, L2 1M, 8 channels, DRAM 716.8 (stated: 700), NoC 716.8 GB/s'
of cdxbar56_smesh '56 SMs, L1 16K, L2 1M, 8 channels, DRAM 716.8 (stated: 700), NoC 159.3 GB/s'
of sharing15 '15 SMs, L1 16K, L2 768K, 6 channels, DRAM 177.4, NoC 215.0 GB/s'
of kepler15 '15 SMs, L1 16K, L2 2046K, 6 channels, DRAM 177.4, NoC 215.0 GB/s'
of coalesce28 '28 SMs, L1 none, L2 none, 8 channels, DRAM 51.2, NoC 133.1 GB/s'
of coalesce28_x2b8 '28 SMs, L1 none, L2 none, 8 channels, DRAM 102.4, NoC 133.1 GB/s'
of intra56 '56 SMs, L1 none, L2 none, 8 channels, DRAM 51.2, NoC 74.0 GB/s'
of pascal \
    '56 SMs at 28 ports, L1 24K, L2 4M, 32 channels, DRAM 732.2 (stated: 732), NoC 1326.1 GB/s'
of volta \
    '80 SMs, L1 128K, L2 6M, 64 channels, DRAM 898.0 (stated: 900), NoC 2826.2 GB/s'

# A file that does not fit together is shown with the reason, and hides no other.
mkdir data
cp -r "$HEDDLE_SOURCE/machines" "$HEDDLE_SOURCE/networks" data
export HEDDLE_DATA=$PWD/data
bad() {
    local pattern=$1
    shift
    printf '%s\n' 'base: icc60.yaml' "$@" >data/machines/bad.yaml
    "$HEDDLE" list machines >out || fail "bad: exit status $?"
    grep -qE "^bad +\(unusable: .*/machines/bad.yaml:2: $pattern" out || fail "bad: $(grep ^bad out)"
    grep -q '^icc60 .*Table 2' out || fail "bad: icc60 is gone"
}
bad 'gpu\.clusters: 11 clusters' 'gpu: {clusters: 11}'
bad 'mc\.channels: 7 L2 slices' 'mc: {channels: 7}'
bad 'map\.order: 3 letters B' 'map: {order: RRRRRRRRBBBCCCCCCSSSSSSS}'
bad 'gpu\.cluster: .*gpu\.clusters' 'gpu: {cluster: 12}'
rm -r data/machines
"$HEDDLE" list machines --names >out || fail "no machines: exit status $?"
[ ! -s out ] || fail "no machines, and yet: $(head -n 1 out)"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
