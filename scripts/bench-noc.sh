#!/bin/sh
# Speed of the network engine: simulated cycles and flit-hops per second of host time, and host
# instructions per flit-hop.  Instructions are counted by callgrind over the whole process, so
# they repeat exactly.  The last columns compare with BookSim2 (plain -O3 build, the same count)
# for the same number of simulated cycles; '-' where it was not measured.
set -eu
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/heddle}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM

field() { # field NAME FILE: the first value of a key in a JSON file
    sed -n "s/.*\"$1\": \([0-9.e+-]*\).*/\1/p" "$2" | head -n 1
}

# bench LABEL CYCLES(timed) CYCLES(counted) BOOKSIM_INSTRUCTIONS_PER_FLIT_HOP ARGUMENTS...
bench() {
    label=$1 timed=$2 counted=$3 booksim=$4
    shift 4
    "$heddle" noc "$@" --set measure.warmup=10 --set "measure.cycles=$timed" \
        --json "$dir/timed" >/dev/null
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$heddle" noc "$@" \
        --set measure.warmup=10 --set "measure.cycles=$counted" --json "$dir/counted" \
        >/dev/null 2>"$dir/log"
    instructions=$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$dir/log")
    # The number of points is 1, so the first "cycles" after "points" is the point's.
    awk -v label="$label" -v booksim="$booksim" -v instructions="$instructions" \
        -v tc="$(field cycles "$dir/timed")" -v th="$(field flit_hops "$dir/timed")" \
        -v wall="$(field wall_s "$dir/timed")" -v cc="$(field cycles "$dir/counted")" \
        -v ch="$(field flit_hops "$dir/counted")" 'BEGIN {
            per = instructions / ch
            printf "%-28s %10.0f %12.0f %8.1f %10.0f", label, tc / wall, th / wall, ch / cc, per
            if (booksim > 0) printf " %10.0f %7.0fx\n", booksim, booksim / per
            else printf " %10s %8s\n", "-", "-"
        }'
}

printf '%-28s %10s %12s %8s %10s %10s %8s\n' case cycles/s flit-hops/s hops/cyc instr/hop \
    BookSim2 fewer
m1='-m mesh8_uniform_p1_v4b8 --rate'
m5='-m mesh8_uniform_p5_v4b8 --rate'
# shellcheck disable=SC2086
{
    bench 'mesh 8x8, 1 flit, 0.0005' 2000000 7500 430000 $m1 0.0005
    bench 'mesh 8x8, 1 flit, 0.05' 100000 3000 16500 $m1 0.05
    bench 'mesh 8x8, 1 flit, 0.2' 50000 3000 11900 $m1 0.2
    bench 'mesh 8x8, 1 flit, 0.4' 30000 3000 10800 $m1 0.4
    bench 'mesh 8x8, 5 flits, 0.05' 100000 3000 11500 $m5 0.05
    bench 'mesh 8x8, 5 flits, 0.2' 50000 3000 7400 $m5 0.2
    bench 'mesh 8x8, 5 flits, 0.35' 30000 3000 7200 $m5 0.35
    bench 'crossbar 80x80, 1 flit, 0.3' 50000 3000 17500 -m xbar64_uniform_p1_v4b8 --rate 0.3 \
        --set xbar.inputs=80 --set xbar.outputs=80
    bench 'crossbar 80x80, 5 flits, 0.3' 50000 3000 12200 -m xbar64_uniform_p5_v4b8 --rate 0.3 \
        --set xbar.inputs=80 --set xbar.outputs=80
    bench 'crossbar 80x16, req-reply' 50000 3000 0 -m xbar80x16 --rate 0.2
    bench 'CD-Xbar 80/16, req-reply' 50000 3000 0 -m cdxbar80 --rate 0.2
    bench 'mesh 10x10, req-reply' 50000 3000 0 -m mesh80 --rate 0.15
    bench 'mesh 64x64, 1 flit, 0.001' 20000 3000 0 $m1 0.001 --set mesh.width=64 \
        --set mesh.height=64
}
