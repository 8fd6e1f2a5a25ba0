#!/bin/sh
# Speed of functional execution on one core: million thread instructions per second (best of five
# runs, the warp stream spooled, the CPU reference left out), nanoseconds per warp instruction, host
# instructions per warp instruction (callgrind, tiny input, the whole process), bytes of stream per
# warp instruction as spooled (everything: arithmetic costs only its share of a block's byte, the
# rest are addresses); then the time to parse 1 MB of PTX.
set -eu
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/heddle}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM

field() { # field NAME FILE: the first value of a key in a JSON file
    sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" "$2" | head -n 1
}

best() { # best OPTIONS...: the shortest execution of five, in seconds
    for _ in 1 2 3 4 5; do
        "$heddle" run --functional --no-verify "$@" --json "$dir/run" >/dev/null
        field execute_s "$dir/run"
    done | sort -g | head -n 1
}

bench() { # bench WORKLOAD
    seconds=$(best -w "$1@small")
    alone=$(best -w "$1@small" --no-stream)
    "$heddle" run --functional --no-verify -w "$1@small" --json "$dir/run" >/dev/null
    "$heddle" run --functional --no-verify -w "$1@tiny" --json "$dir/tiny" >/dev/null
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$heddle" run --functional \
        --no-verify -w "$1@tiny" >/dev/null 2>"$dir/log"
    awk -v name="$1" -v s="$seconds" -v n="$alone" -v w="$(field warp_insns "$dir/run")" \
        -v t="$(field thread_insns "$dir/run")" -v b="$(field stream_bytes "$dir/run")" \
        -v host="$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$dir/log")" \
        -v tiny="$(field warp_insns "$dir/tiny")" 'BEGIN {
            printf "%-12s %10.0f %12.0f %8.1f %12.0f %10.3f\n", name, t / s / 1e6, t / n / 1e6,
                s / w * 1e9, host / tiny, b / w
        }'
}

printf '%-12s %10s %12s %8s %12s %10s\n' workload Mthread/s 'no stream' ns/warp instr/warp B/warp
for w in $("$heddle" list workloads --names); do bench "$w"; done

# A module of 1 MB: a kernel to launch, and functions of ordinary instructions that are only parsed.
awk -v bytes=1000000 'BEGIN {
    head = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { ret; }\n"
    body = "\tld.global.f32 \t%f1, [%rd1+16];\n\tfma.rn.f32 \t%f2, %f1, 0f3F800000, %f2;\n" \
        "\tmul.wide.s32 \t%rd2, %r1, 4;\n\tadd.s64 \t%rd3, %rd1, %rd2;\n" \
        "\tsetp.lt.s32 \t%p1, %r1, 128;\n\t@%p1 bra \t$L__BB0_1;\n" \
        "\tst.shared.v2.f32 \t[%rd3+8], {%f1, %f2};\n"
    printf "%s", head
    n = length(head)
    for (i = 0; n < bytes; i++) {
        f = sprintf(".func f%d()\n{\n\t.reg .pred %%p<2>;\n\t.reg .f32 %%f<3>;\n" \
            "\t.reg .b32 %%r<2>;\n\t.reg .b64 %%rd<4>;\n$L__BB0_1:\n", i)
        for (k = 0; k < 20; k++) f = f body
        f = f "\tret;\n}\n"
        printf "%s", f
        n += length(f)
    }
}' >"$dir/big.ptx"
head -n 4 "$dir/big.ptx" >"$dir/little.ptx"
echo 'launches: [{kernel: k, grid: 1, block: 32, args: []}]' >"$dir/launch.yaml"

load() { # load PTX: the shortest of five whole runs, in seconds
    for _ in 1 2 3 4 5; do
        "$heddle" run --functional --ptx "$1" --launch "$dir/launch.yaml" --json "$dir/run" >/dev/null
        field wall_s "$dir/run"
    done | sort -g | head -n 1
}
awk -v big="$(load "$dir/big.ptx")" -v little="$(load "$dir/little.ptx")" \
    'BEGIN { printf "\nparsing 1 MB of PTX: %.1f ms\n", (big - little) * 1000 }'
