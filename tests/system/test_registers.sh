#!/bin/bash
# Registers per thread: the table of the assembler's counts is whole and fresh; which count a run
# takes can be chosen, is said, and is the same for executed and for replayed kernels.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# --- the table ---------------------------------------------------------------------------------

table=$HEDDLE_SOURCE/workloads/registers.def
hint='`make registers` renews the table where ptxas is on the path'
clang=$(sed -n 's/^HEDDLE_CLANG:[A-Z]*=//p' "$HEDDLE_BUILD/CMakeCache.txt")
clang=$("$clang" --version | sed -n '1s/.*version \([0-9.]*\).*/\1/p')
for ptx in "$HEDDLE_BUILD"/kernels/*.ptx; do
    module=$(basename "$ptx" .ptx)
    [ -f "$HEDDLE_SOURCE/kernels/$module.cu" ] || continue # of a kernel that is gone
    sum=$(cksum <"$ptx" | cut -d ' ' -f 1)
    for kernel in $(sed -n 's/.*\.entry \([A-Za-z0-9_$]*\).*/\1/p' "$ptx"); do
        row=$(grep -F "ASSEMBLED(\"$module\", \"$kernel\", " "$table") ||
            { fail "$table: no row for $kernel of kernels/$module.cu; $hint"; continue; }
        case $row in
        *"\"$clang\", $sum)") ;;
        *"\"$clang\", "*) fail "$table: kernels/$module.cu has changed since; $hint" ;;
        *) echo "note: $module: this clang ($clang) is not the table's; its PTX is not compared" ;;
        esac
    done
done
while read -r module kernel; do
    grep -q "\.entry $kernel\>" "$HEDDLE_BUILD/kernels/$module.ptx" ||
        fail "$table: there is no kernel $kernel in kernels/$module.cu; $hint"
done < <(sed -n 's/^ASSEMBLED("\([^"]*\)", "\([^"]*\)".*/\1 \2/p' "$table")

# --- which one is taken, and that it is said ---------------------------------------------------

says() { # says PATTERN COMMAND...
    local pattern=$1
    shift
    "$HEDDLE" "$@" >out 2>err || fail "$*: exit status $?"
    grep -qE "$pattern" out || fail "$*: no $pattern in: $(grep -i regist out)"
}
ptxas=$(sed -n 's/.*"calculate_temp", \([0-9]*\),.*/\1/p' "$table")
says "^registers per thread: calculate_temp $ptxas \(ptxas\)\$" run -m icc60 -w HS@tiny
says '^registers per thread: calculate_temp [0-9]+ \(liveness\)$' \
    run -m icc60 -w HS@tiny --set sm.register_count=liveness --json live.json
says '^registers per thread: calculate_temp 61 \(set\)$' \
    run -m icc60 -w HS@tiny --set sm.registers_of=calculate_temp=61 --json set.json
grep -q '"regs_per_thread": 61' set.json || fail "JSON: no count"
grep -q '"regs_from": "set"' set.json || fail "JSON: no source"
[ ! -s err ] || fail "standard error: $(cat err)"
says '^registers per thread: calculate_temp [0-9]+ \(ptxas\)$' \
    run -m icc60 -w HS@tiny --set sm.registers_of=calculate_tmp=61
grep -qx 'heddle: sm.registers_of: no kernel "calculate_tmp" was launched' err ||
    fail "a name that nobody has: $(cat err)"
says "^registers per thread: calculate_temp $ptxas \(ptxas\)\$" run --functional -w HS@tiny
says "^registers per thread: calculate_temp $ptxas \(ptxas\)\$" \
    run --functional -w HS@tiny --kernels "$HEDDLE_BUILD/kernels" # the same text
mkdir -p other && sed 's/$/ /' "$HEDDLE_BUILD/kernels/hotspot.ptx" >other/hotspot.ptx
says '^registers per thread: calculate_temp [0-9]+ \(liveness\)$' \
    run --functional -w HS@tiny --kernels other

# --- replayed ----------------------------------------------------------------------------------

"$HEDDLE" record -w HS@tiny -o hs.hds >out 2>err || fail "record: $(cat err)"
digest() {
    "$HEDDLE" run -m icc60 --json d.json "$@" >/dev/null || fail "$*: exit status $?"
    sed -n 's/.*"digest": "\(.*\)".*/\1/p' d.json
}
for how in sm.register_count=assembler sm.register_count=liveness sm.registers_of=calculate_temp=60; do
    executed=$(digest -w HS@tiny --set $how)
    [ -n "$executed" ] && [ "$executed" = "$(digest --trace hs.hds --set $how)" ] ||
        fail "$how: executed and replayed differ"
done

# --- somebody's own kernel ---------------------------------------------------------------------

saxpy=$HEDDLE_SOURCE/examples/saxpy
cp "$saxpy"/saxpy.* "$saxpy"/expected.txt .
says '^registers per thread: saxpy [0-9]+ \(liveness\)$' run --functional --ptx saxpy.ptx --launch saxpy.yaml
echo 'registers: {saxpy: 23}' >>saxpy.yaml
says '^registers per thread: saxpy 23 \(given\)$' run --functional --ptx saxpy.ptx --launch saxpy.yaml
says '^registers per thread: .*saxpy.* 23 \(given\)$' run -m icc60 --ptx saxpy.ptx --launch saxpy.yaml
says '^registers per thread: .*saxpy.* 24 \(set\)$' \
    run -m icc60 --ptx saxpy.ptx --launch saxpy.yaml --set sm.registers_of=saxpy=24

# --- nonsense ----------------------------------------------------------------------------------

refuse() {
    local pattern=$1
    shift
    "$HEDDLE" run "$@" >out 2>err
    [ $? -eq 2 ] || fail "$*: not refused"
    { [ "$(wc -l <err)" -eq 1 ] && grep -qE "^heddle: .*$pattern" err; } || fail "$*: $(cat err)"
}
refuse 'sm.registers_of=a: expected KERNEL=N' -m icc60 -w HS@tiny --set sm.registers_of=a
refuse 'sm.register_count.*assembler' -m icc60 -w HS@tiny --set sm.register_count=both
for bad in '{saxpy: 0}' '{saxpy: 256}' '{saxpy: many}' '{sapxy: 20}' '[saxpy]' '{saxpy: [1]}'; do
    sed "s/^registers: .*/registers: $bad/" saxpy.yaml >bad.yaml
    refuse 'bad.yaml:[0-9]+: ' --functional --ptx saxpy.ptx --launch bad.yaml
done

[ $failed -eq 0 ]
