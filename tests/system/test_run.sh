#!/bin/bash
# heddle run: every workload is executed and checked, wrong results and faults are noticed, the
# figures are the same however it is executed, and JSON says what the table says.
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
    "$HEDDLE" "$@" >out 2>err </dev/null || fail "heddle $*: exit status $?: $(head -n 3 err)"
    [ ! -s err ] || fail "heddle $*: standard error: $(head -n 3 err)"
    [ -s out ] || fail "heddle $*: prints nothing"
}

# refuse STATUS PATTERN ARGUMENT... - one line on standard error, nothing on standard output.
refuse() {
    local want=$1 pattern=$2 status
    shift 2
    "$HEDDLE" "$@" >out 2>err </dev/null
    status=$?
    [ $status -eq "$want" ] || fail "heddle $*: exit status $status, not $want"
    [ ! -s out ] || fail "heddle $*: standard output is not empty"
    [ "$(wc -l <err)" -eq 1 ] || fail "heddle $*: $(wc -l <err) lines on standard error"
    grep -qE "^heddle: $pattern\$" err || fail "heddle $*: not \"$pattern\": $(cat err)"
}

has() {
    local pattern
    for pattern in "$@"; do
        grep -qE -- "$pattern" out || fail "no \"$pattern\" in the output: $(head -n 3 out)"
    done
}

# figures ARGUMENT... - all that does not depend on this machine's speed.
figures() {
    "$HEDDLE" run --functional --json - "$@" 2>&1 | grep -vE '_s": |stream_bytes|"command"'
}

# --- every workload --------------------------------------------------------------------------

for name in $("$HEDDLE" list workloads --names); do
    run run -w "$name@tiny" --functional
    has "^$name@tiny: " '^kernel +times +grid' ' warp instructions, ' '^checked: all outputs right$'
    [ "$(awk 'length > 100' out)" = '' ] || fail "$name: lines over 100 characters"
    figures -w "$name@tiny" >plain
    for way in --check --portable --no-stream --no-verify "--kernels $HEDDLE_BUILD/kernels"; do
        # shellcheck disable=SC2086  # several words
        figures -w "$name@tiny" $way >other
        [ "$way" != --no-verify ] || sed -i 's/"verified": false/"verified": true/' other
        cmp -s plain other || fail "$name: other figures with $way: $(diff plain other | head -n 4)"
    done
done
run run -w mm@tiny --functional # names are found in any case
has '^MM@tiny: '
run run -w MM --functional
has '^MM@small: '
run run -w MM@tiny --functional --no-verify
has '^the outputs were not checked$'
run run -w BFS@tiny --functional --seed 7
has '^checked: all outputs right$'
[ "$(figures -w BFS@tiny --seed 1)" != "$(figures -w BFS@tiny --seed 7)" ] ||
    fail "the seed changes nothing"

# --- JSON ------------------------------------------------------------------------------------

run run -w MM@tiny --functional --json r.json
has '^checked: all outputs right$' # the table is printed all the same
cp r.json out
has '^\{$' '"schema": 1,' '"workload": "MM@tiny",' '"functional": true,' '"wall_s": [0-9]' \
    '"warp_insns": [0-9]+,' '"thread_insns": [0-9]+,' '"kernels": \[' '"kernel": "matrixmul",' \
    '"first_grid": \[4, 2, 1\]' '"block": \[32, 32, 1\]' '"shared_bytes": 8192,' '"verified": true$'
run run -w LUD@tiny --functional --json -
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail "the JSON does not add up"
import json
r = json.load(open("out"))
assert r["verified"] is True and len(r["kernels"]) == 3
for key in "warp_insns", "thread_insns", "launches", "stream_bytes":
    assert r[key] == sum(k[key] for k in r["kernels"]) > 0, key
END
fi

# --- wrong results, faults, budgets ----------------------------------------------------------

mkdir broken
sed -E 's/fma\.rn\.f32([^,]*), ([^,]*), ([^,]*), [^;]*;/mul.rn.f32\1, \2, \3;/' \
    "$HEDDLE_BUILD/kernels/matrixmul.ptx" >broken/matrixmul.ptx
cmp -s broken/matrixmul.ptx "$HEDDLE_BUILD/kernels/matrixmul.ptx" && fail "nothing to break in MM"
refuse 1 '.*\[[0-9]+\] is .*, not .*' run -w MM@tiny --functional --kernels broken
refuse 1 '.*\[[0-9]+\] is .*, not .*' run -w MM@tiny --functional --kernels broken --json r2.json
[ ! -e r2.json ] || fail "wrong results leave a JSON file"
run run -w MM@tiny --functional --kernels broken --no-verify
echo 'nonsense' >broken/matrixmul.ptx
refuse 2 'broken/matrixmul\.ptx:1: .*' run -w MM@tiny --functional --kernels broken
refuse 2 'nowhere/matrixmul\.ptx: cannot read.*' run -w MM@tiny --functional --kernels nowhere
refuse 4 '.*out of instructions.*' run -w MM@tiny --functional --max-insns 1000

# --- what the kernels print ------------------------------------------------------------------

cat >hello.ptx <<'END'
.version 6.3
.target sm_70
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.global .align 1 .b8 format[7] = {104, 105, 32, 37, 100, 10, 0};
.visible .entry hello()
{
    .local .align 8 .b8 stack[8];
    .reg .b32 %r<3>;
    .reg .b64 %rd<4>;
    mov.u64 %rd1, stack;
    cvta.local.u64 %rd2, %rd1;
    mov.u32 %r1, %tid.x;
    st.u32 [%rd2], %r1;
    mov.u64 %rd3, format;
    cvta.global.u64 %rd3, %rd3;
    {
        .param .b64 p0;
        .param .b64 p1;
        .param .b32 result;
        st.param.b64 [p0], %rd3;
        st.param.b64 [p1], %rd2;
        call.uni (result), vprintf, (p0, p1);
        ld.param.b32 %r2, [result];
    }
    ret;
}
END
echo 'launches: [{kernel: hello, grid: 1, block: 2}]' >hello.yaml
run run --ptx hello.ptx --launch hello.yaml --functional
has '^hi 0$' '^hi 1$'
"$HEDDLE" run --ptx hello.ptx --launch hello.yaml --functional --json - >out 2>err || fail "hello"
grep -q '^hi 1$' err || fail "with --json -, kernels do not print to standard error"
grep -q '^hi' out && fail "with --json -, kernels print to standard output"
has '"ptx": "hello.ptx"' '"launch": "hello.yaml"' '"verified": false'

# --- options ---------------------------------------------------------------------------------

refuse 2 'run: timing needs a machine: -m MACHINE \(heddle list machines\); .*' run -w MM@tiny
refuse 2 'no machine "mesh80".*' run -w MM@tiny -m mesh80
refuse 2 'run: --functional is without timing: .*' run -w MM@tiny -m icc60 --functional
for option in '--set l1.ways=2' '--timeline t' '--series s' '--csv c' '--max-cycles 9' '--threads 2'; do
    # shellcheck disable=SC2086  # two words
    refuse 2 'run: --functional is without timing: .*' run -w MM@tiny --functional $option
done
refuse 2 'run: --no-stream leaves nothing to time' run -w MM@tiny -m icc60 --no-stream
refuse 2 'run: -w WORKLOAD or --ptx FILE is missing \(heddle list workloads\)' run --functional
refuse 2 'run: --functional is without timing: one program, not 2 at once' run -w MM --ptx x --launch y --functional
refuse 2 'run: --ptx and --launch need each other .*' run --ptx x --functional
refuse 2 'run: --ptx and --launch need each other .*' run --launch x --functional
refuse 2 'run: --kernels is for workloads, .*' run --ptx x --launch y --kernels z --functional
refuse 2 'run: --functional is without timing: one program, not 2 at once' run --trace x -w MM --functional
refuse 2 'no workload "MX"; did you mean MM\?' run -w MX --functional
refuse 2 'no workload "" \(heddle list workloads shows them\)' run -w '' --functional
refuse 2 'no size "tinny"; did you mean tiny\?' run -w MM@tinny --functional
refuse 2 'no size "" \(tiny, small, study, paper, few, chip\)' run -w MM@ --functional
refuse 2 '--seed x: expected a whole number from 0 to 9223372036854775807' run -w MM --seed x --functional
refuse 2 '--max-insns 0: expected a whole number from 1 to .*' run -w MM --max-insns 0 --functional
refuse 2 'run: --functional is without timing: one program, not 2 at once' run -w MM@tiny -w HS@tiny --functional
refuse 2 'run: no option "--frobnicate" \(heddle run --help\)' run --frobnicate
refuse 2 'run: no option "-x" \(heddle run --help\)' run -x
refuse 2 'run: nothing follows "-w" \(heddle run --help\)' run -w
refuse 2 'run: unexpected "extra" \(heddle run --help\)' run -w MM@tiny --functional extra
refuse 2 '/nonexistent/x: cannot write: .*' run -w MM@tiny --functional --json /nonexistent/x

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
