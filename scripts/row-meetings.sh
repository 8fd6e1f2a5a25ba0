#!/bin/bash
# row-meetings.sh [SIZE [WORKLOAD...]] - is there anything to coalesce, before a network does: for each
# workload (those of the coalesce paper), at `small` unless SIZE says otherwise, reads of one row of DRAM
# that meet at the memory within windows of 5, 25, 100 and 500 network cycles, row hits under each
# scheduler of the controllers, and use of DRAM; tables in Markdown, as docs/model/row-meetings.md has
# them.  On coalesce28, or on MACHINE=; JOBS= runs side by side.
set -eu
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/heddle}
machine=${MACHINE:-coalesce28}
size=${1:-small}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- AES BFS CP LPS LIB MUM NN NQU RAY WP BLACKSCHOLES
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
export heddle machine size dir

# One execution, timed five times.
run() { # WORKLOAD
    local scheduler
    "$heddle" record -w "$1@$size" -o "$dir/$1.hds" >/dev/null
    for scheduler in fifo banked_fifo enlarged frfcfs serial; do
        case $scheduler in
        enlarged) set -- "$1" --set mc.scheduler=banked_fifo --set mc.bank_queue=32 ;;
        *) set -- "$1" --set mc.scheduler=$scheduler ;;
        esac
        "$heddle" run -m "$machine" --trace "$dir/$1.hds" "${@:2}" --set meetings.windows=5,25,100,500 \
            --json "$dir/$1.$scheduler.json" >/dev/null 2>"$dir/$1.error" || { cat "$dir/$1.error" >&2 && exit 1; }
    done
    rm "$dir/$1.hds"
}
export -f run
printf '%s\n' "$@" | xargs -P "${JOBS:-1}" -I NAME bash -c 'run NAME'

python3 - "$dir" "$@" <<'END'
import json
import sys

folder, names = sys.argv[1], sys.argv[2:]
schedulers = ["serial", "fifo", "banked_fifo", "enlarged", "frfcfs"]


def load(name, scheduler):
    with open(f"{folder}/{name}.{scheduler}.json") as f:
        return json.load(f)


def line(cells):
    print("| " + " | ".join(c if isinstance(c, str) else "-" if c is None else f"{c:.{d}f}" for c, d in cells) + " |")


def head(cells):
    line([(c, 0) for c in cells])
    print("|" + "---|" * len(cells))


def part(s, name):
    reads = s["meetings.reads"]
    return 100 * s["meetings." + name] / reads if reads else None


runs = {n: {k: load(n, k) for k in schedulers} for n in names}
head(["name", "reads", "per 1000 cycles and controller", "DRAM use %"] +
     [f"met in {w}: %" for w in (5, 25, 100, 500)] +
     [f"joined in {w}: same SM, other SMs %" for w in (5, 25)] +
     [f"per hold of {w}" for w in (5, 25, 100, 500)])
for n in names:
    r = runs[n]["fifo"]
    s, c = r["stats"], r["config"]
    network = r["cycles"] * c["noc"]["clock"] / c["gpu"]["clock"] * c["mc"]["channels"]
    line([(n, 0), (str(int(s["meetings.reads"])), 0), (1000 * s["meetings.reads"] / network, 1), (s["dram_use"], 1)] +
         [(s[f"row_met_{k}"], 1) for k in (1, 2, 3, 4)] +
         [(f"{part(s, f'same_sm_{k}'):.1f}, {part(s, f'other_sm_{k}'):.1f}", 0) for k in (1, 2)] +
         [(s[f"row_hold_{k}"], 2) for k in (1, 2, 3, 4)])
print()
head(["name"] + [f"row misses {k} %" for k in schedulers] + ["IPC fifo"] +
     [f"{k} / fifo" for k in schedulers if k != "fifo"] +
     ["latency fifo", "... outside the networks", "banks idle fifo %", "ready warps fifo"])
for n in names:
    s = {k: runs[n][k]["stats"] for k in schedulers}
    f = s["fifo"]
    line([(n, 0)] + [(s[k]["dram_row_miss_rate"], 1) for k in schedulers] + [(f["ipc"], 1)] +
         [(s[k]["ipc"] / f["ipc"], 3) for k in schedulers if k != "fifo"] +
         [(f["latency"], 0), (f["dram_access_time"], 0), (f["dram_bank_idle"], 1), (f["ready_warps"], 2)])
END
