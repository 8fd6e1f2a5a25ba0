#!/bin/bash
# heddle run -m: reports, JSON, CSV, time line and series agree; budgets, damaged traces and own
# kernels; progress on a terminal only.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# run ARGUMENT... - must succeed and be silent on standard error; what it prints is in `out`.
run() {
    "$HEDDLE" run "$@" >out 2>err </dev/null ||
        fail "heddle run $*: exit status $?: $(head -n 3 err)"
    [ ! -s err ] || fail "heddle run $*: standard error: $(head -n 3 err)"
    [ -s out ] || fail "heddle run $*: prints nothing"
}

# refuse STATUS PATTERN ARGUMENT... - one line on standard error, nothing on standard output.
refuse() {
    local want=$1 pattern=$2 status
    shift 2
    "$HEDDLE" run "$@" >out 2>err </dev/null
    status=$?
    [ $status -eq "$want" ] || fail "heddle run $*: exit status $status, not $want"
    [ ! -s out ] || fail "heddle run $*: standard output is not empty"
    [ "$(wc -l <err)" -eq 1 ] || fail "heddle run $*: $(wc -l <err) lines on standard error"
    grep -qE "^heddle: $pattern\$" err || fail "heddle run $*: not \"$pattern\": $(cat err)"
}

has() {
    local pattern
    for pattern in "$@"; do
        grep -qE -- "$pattern" out || fail "no \"$pattern\" in the output: $(head -n 3 out)"
    done
}

# --- the report ------------------------------------------------------------------------------

run -m icc60 -w HS@tiny
has '^HS@tiny on icc60$' '^[0-9]+ cycles, [0-9.]+ us at 1\.4 GHz$' '^IPC [0-9.]+ thread' \
    '^  wait for memory +[0-9.]+ ' '^a read that leaves the L1 takes [0-9.]+ cycles' \
    '^L1 +[0-9.]+ ' \
    '^reply +[0-9.]+ ' '% of the peak of 716\.8 \(stated: 720\)' '^calculate_temp +6x6 +16x16 ' \
    '^outputs checked: all right; [0-9.]+ s: [0-9]+ thousand cycles/s'
[ "$(awk 'length > 100' out)" = '' ] || fail "lines over 100 characters"
run -m sharing15 -w HS@tiny --no-verify
grep -q 'outputs checked' out && fail "--no-verify says that outputs were checked"
has '% of the peak of 177\.4; '
run -m sharing15 -w HS@tiny --set noc.networks=one --set router.vcs=2
has '^in all +[0-9]'
grep -qE '^request +-' out && fail "dashes for directions that one network does not have"

# --- files -----------------------------------------------------------------------------------

run -m icc60 -w LUD@tiny --json r.json --csv r.csv --timeline t.json --series s.csv --period 500
has '^LUD@tiny on icc60$' # the report is printed all the same
run -m icc60 -w LUD@tiny --json -
[ "$(head -c 1 out)" = '{' ] || fail "--json - prints something before the JSON"
grep -q '"command": "heddle run -m icc60 -w LUD@tiny --json -"' out || fail "no command in the JSON"
grep -v -e wall_s -e '"command"' out >a
grep -v -e wall_s -e '"command"' r.json | cmp -s - a || fail "--json - is another document than --json FILE"
# same FILE - out is the same document, but for the command that made it.
same() { cmp -s <(grep -v '"\?command"\?:' out) <(grep -v '"\?command"\?:' "$1"); }
run -m icc60 -w LUD@tiny --csv -
same r.csv || fail "--csv - is another document than --csv FILE"
run -m icc60 -w LUD@tiny --series - --period 500
same s.csv || fail "--series - is another document than --series FILE"
run -m icc60 -w LUD@tiny --timeline - --period 500
same t.json || fail "--timeline - is another document than --timeline FILE"
run -m icc60 -w LUD@tiny --series few.csv --columns dram.,sm.issued
sed "/^#/d" few.csv | head -n 1 | tr , '\n' | tail -n +2 | grep -vE '^(dram\.|sm\.issued)' &&
    fail "--columns lets others in"
run -m icc60 -w HS@tiny --timeline long.json --series long.csv --period 1000000000
[ "$(grep -vc "^#" long.csv)" -eq 2 ] || fail "a period longer than the run: $(cut -c-40 long.csv)"
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail "the documents do not agree"
import csv, json

r = json.load(open("r.json"))
s = r["stats"]
assert all(v is None or type(v) in (int, float) for v in s.values())
assert r["machine"] == "icc60" and r["workload"] == "LUD@tiny" and r["config"]

# CSV: the same names and values.
def read(name):
    lines = open(name).read().splitlines()
    assert lines[0].startswith("# heddle ") and lines[1].startswith("# command: heddle run -m icc60 ")
    assert lines[2] == "# model: " + r["model"] and r["command"] == lines[1][11:]
    return list(csv.reader(lines[3:]))

rows = read("r.csv")
assert rows[0] == ["name", "value"]
values = {k: v for k, v in rows[1:]}
assert set(values) == set(s) and len(rows) == len(s) + 1
for k, v in s.items():
    assert values[k] == "" if v is None else float(values[k]) == float(v), k

# Series: what all periods counted is what the run counted.
rows = read("s.csv")
head, rows = rows[0], rows[1:]
assert head[0] == "cycle" and all(len(x) == len(head) for x in rows)
cycles = [int(x[0]) for x in rows]
assert cycles == sorted(set(cycles))
assert cycles[:-1] == [500 * (i + 1) for i in range(len(rows) - 1)]
assert cycles[-1] == r["cycles"] or cycles[-1] == cycles[-2] + 1
means = {h[:-2] for h in head if h.endswith(".n")}
counted = head[:head.index("cycles")] # then those that are computed
for i, h in enumerate(counted):
    if h != "cycle" and h not in means and not h.endswith(".digest"):
        assert sum(int(x[i]) for x in rows) == s[h], h
    if h in means and s[h] is not None:
        n = head.index(h + ".n")
        total = sum(float(x[i]) * int(x[n]) for x in rows if int(x[n]))
        assert abs(total - s[h] * s[h + ".n"]) <= 1e-6 * total, h

# Time line: every CTA once, on a slot of an SM, within its kernel; slots do not overlap.
events = json.load(open("t.json"))["traceEvents"]
kernels = [e for e in events if e["ph"] == "X" and e["pid"] == 1]
ctas = [e for e in events if e["ph"] == "X" and e["pid"] == 2]
assert len(kernels) == len(r["kernels"])
assert len(ctas) == sum(k["ctas"] for k in r["kernels"]) == s["sm.ctas"]
for e, k in zip(kernels, r["kernels"]):
    assert e["name"] == k["kernel"] and e["args"]["begin_cycle"] == k["begin"]
    inside = [c for c in ctas if k["begin"] <= c["args"]["begin_cycle"]
              and c["args"]["begin_cycle"] + c["args"]["cycles"] <= k["end"]]
    assert sorted(c["args"]["cta"] for c in inside) == list(range(k["ctas"])), k
free = {}
for c in sorted(ctas, key=lambda c: c["args"]["begin_cycle"]):
    assert free.get(c["tid"], 0) <= c["args"]["begin_cycle"]
    free[c["tid"]] = c["args"]["begin_cycle"] + c["args"]["cycles"]
counters = {e["name"] for e in events if e["ph"] == "C"}
assert {"IPC", "DRAM GB/s", "memory latency (cycles)"} <= counters, counters
END
fi

run -m sharing15 -w HS@tiny --details --json -
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail "details do not add up"
import json
r = json.load(open("out"))
d = r["details"]
assert sum(d["sm[%d].issued" % i] for i in range(15)) == r["stats"]["sm.issued"] > 0
assert sum(d["l2[%d].accesses" % i] for i in range(6)) == r["stats"]["l2.accesses"] > 0
END
fi

refuse 2 'run: only one output can go to standard output' -m icc60 -w HS@tiny --json - --csv -
refuse 2 'no statistic.s name begins with "drma\.".*' -m icc60 -w HS@tiny --series x.csv \
    --columns drma.
refuse 2 '--period 0: expected a whole number from 1 to .*' -m icc60 -w HS@tiny --period 0
refuse 2 '--threads 0: expected a whole number from 1 to .*' -m icc60 -w HS@tiny --threads 0
refuse 2 '--threads 1000: at most 256' -m icc60 -w HS@tiny --threads 1000
for option in --json --csv --timeline --series; do
    refuse 2 '/nonexistent/x: cannot write: .*' -m icc60 -w HS@tiny $option /nonexistent/x
done
[ ! -e x.csv ] || fail "a refused run leaves a file"

# --- budgets: status 4, and what was counted so far, marked ----------------------------------

# partial PATTERN ARGUMENT...
partial() {
    local pattern=$1 status
    shift
    rm -f p.json
    "$HEDDLE" run "$@" --json p.json >out 2>err
    status=$?
    [ $status -eq 4 ] || fail "heddle run $*: exit status $status, not 4"
    [ "$(wc -l <err)" -eq 1 ] || fail "heddle run $*: $(wc -l <err) lines on standard error"
    grep -qE "^heddle: $pattern\$" err || fail "heddle run $*: $(cat err)"
    head -n 1 out | grep -q ': PARTIAL, its budget was used up$' || fail "heddle run $*: not marked"
    grep -q '^  "partial": true,$' p.json || fail "heddle run $*: JSON not marked"
    grep -q 'outputs checked' out && fail "heddle run $*: outputs checked"
}
partial 'stopped after 500 cycles \(--max-cycles\)' -m icc60 -w HS@tiny --max-cycles 500
grep -q '^  "cycles": 500,$' p.json || fail "not stopped at cycle 500: $(grep '"cycles"' p.json)"
partial 'stopped after 1 cycles \(--max-cycles\)' -m icc60 -w HS@tiny --max-cycles 1
partial 'stopped after 5000 cycles \(--max-cycles\)' -m icc60 -w LUD@tiny --max-cycles 5000 \
    --no-skip --series p.csv --timeline p.t.json --threads 2
last=$(tail -n 1 p.csv | cut -d, -f1)
[ "$last" = 5000 ] || fail "the series ends at $last"
[ "$(tail -n 1 p.t.json)" = '}' ] || fail "the time line of a partial run is not whole"
partial 'stopped after [0-9]+ warp instructions \(--max-insns\)' -m icc60 -w HS@tiny \
    --max-insns 1000
run -m icc60 -w HS@tiny --max-cycles 100000 --max-insns 1000000 # enough

# --- traces ----------------------------------------------------------------------------------

"$HEDDLE" record -w HS@tiny -o hs.hds >out 2>&1 || fail "record: $(cat out)"
run -m icc60 --trace hs.hds
has '^hs\.hds on icc60$' '^calculate_temp '
grep -q 'outputs checked' out && fail "a replay says that outputs were checked"
size=$(wc -c <hs.hds)
for at in 0 7 20 $((size / 3)) $((size / 2)) $((size * 3 / 4)) $((size - 9)) $((size - 1)); do
    head -c "$at" hs.hds >cut.hds
    refuse 2 '.*' -m icc60 --trace cut.hds --json x.json
    cp hs.hds bad.hds
    printf '\xa5\x5a\xa5' | dd of=bad.hds bs=1 seek="$at" conv=notrunc status=none
    "$HEDDLE" run -m icc60 --trace bad.hds >out 2>err
    status=$?
    { [ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] && [ ! -s out ]; } ||
        fail "damaged at byte $at: exit status $status: $(head -n 3 err)"
done
[ ! -e x.json ] || fail "a damaged trace leaves a result"
refuse 2 'none\.hds: .*' -m icc60 --trace none.hds

# --- kernels of one's own --------------------------------------------------------------------

cat >count.ptx <<'END'
.version 6.3
.target sm_70
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[4] = {104, 105, 10, 0};
.visible .entry count(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [p];
    cvta.to.global.u64 %rd1, %rd1;
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    add.s32 %r2, %r2, %r1;
    st.global.u32 [%rd3], %r2;
    mov.u64 %rd4, format;
    cvta.global.u64 %rd4, %rd4;
    {
        .param .b64 p0;
        .param .b64 p1;
        .param .b32 result;
        st.param.b64 [p0], %rd4;
        st.param.b64 [p1], 0;
        call.uni (result), vprintf, (p0, p1);
        ld.param.b32 %r3, [result];
    }
    ret;
}
END
cat >count.yaml <<'END'
buffers: {b: {type: u32, count: 32, value: 5}}
launches: [{kernel: count, grid: 1, block: 32, args: [b]}]
expects: [{buffer: b, iota: {start: 5, step: 1}}]
END
run -m icc60 --ptx count.ptx --launch count.yaml
has '^count\.ptx on icc60$' '^hi$' '^count +1 +32 ' '^outputs checked: all right; '
"$HEDDLE" run -m icc60 --ptx count.ptx --launch count.yaml --json - >out 2>err ||
    fail "--json -: exit status $?"
grep -q '^hi$' out && fail "with --json -, kernels print to standard output"
[ "$(grep -c '^hi$' err)" -eq 32 ] || fail "with --json -, kernels do not print to standard error"
sed -i 's/start: 5/start: 6/' count.yaml
"$HEDDLE" run -m icc60 --ptx count.ptx --launch count.yaml --json x.json >out 2>err
[ $? -eq 1 ] || fail "a wrong output of one's own kernel is not noticed"
[ ! -e x.json ] || fail "a wrong output leaves a result"

# --- progress --------------------------------------------------------------------------------

if command -v script >/dev/null; then
    script -qec "$HEDDLE run -m cdxbar80 -w MM@small" screen >/dev/null </dev/null ||
        fail "on a terminal: exit status $?"
    tr "\r" "\n" <screen >out
    has '^[0-9]+ cycles, [0-9]+ k/s, IPC [0-9.]+; kernel 1: CTA [0-9]+ of 72' 'MM@small on cdxbar80'
    run -m cdxbar80 -w MM@small
    grep -q 'k/s' out && fail "progress in a pipe"
fi

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
