#!/bin/sh
# Speed of whole machines: simulated thousand cycles per second and thousand warp instructions per
# second, replayed from a recorded file (one thread, two) and executed at the same time (one thread,
# outputs not checked); the most memory a replay took.  Best of three.  On a host that does other
# things the figures of two threads say little.
set -eu
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/heddle}
size=${BENCH_SIZE:-small}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM

field() { # field NAME FILE: the first value of a key in a JSON file
    sed -n "s/^ *\"$1\": \([0-9.e+-]*\).*/\1/p" "$2" | head -n 1
}

best() { # best OPTIONS...: the shortest of three runs, in seconds
    for _ in 1 2 3; do
        "$heddle" run "$@" --json "$dir/run" >/dev/null
        field wall_s "$dir/run"
    done | sort -g | head -n 1
}

peak() { # peak OPTIONS...: resident memory in MB
    if [ -x /usr/bin/time ]; then
        /usr/bin/time -f %M -o "$dir/peak" "$heddle" run "$@" >/dev/null
        awk '{ printf "%.0f", $1 / 1024 }' "$dir/peak"
    else
        printf -
    fi
}

bench() { # bench MACHINE WORKLOAD
    trace=$dir/$2.hds
    [ -e "$trace" ] || "$heddle" record -w "$2@$size" -o "$trace" --no-verify >/dev/null
    one=$(best -m "$1" --trace "$trace" --threads 1)
    two=$(best -m "$1" --trace "$trace" --threads 2)
    direct=$(best -m "$1" -w "$2@$size" --no-verify --threads 1)
    awk -v name="$1 $2" -v one="$one" -v two="$two" -v direct="$direct" \
        -v cycles="$(field cycles "$dir/run")" -v insns="$(field sm.issued "$dir/run")" \
        -v mb="$(peak -m "$1" --trace "$trace")" 'BEGIN {
            split(name, n, " ")
            printf "%-9s %-8s %8d %10d %9.0f %8.0f %9.0f %9.0f %8.0f %5s\n", n[1], n[2], cycles,
                insns, cycles / one / 1e3, insns / one / 1e3, cycles / two / 1e3, cycles / direct / 1e3,
                insns / direct / 1e3, mb
        }'
}

printf '%-38s %18s %9s %18s\n' "@$size" '-- replayed ------' '2 threads' '-- executed ------'
printf '%-9s %-8s %8s %10s %9s %8s %9s %9s %8s %5s\n' machine workload cycles 'warp insns' \
    kcycles/s KWIPS kcycles/s kcycles/s KWIPS MB
for machine in icc60 cdxbar80; do
    for workload in HS BFS MM 2DCONV; do bench $machine $workload; done
done
for workload in HS BP; do bench volta $workload; done
