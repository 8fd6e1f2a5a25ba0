#!/bin/bash
# heddle record and heddle run --trace: what is read back is what was executed, recordings are the
# same bytes every time, and a damaged file is refused with one line.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

run() {
    "$HEDDLE" "$@" >out 2>err </dev/null || fail "heddle $*: exit status $?: $(head -n 3 err)"
    [ ! -s err ] || fail "heddle $*: standard error: $(head -n 3 err)"
    [ -s out ] || fail "heddle $*: prints nothing"
}

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

digest() {
    sed -nE 's/^digest ([0-9a-f]{16})$/\1/p' out
}

# --- there and back --------------------------------------------------------------------------

for name in $("$HEDDLE" list workloads --names); do
    run record -w "$name@tiny" -o "$name.trace"
    has '^kernel +launches' "^$name@tiny: .* warp instructions, .* bytes each\)$"
    [ "$(awk 'length > 100' out)" = '' ] || fail "record $name: lines over 100 characters"
    recorded=$(digest)
    [ -n "$recorded" ] || fail "$name: no digest"
    run run --trace "$name.trace" --functional
    has '^kernel +launches +warp' "^$name@tiny: "
    [ "$(awk 'length > 100' out)" = '' ] || fail "trace of $name: lines over 100 characters"
    [ "$(digest)" = "$recorded" ] || fail "$name: digest $(digest) is read, $recorded was recorded"
    "$HEDDLE" run --trace "$name.trace" --functional --json - | grep '"warp_insns"' >replayed
    "$HEDDLE" run -w "$name@tiny" --functional --json - | grep '"warp_insns"' >executed
    cmp -s replayed executed || fail "$name: other instructions are read than were executed"
done

# A recording is a function of the launch alone.
run record -w BFS@tiny -o again.trace --portable --check
cmp -s BFS.trace again.trace || fail "two recordings differ"
first=$(digest)
run record -w BFS@tiny -o again.trace --seed 2
[ "$(digest)" != "$first" ] || fail "another graph has the same digest"
run run --trace again.trace --functional --json r.json
cp r.json out
has '"schema": 1,' '"workload": "BFS@tiny",' '"digest": "[0-9a-f]{16}"' '"global_sectors": [1-9]' \
    '"by_unit": \{.*"int": [1-9]'

# A CTA of MM reads 32 adjacent words: four sectors, every time.
run run --trace MM.trace --functional
has '^matrixmul .* 4\.00$'

# One's own kernel.
cp "$HEDDLE_SOURCE"/examples/saxpy/* .
run record --ptx saxpy.ptx --launch saxpy.yaml -o saxpy.trace
has '^saxpy +1 +2 +128 '
run run --trace saxpy.trace --functional
has '^saxpy\.ptx: 1 launch, '

# --- what goes wrong -------------------------------------------------------------------------

bytes=$(stat -c %s MM.trace)
for n in 0 1 7 8 40 100 $((bytes / 2)) $((bytes - 9)) $((bytes - 1)); do
    head -c "$n" MM.trace >cut.trace
    refuse 2 'cut\.trace: .*' run --trace cut.trace --functional
done
for at in 0 4 9 17 33 65 129 257 1025 $((bytes / 2)) $((bytes - 40)) $((bytes - 9)) $((bytes - 1)); do
    cp MM.trace bad.trace
    old=$(od -An -tu1 -j "$at" -N 1 bad.trace)
    # shellcheck disable=SC2059  # an escape is meant
    printf "\\$(printf %o $((old ^ 0x55)))" |
        dd of=bad.trace bs=1 seek="$at" conv=notrunc status=none
    refuse 2 'bad\.trace: .*' run --trace bad.trace --functional
done
refuse 2 'nowhere\.trace: .*No such file or directory' run --trace nowhere.trace --functional
refuse 2 'saxpy\.ptx: not a recorded warp stream' run --trace saxpy.ptx --functional
refuse 2 'run: timing needs a machine.*' run --trace MM.trace

refuse 2 'record: -o FILE is missing .*' record -w MM@tiny
refuse 2 'record: -o needs the name of a file' record -w MM@tiny -o -
refuse 2 'record: -w WORKLOAD or --ptx FILE is missing .*' record -o x
refuse 2 'record: no option "--json" .*' record --json x
refuse 2 '/nonexistent/x: cannot write: .*' record -w MM@tiny -o /nonexistent/x
mkfifo pipe
refuse 2 'pipe: cannot write: not a regular file' record -w MM@tiny -o pipe
refuse 4 '.*out of instructions.*' record -w MM@tiny --max-insns 1000 -o left.trace
[ ! -e left.trace ] || fail "a file of half a run is left behind"
left=$(find . -name '*.part*' -o -name '*.tmp*')
[ -z "$left" ] || fail "left behind: $left"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
