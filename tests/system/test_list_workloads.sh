#!/bin/bash
# heddle list workloads: all that is there, measured, in a table that fits and as JSON.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

"$HEDDLE" list workloads --names >names || fail "--names: exit status $?"
for name in HS BT BP BFS SRAD LUD 2DCONV MM NN FDTD DCT; do
    grep -qx "$name" names || fail "no workload $name"
done
[ "$(sort names | uniq -d)" = '' ] || fail "names appear twice"

# What there is: at once, a line each, under the suite.
"$HEDDLE" list workloads >out 2>err || fail "exit status $?"
[ ! -s err ] || fail "standard error: $(head -n 3 err)"
while read -r name; do
    [ "$(grep -cE "^  $name +[A-Za-z0-9]" out)" -eq 1 ] || fail "$name: not one line"
done <names
[ "$(grep -cE '^(ISPASS-2009|Rodinia|Parboil|PolyBench|CUDA SDK|MapReduce)$' out)" -ge 4 ] ||
    fail "suites are missing"
grep -qE '^  DCT +dct8x8 +icc +texture constant$' out || fail "DCT: not what it uses"
grep -qE '^  BFS +bfs +icc coalesce cdxbar intra$' out || fail "BFS: not its papers"
[ "$(awk 'length > 100' out)" = '' ] || fail "lines over 100 characters"
grep -n ' $' out && fail "lines end in blanks"

# Filters, for every form of output.
"$HEDDLE" list workloads --suite rodinia --paper sharing --names >some || fail "filters: $?"
[ "$(head -n 2 some | tr '\n' ' ')" = 'BP LUD ' ] || fail "Rodinia in sharing: $(tr '\n' ' ' <some)"
"$HEDDLE" list workloads --with texture,constant --names >some || fail "--with: $?"
grep -qx DCT some || fail "DCT has textures and constants"
grep -qx HS some && fail "HS has neither"
"$HEDDLE" list workloads --with fp64 >some || fail "--with fp64: $?"
grep -qE '^  HS ' some || fail "HS has double precision"
grep -qE '^  LUD ' some && fail "LUD has none"

# Executed: a row of figures for each, or the kernels of some.
"$HEDDLE" list workloads --size tiny >out 2>err || fail "--size: exit status $?"
while read -r name; do
    grep -qE "^$name +[0-9]+ +[0-9]+ +[0-9.]+[kM]? +([0-9.]+ : [0-9]|-|none)" out || fail "$name: no figures"
done <names
grep unusable out && fail "there are unusable workloads"
"$HEDDLE" list workloads --details MM,hs >out 2>err || fail "--details: exit status $?"
[ ! -s err ] || fail "standard error: $(head -n 3 err)"
grep -qE '^MM +matrixmul +1 +4x2 +32x32 +[0-9]+ +8192 +67\.3k +4\.00 : 1$' out || fail "MM: other figures"
grep -qE '^MM +matrixmul +156 +[0-9]+ +67\.3k +[0-9.]+k +[-+][0-9.]+ %$' out ||
    fail "MM: no instructions before and after"
grep -qE '^HS +Rodinia +hotspot: ' out || fail "HS: what does it stand for?"
grep -q 'tiny: 64x64' out || fail "the size is not said"
grep -q 'papers: icc; uses: fp64' out || fail "HS: neither papers nor uses"
grep -qE '^BFS' out && fail "BFS was not asked for"
[ "$(awk 'length > 100' out)" = '' ] || fail "lines over 100 characters"
"$HEDDLE" list workloads --details stream >out || fail "--details stream: exit status $?"
grep -qxE ' +:kernel=triad  init\|read\|scale\|triad\|stencil3\|stencil5' out || fail "STREAM: no kernels"
grep -qxE ' +:block=128  1 to 1024 thread' out || fail "STREAM: no range of blocks"
"$HEDDLE" list workloads --details MM,hs >out || fail "--details again: exit status $?"
# A line of the footnote ends where the next word would not fit.
awk '/^\(regs/ { note = 1 } note && last && length(last " " $1) <= 80 { exit 1 } note { last = $0 }' \
    out || fail "the footnote breaks its lines anywhere"

# At most 0.2 million warp instructions at the size for tests, and registers as hardware has them.
"$HEDDLE" list workloads --json - >out 2>err || fail "--json -: exit status $?"
[ ! -s err ] || fail "--json -: standard error: $(head -n 3 err)"
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail "the JSON is not what it should be"
import json
r = json.load(open("out"))
assert r["schema"] == 1 and r["size"] == "tiny"
assert [w["name"] for w in r["workloads"]] == open("names").read().split()
for w in r["workloads"]:
    assert 0 < w["warp_insns"] <= 200_000, w["name"]
    assert w["warp_insns"] == sum(k["warp_insns"] for k in w["kernels"])
    assert w["memory_bytes"] > 0 and w["suite"] and w["stands_for"] and w["input"]
    for arg in w["args"]:
        assert arg["name"] and arg["default"] and arg["doc"], arg
        assert "choices" in arg or arg["least"] < arg["most"], arg
    assert set(w["papers"]) <= {"icc", "sharing", "coalesce", "cdxbar", "intra"}
    assert set(w["uses"]) <= {"texture", "constant", "local", "atomics", "fp64"}
    for k in w["kernels"]:
        assert 0 < k["regs_per_thread"] <= 255 and k["launches"] > 0, k
END
fi
"$HEDDLE" list workloads --json w.json >out || fail "--json FILE: exit status $?"
[ -s w.json ] || fail "--json FILE: no file"
[ -s out ] || fail "--json FILE: no table"

"$HEDDLE" list workloads --details all --suite PolyBench --csv w.csv >/dev/null || fail "--csv: $?"
grep -v '^#' w.csv >rows
head -n 1 rows | grep -q '^workload,suite,papers,uses,size,input,kernel,launches,grid,block,' ||
    fail "--csv: other columns"
grep -q '^2DCONV,PolyBench,icc cdxbar,,tiny,"256x128 image",convolution2D,1,8x16,32x8,' rows ||
    fail "--csv: $(sed -n 2p rows)"
[ "$(awk -F, 'NR > 1 && $2 != "PolyBench"' rows)" = '' ] || fail "--csv: other suites"

refuse() {
    local pattern=$1
    shift
    "$HEDDLE" list "$@" >out 2>err
    [ $? -eq 2 ] || fail "list $*: not refused"
    grep -qE "^heddle: $pattern\$" err || fail "list $*: $(cat err)"
}
refuse 'no size "smal"; did you mean small\?' workloads --size smal
refuse 'list: nothing follows "--size" .*' workloads --size
refuse 'list: --size is for workloads' params --size tiny
refuse 'list: --csv is for workloads' machines --csv x
refuse 'list: --json and --csv both want -' workloads --csv - --json -
refuse 'list: no workload is of suite "Rodina"' workloads --suite Rodina
refuse 'list: no workload is of paper "ic"' workloads --paper ic
refuse 'list: --with: no use "textures"; did you mean texture\?' workloads --with fp64,textures
refuse 'no workload "HSS"; did you mean HS\?' workloads --details MM,HSS
refuse 'list: --details HS@tiny: --size gives the size' workloads --details HS@tiny
refuse 'list: --names and --json: there can be only one' workloads --names --json -
refuse '/nonexistent/x: cannot write: .*' workloads --json /nonexistent/x
refuse 'list: nothing called "worklaods"; did you mean workloads\?' worklaods

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
