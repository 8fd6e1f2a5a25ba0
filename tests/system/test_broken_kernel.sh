#!/bin/bash
# A kernel that computes something else, or that does what no device allows, ends the program with
# the status for it and one line that says what, and where.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C

cases=0
failed=0

# stop STATUS PATTERN ARGUMENT... - the only line on standard error is "heddle: " and a pattern.
stop() {
    local want=$1 pattern=$2 status why=
    shift 2
    "$HEDDLE" run --functional "$@" >out 2>err </dev/null
    status=$?
    cases=$((cases + 1))
    [ $status -eq "$want" ] || why="exit status $status, not $want"
    [ "$(wc -l <err)" -eq 1 ] || why="$(wc -l <err) lines on standard error"
    grep -qE "^heddle: $pattern\$" err || why="the message does not match: $pattern"
    [ -n "$why" ] || return 0
    failed=$((failed + 1))
    echo "heddle run $*: $why"
    head -n 5 err
}

# --- workloads whose PTX computes something else ---------------------------------------------

# breaks WORKLOAD OUTPUT KERNEL SED-EXPRESSION - the check of OUTPUT must notice the change.
breaks() {
    rm -rf ptx && mkdir ptx && cp "$HEDDLE_BUILD"/kernels/*.ptx ptx/ || exit 1
    sed "$4" "$HEDDLE_BUILD/kernels/$3.ptx" >"ptx/$3.ptx"
    if cmp -s "$HEDDLE_BUILD/kernels/$3.ptx" "ptx/$3.ptx"; then
        failed=$((failed + 1))
        echo "$3.ptx: nothing was changed by $4"
    fi
    stop 1 "$2.* is .*, not .*" -w "$1@tiny" --kernels ptx
}

breaks 2DCONV result conv2d '0,/mul\.rn\.f32/s//add.rn.f32/'
breaks 2DCONV result conv2d '0,/0f3E4CCCCD/s//0f3E4CCCCC/'
breaks MM C matrixmul '0,/fma\.rn\.f32/s//fma.rz.f32/'
breaks SRAD coefficient srad '0,/div\.rn\.f32/s//mul.rn.f32/'

# --- faults ----------------------------------------------------------------------------------

# kernel BODY - writes k.ptx: %at is the address of the thread's word, %buf that of the buffer.
kernel() {
    cat >k.ptx <<END
.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p_buf)
{
.shared .align 4 .b8 tile[128];
.reg .b64 %buf, %at; .reg .b32 %tid, %v; .reg .pred %p;
ld.param.u64 %buf, [p_buf];
mov.u32 %tid, %tid.x;
mad.wide.u32 %at, %tid, 4, %buf;
$1
ret;
}
END
}
cat >k.yaml <<'END'
buffers:
  words: {type: u32, count: 64, value: 3}
launches:
  - {kernel: k, grid: 1, block: 64, args: [words]}
expects:
  - {buffer: words, value: 3}
END
own=(--ptx k.ptx --launch k.yaml)

kernel 'st.global.u32 [%at], 3;'
"$HEDDLE" run --functional "${own[@]}" >out 2>&1 || { echo "a kernel without fault:"; cat out; exit 1; }
kernel 'st.global.u32 [%at], %tid;'
stop 1 '.*words\[0\] is 0, expected 3.*' "${own[@]}"
kernel 'st.global.u32 [%at+4], 3;'
stop 1 'k\.ptx:11: kernel k.*63.*0x[0-9a-f]+.*' "${own[@]}"
kernel 'st.global.u32 [%at+1], 3;'
stop 1 'k\.ptx:11: kernel k.*misaligned.*' "${own[@]}"
kernel 'ld.global.u32 %v, [64];'
stop 1 'k\.ptx:11: kernel k.*outside any allocation.*' "${own[@]}"
kernel 'st.shared.u32 [tile+128], 3;'
stop 1 'k\.ptx:11: kernel k.*shared.*' "${own[@]}"
kernel 'trap;'
stop 1 'k\.ptx:11: kernel k.*trap.*' "${own[@]}"
kernel 'ld.shared.u32 %v, [tile];'
stop 1 'k\.ptx:11: kernel k.*' "${own[@]}" --check
kernel 'add.u33 %v, %v, 1;'
stop 2 'k\.yaml:4: k\.ptx:11: .*add\.u33.*' "${own[@]}"
kernel 'add.u32 %v, %w, 1;'
stop 2 'k\.yaml:4: k\.ptx:11: .*%w.*' "${own[@]}"

# --- kernels that do not end -----------------------------------------------------------------

kernel 'LOOP: add.u32 %v, %v, 1; bra LOOP;'
stop 4 '.*kernel k.*' "${own[@]}" --max-insns 10000
kernel 'LOOP: ld.volatile.global.u32 %v, [%at]; setp.eq.u32 %p, %v, 3; @%p bra LOOP;'
stop 3 '.*kernel k.*' "${own[@]}"

echo "$cases cases, $failed failed"
[ $failed -eq 0 ]
