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

"$HEDDLE" list workloads >out 2>err || fail "exit status $?"
[ ! -s err ] || fail "standard error: $(head -n 3 err)"
while read -r name; do
    grep -qE "^$name +[A-Za-z].*: " out || fail "$name: what does it stand for?"
    grep -qE "^$name +[A-Za-z_0-9]+ +[0-9]+ +[0-9x.]+ +[0-9x]+ +[0-9]+ +[0-9]+ +[0-9.]+[kM]? " out ||
        fail "$name: no row of kernels"
done <names
grep -qE '^MM +matrixmul +1 +4x2 +32x32 +[0-9]+ +8192 +67\.3k +4\.00 : 1$' out || fail "MM: other figures"
grep -q 'tiny: 64x64' out || fail "the size is not said"
grep unusable out && fail "there are unusable workloads"
[ "$(awk 'length > 100' out)" = '' ] || fail "lines over 100 characters"
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
    for k in w["kernels"]:
        assert 0 < k["regs_per_thread"] <= 255 and k["launches"] > 0, k
END
fi
"$HEDDLE" list workloads --json w.json >out || fail "--json FILE: exit status $?"
[ -s w.json ] || fail "--json FILE: no file"
[ -s out ] || fail "--json FILE: no table"

refuse() {
    local pattern=$1
    shift
    "$HEDDLE" list "$@" >out 2>err
    [ $? -eq 2 ] || fail "list $*: not refused"
    grep -qE "^heddle: $pattern\$" err || fail "list $*: $(cat err)"
}
refuse 'no size "smal"; did you mean small\?' workloads --size smal
refuse 'list: nothing follows "--size" .*' workloads --size
refuse 'list: --size and --json are for workloads' params --size tiny
refuse 'list: --names and --json: there can be only one' workloads --names --json -
refuse '/nonexistent/x: cannot write: .*' workloads --json /nonexistent/x
refuse 'list: nothing called "worklaods"; did you mean workloads\?' worklaods

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
