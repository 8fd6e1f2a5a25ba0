#!/bin/bash
# Launch files: what they describe is done, expected outputs are compared, and whatever is wrong
# with one gets a line with its file and line.  And the example driver, which does without.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

run() {
    "$HEDDLE" run --functional --ptx "$1" --launch "$2" >out 2>err </dev/null ||
        fail "$2: exit status $?: $(head -n 3 err)"
    [ ! -s err ] || fail "$2: standard error: $(head -n 3 err)"
}

# refuse STATUS PATTERN PTX LAUNCH - one line on standard error, nothing on standard output.
refuse() {
    "$HEDDLE" run --functional --ptx "$3" --launch "$4" >out 2>err </dev/null
    local status=$?
    [ $status -eq "$1" ] || fail "$4: exit status $status, not $1: $2"
    [ ! -s out ] || fail "$4: standard output is not empty"
    [ "$(wc -l <err)" -eq 1 ] || fail "$4: $(wc -l <err) lines on standard error"
    grep -qE "^heddle: $2\$" err || fail "$4: not \"$2\": $(cat err)"
}

# --- the example -----------------------------------------------------------------------------

cp "$HEDDLE_SOURCE"/examples/saxpy/* .
run saxpy.ptx saxpy.yaml
grep -q '^checked: all outputs right$' out || fail "the example is not checked"
grep -qE '^saxpy +1 +2 +128 ' out || fail "the example's kernel is not shown"
refuse 2 'saxpy\.cu: CUDA source, not PTX; compile it: clang .* -S saxpy\.cu -o saxpy\.ptx' \
    saxpy.cu saxpy.yaml

mkdir elsewhere # files are found beside the launch file
cp saxpy.yaml expected.txt elsewhere
sed -i 's/^1 /2 /' elsewhere/expected.txt
run saxpy.ptx "$PWD/saxpy.yaml"
refuse 1 'elsewhere/saxpy\.yaml:11: y\[0\] is 1, expected 2; 1 of 200 differ' \
    saxpy.ptx elsewhere/saxpy.yaml
sed -i 's/value: 200/value: 250/' saxpy.yaml
refuse 1 '.*saxpy.*0x[0-9a-f]+.*' saxpy.ptx saxpy.yaml # beyond the buffers: a fault

# --- initialisers, symbols, structs, textures ------------------------------------------------

cat >copy.ptx <<'END'
.version 6.3
.target sm_70
.address_size 64
.const .align 4 .f32 scale = 0f3F800000;
.global .align 4 .b32 table[4];
.visible .entry copy(.param .u64 to, .param .u64 from, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    mov.u32 %r1, %tid.x;
    ld.param.u32 %r2, [n];
    setp.ge.u32 %p, %r1, %r2;
    @%p ret;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [from];
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd1, %rd1, %rd3;
    add.u64 %rd2, %rd2, %rd3;
    ld.global.b32 %r3, [%rd2];
    st.global.b32 [%rd1], %r3;
    ret;
}
.visible .entry symbols(.param .u64 to)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [to];
    ld.const.b32 %r1, [scale];
    st.global.b32 [%rd1], %r1;
    ld.global.b32 %r1, [table+4];
    st.global.b32 [%rd1+4], %r1;
    ret;
}
.visible .entry vector(.param .u64 to, .param .align 16 .b8 v[16])
{
    .reg .b32 %r<5>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [to];
    ld.param.v4.b32 {%r1, %r2, %r3, %r4}, [v];
    st.global.v4.b32 [%rd1], {%r4, %r3, %r2, %r1};
    ret;
}
.visible .entry fetch(.param .u64 to, .param .u64 texture)
{
    .reg .b32 %r<2>;
    .reg .f32 %f<6>;
    .reg .b64 %rd<4>;
    mov.u32 %r1, %tid.x;
    cvt.rn.f32.s32 %f1, %r1;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [texture];
    tex.1d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd2, {%f1}];
    mul.wide.u32 %rd3, %r1, 4;
    add.u64 %rd1, %rd1, %rd3;
    st.global.f32 [%rd1], %f2;
    ret;
}
END

# copied TYPE SOURCE WANT - what a buffer of 4 values holds after it was copied.
copied() {
    cat >copy.yaml <<END
buffers:
  from: {type: $1, count: 4, $2}
  to: {type: $1, count: 4, value: 1}
scalars: {n: {type: u32, value: 4}}
launches: [{kernel: copy, grid: [1, 1, 1], block: [32], args: [to, from, n]}]
dumps: [{buffer: to, file: to.txt}, {buffer: to, file: to.bin}]
END
    run copy.ptx copy.yaml
    [ "$(paste -sd' ' to.txt)" = "$3" ] || fail "$1 $2: $(paste -sd' ' to.txt), not $3"
    [ "$(stat -c %s to.bin)" -eq 16 ] || fail "$1 $2: to.bin has $(stat -c %s to.bin) bytes"
}
copied f32 'zero: true' '0 0 0 0'
copied f32 'value: -1.5' '-1.5 -1.5 -1.5 -1.5'
copied f32 'iota: 3' '3 4 5 6'
copied i32 'iota: {start: 3, step: -2}' '3 1 -1 -3'
copied u32 'data: [4294967295, 0x10, 1K]' '4294967295 16 1024 0'
copied f32 'data: [.inf, nan, 1e-3, -0]' 'inf nan 0.00100000005 -0'
printf '\1\0\0\0\2\0\0\0\377\377\377\377\4\0\0\0' >in.bin
copied i32 'file: in.bin' '1 2 -1 4'
printf '5, 6\n7 8\n' >in.txt
copied u32 'file: in.txt' '5 6 7 8'
copied i32 'random: {lo: 7, hi: 7}' '7 7 7 7'

# Random numbers are those of their seed, which may be the run's.
random() { # random SEED-IN-FILE SEED-OF-RUN
    sed "s/^  from.*/  from: {type: f32, count: 4, random: {lo: 0, hi: 1$1}}/; s/to: {type: i32/to: {type: f32/" \
        copy.yaml >random.yaml
    "$HEDDLE" run --functional --ptx copy.ptx --launch random.yaml --seed "$2" >/dev/null ||
        fail "random$1: exit status $?"
    paste -sd' ' to.txt
}
first=$(random '' 1)
[ "$(random '' 1)" = "$first" ] || fail "the same seed, other numbers"
[ "$(random '' 2)" != "$first" ] || fail "another seed, the same numbers"
[ "$(random ', seed: 1' 2)" = "$first" ] || fail "a seed in the file does not prevail"
awk '$1 < 0 || $1 > 1 { exit 1 }' to.txt || fail "random numbers out of range: $(paste -sd' ' to.txt)"
[ "$(sort -u to.txt | wc -l)" -eq 4 ] || fail "random numbers repeat: $(paste -sd' ' to.txt)"

cat >all.yaml <<'END'
doc: symbols, a vector by value, a texture
buffers:
  s: {type: i32, count: 2}
  v: {type: f32, count: 4}
  t: {type: f32, count: 4}
  texels: {type: f32, data: [10, 20, 30, 40]}
scalars:
  four: {type: f32, data: [1, 2, 3, 4], align: 16}
textures:
  tex: {buffer: texels, width: 3, addressing: clamp, filter: point}
symbols:
  scale: {type: i32, value: 42}
  table: {type: i32, iota: 7}
launches:
  - {kernel: symbols, grid: 1, block: 1, args: [s]}
  - {kernel: vector, grid: 1, block: 1, args: [v, four]}
  - {kernel: fetch, grid: 1, block: 4, args: [t, tex]}
expects:
  - {buffer: s, data: [42, 8]}
  - {buffer: v, iota: {start: 4, step: -1}}
  - {buffer: t, data: [10, 20.5, 30, 31], abs: 0.5, rel: 0.05}
END
run copy.ptx all.yaml
grep -q '^checked: all outputs right$' out || fail "all.yaml is not checked"
sed 's/20\.5/21.6/' all.yaml >wrong.yaml
refuse 1 'wrong\.yaml:21: t\[1\] is 20, expected 21\.6[0-9]*; 1 of 4 differ' copy.ptx wrong.yaml
"$HEDDLE" run --functional --no-verify --ptx copy.ptx --launch wrong.yaml >out || fail "--no-verify"
grep -q '^the outputs were not checked$' out || fail "--no-verify checks"

# A struct by value may take all of a kernel's parameters, 32764 bytes.
cat >large.ptx <<'END'
.version 6.3
.target sm_70
.address_size 64
.visible .entry large(.param .u64 to, .param .align 4 .b8 block[32756])
{
    .reg .b32 %r;
    .reg .b64 %rd;
    ld.param.u64 %rd, [to];
    ld.param.b32 %r, [block+32752];
    st.global.b32 [%rd], %r;
    ret;
}
END
large() { # VALUES - a launch file large.yaml whose struct has so many
    printf 'buffers: {x: {type: i32, count: 1}}\nscalars: {s: {type: i32, data: [%s]}}\n' \
        "$(seq -s, "$1")"
    echo 'launches: [{kernel: large, grid: 1, block: 1, args: [x, s]}]'
    echo 'expects: [{buffer: x, data: [8189]}]'
}
large 8189 >large.yaml
run large.ptx large.yaml
grep -q '^checked: all outputs right$' out || fail "large.yaml is not checked"
large 8190 >large.yaml
refuse 2 'large\.yaml:3: kernel large: more than 32764 bytes of parameters given' \
    large.ptx large.yaml
large 8192 >large.yaml
refuse 2 'large\.yaml:2: s: expected 1 to 32764 bytes of values' large.ptx large.yaml

# --- what is wrong ---------------------------------------------------------------------------

# bad PATTERN TEXT - a launch file bad.yaml (printf escapes) for copy.ptx.
bad() {
    # shellcheck disable=SC2059  # the text is a format
    printf -- "$2" >bad.yaml
    refuse 2 "bad\\.yaml:$1" copy.ptx bad.yaml
}
b='buffers: {x: {type: i32, count: 4}}\n'
l='launches: [{kernel: copy, grid: 1, block: 1}]\n'

bad '1: expected a map .*' '- a\n'
bad '1: expected a map .*' ''
bad '1: nothing is launched: expected "launches"' 'doc: empty\n'
bad '1: bufers: unknown key; did you mean buffers\?' 'bufers: {}\n'
bad '2: doc: given twice, first on line 1' 'doc: a\ndoc: b\n'
bad '1: aliases .*' 'doc: *a\n'
bad '1: tags .*' 'doc: !a b\n'
bad '[12]: .*' 'buffers: {x: [\n'
bad '1: .*nested too deeply' 'doc: [[[[[[[[[[[[[[]]]]]]]]]]]]]]\n'
bad '1: buffers: expected a map of names' 'buffers: [x]\n'
bad '1: x: expected a map .*' 'buffers: {x: 5}\n'
bad '1: x: expected "type": .*' 'buffers: {x: {count: 4}}\n'
bad '1: type: no type "f23"; did you mean f32\?' 'buffers: {x: {type: f23}}\n'
bad '1: x: expected "count", .*' 'buffers: {x: {type: f32}}\n'
bad '1: count: expected a number from 0 to .*' 'buffers: {x: {type: f32, count: -4}}\n'
bad '1: x: 2 values for 1 elements' 'buffers: {x: {type: f32, count: 1, data: [1, 2]}}\n'
bad '1: cuont: unknown key; did you mean count\?' 'buffers: {x: {type: f32, cuont: 4}}\n'
bad '1: "one" is no value of type f32' 'buffers: {x: {type: f32, data: [one]}}\n'
bad '1: value: "256" is no value of type u8' 'buffers: {x: {type: u8, count: 1, value: 256}}\n'
bad '1: value: "-129" is no value of type i8' 'buffers: {x: {type: i8, count: 1, value: -129}}\n'
bad '1: value: the values are already given by "zero"' \
    'buffers: {x: {type: i8, count: 1, value: 1, zero: true}}\n'
bad '1: random: lo is above hi' 'buffers: {x: {type: i8, count: 1, random: {lo: 1, hi: 0}}}\n'
bad '1: random: expected \{lo: .*' 'buffers: {x: {type: i8, count: 1, random: 5}}\n'
bad '1: file: nowhere\.bin: cannot read: .*' 'buffers: {x: {type: i8, file: nowhere.bin}}\n'
bad '1: file: in\.txt\.odd: 9 bytes are no whole number of f32' \
    "$(cp in.txt in.txt.odd)buffers: {x: {type: f32, file: in.txt.odd}}\n"
bad '1: n: expected "value" .*' 'scalars: {n: {type: i32}}\n'
bad '1: align: expected a power of two .*' 'scalars: {n: {type: i32, value: 1, align: 3}}\n'
bad '2: x: a buffer has this name, too' "${b}scalars: {x: {type: i32, value: 1}}\n"
bad '2: buffer: no buffer "y"' "${b}textures: {t: {buffer: y}}\n"
bad '2: t: the texture is larger than buffer x' "${b}textures: {t: {buffer: x, width: 5}}\n"
bad '2: addressing: expected wrap, clamp, mirror or border' \
    "${b}textures: {t: {buffer: x, addressing: clap}}\n"
bad '2: filter: expected point or linear' "${b}textures: {t: {buffer: x, filter: [linear]}}\n"
bad '1: expected "kernel", .*' 'launches: [{grid: 1}]\n'
bad '1: expected "block": .*' 'launches: [{kernel: copy, grid: 1}]\n'
bad '1: grid: expected X, or .*' 'launches: [{kernel: copy, grid: [1, 1, 1, 1], block: 1}]\n'
bad '2: no buffer, scalar or texture "y"' \
    "${b}launches: [{kernel: copy, grid: 1, block: 1, args: [y]}]\n"
bad '1: copy\.ptx: no kernel "cpoy"; did you mean copy\?' \
    'launches: [{kernel: cpoy, grid: 1, block: 1}]\n'
bad '1: kernel copy: 0 bytes of parameters given, it has 20' "$l"
bad '1: kernel copy: block size 1025 in x, .*' 'launches: [{kernel: copy, grid: 1, block: 1025}]\n'
bad '2: scael: copy\.ptx: no variable "scael".*' "${l}symbols: {scael: {type: f32, value: 1}}\n"
bad '2: scale: 2 values for a variable of 4 bytes' "${l}symbols: {scale: {type: f32, data: [1, 2]}}\n"
bad '3: 1 values are expected, x has 4' "$b${l}expects: [{buffer: x, data: [1]}]\n"
bad '3: abs: expected a number .*' "$b${l}expects: [{buffer: x, abs: -1}]\n"
bad '3: expected "buffer" and "file"' "$b${l}dumps: [{buffer: x}]\n"
printf '1 2\nthree\n' >in.txt
printf 'buffers: {x: {type: f32, file: in.txt}}\n' >bad.yaml
refuse 2 'in\.txt:2: "three" is no value of type f32' copy.ptx bad.yaml
refuse 2 'nowhere\.yaml: cannot read: No such file or directory' copy.ptx nowhere.yaml
refuse 2 'nowhere\.ptx: cannot read.*' nowhere.ptx all.yaml
head -c 3000 /dev/zero >zeros.yaml
refuse 2 'zeros\.yaml: .*' copy.ptx zeros.yaml
truncate -s 1025M huge.yaml
refuse 2 'huge\.yaml: larger than 1 GiB' copy.ptx huge.yaml
rm huge.yaml

# --- CUDA C of one's own, as docs/own-kernel.md compiles it -----------------------------------

clang=$(sed -n 's/^HEDDLE_CLANG:[A-Z]*=//p' "$HEDDLE_BUILD/CMakeCache.txt")
compile() { # NAME - NAME.cu to NAME.ptx
    "$clang" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_70 \
        -Xclang -target-feature -Xclang +ptx63 -O3 -ffp-contract=off -I"$HEDDLE_SOURCE/kernels" \
        --cuda-path=no-cuda -S "$1.cu" -o "$1.ptx" || fail "$1.cu does not compile"
}
mkdir no-cuda
cp "$HEDDLE_SOURCE"/examples/saxpy/* .
compile saxpy
run saxpy.ptx saxpy.yaml
grep -q '^checked: all outputs right$' out || fail "the example, compiled here, is not checked"
cat >hello.cu <<'END'
#include "heddle_cuda.h"

__global__ void hello(float x)
{
    printf("%s %d: %.2f\n", "thread", threadIdx.x, x);
}
END
cat >hello.yaml <<'END'
scalars: {x: {type: f32, value: 1.5}}
launches: [{kernel: hello, grid: 1, block: 2, args: [x]}]
END
compile hello
run hello.ptx hello.yaml
grep -q '^thread 1: 1.50$' out || fail "the kernel does not print: $(head -n 3 out)"

# --- a driver of one's own -------------------------------------------------------------------

# Instrumented libraries need instrumented programs: only a plain build can be tested so.
if ! grep -qE '^HEDDLE_(SANITIZE:.*=.|COVERAGE:.*=ON|FUZZ:.*=ON)' "$HEDDLE_BUILD/CMakeCache.txt"; then
    # shellcheck disable=SC2046  # pkg-config prints separate words
    cc -std=c17 -Wall -Wextra -Werror -I"$HEDDLE_SOURCE/include" driver.c -o driver \
        "$HEDDLE_BUILD/libheddle.a" $(pkg-config --libs yaml-0.1 libzstd) -lpthread -lm ||
        fail "the driver does not compile"
    [ "$(./driver)" = 'y[199] = 249.75' ] || fail "the driver prints: $(./driver 2>&1)"
    mv saxpy.ptx gone.ptx
    ./driver 2>err
    [ $? -eq 2 ] || fail "the driver without its PTX: another exit status"
    grep -q 'saxpy.ptx: cannot read' err || fail "the driver without its PTX: $(cat err)"
fi

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
