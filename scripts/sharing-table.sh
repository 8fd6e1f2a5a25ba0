#!/bin/bash
# sharing-table.sh [SIZE [WORKLOAD...]] - what there is to gain before a policy of the sharing paper is
# tried: for each workload (all of them), at `study` unless SIZE says otherwise, CTA groups under qx, data
# that CTAs and SMs share, misses of the L1s and the L2 by class; a table in Markdown, as
# docs/model/sharing-analysis.md has it.  On sharing15, or on MACHINE=; minutes for each at `study`; JOBS=
# runs side by side.
set -eu
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/heddle}
machine=${MACHINE:-sharing15}
size=${1:-study}
[ $# -eq 0 ] || shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
export heddle machine size dir

[ $# -gt 0 ] || mapfile -t names < <("$heddle" list workloads --names)
[ $# -eq 0 ] || names=("$@")
run() { # WORKLOAD
    "$heddle" run -m "$machine" -w "$1@$size" --analyse sharing --json "$dir/$1.json" >/dev/null
}
export -f run
printf '%s\n' "${names[@]}" | xargs -P "${JOBS:-1}" -I NAME bash -c 'run NAME'

python3 - "$dir" "${names[@]}" <<'END'
import json
import sys


def grids(run):
    """What qx makes of the kernels.  Rows of a grid are its groups; of G groups on S SMs qx_adpt leaves
    max(S, G - S + 1) whole, none if G < S (docs/model/dispatch.md)."""
    gpu = run["config"]["gpu"]
    sms = gpu["sm_count"] or (gpu["sms"] or gpu["clusters"] * gpu["sms_per_cluster"]) - gpu["sm_first"]
    all_ctas = most = whole = row = column = few = 0
    for k in run["kernels"]:
        x, groups = k["grid"][0], k["grid"][1] * k["grid"][2]
        all_ctas += x * groups
        most = max(most, groups)
        row += x if groups == 1 else 0
        column += groups if x == 1 and groups > 1 else 0
        few += x * groups if 1 < groups < sms and x > 1 else 0
        whole += x * max(sms, groups - sms + 1) if x > 1 and groups >= sms else 0
    # One group runs on one SM; groups of one CTA are round robin; of fewer groups than SMs qx_adpt makes none.
    marks = {"one SM": row, "round robin": column, "fewer rows than SMs": few}
    mark = next((m for m, ctas in marks.items() if ctas > all_ctas / 2), "")
    return all_ctas, most, 100 * whole / all_ctas, mark


def classes(stats, cache, names):
    values = [stats.get(f"sharing.{cache}.{n}") or 0 for n in names]
    return [100 * v / sum(values) if sum(values) else None for v in values]


def text(head, value):
    if isinstance(value, str) or head in ("CTAs", "most groups of a kernel"):
        return str(value)
    return "-" if value is None else f"{value:.{2 if head == '... SMs of them' else 1}f}"


def line(cells):
    print("| " + " | ".join(text(h, c) for h, c in zip(heads, cells)) + " |")


folder, names = sys.argv[1], sys.argv[2:]
heads = ["name", "qx is", "CTAs", "most groups of a kernel", "CTAs in groups under qx_adpt %",
         "blocks of several CTAs %", "... nearest < 5 %", "blocks of several SMs %", "... SMs of them",
         "L1: compulsory %", "capacity %", "conflict %", "invalidated %",
         "L2: compulsory %", "capacity %", "conflict %", "shared loads in MSHRs %", "reuse >= 1000 %"]
rows = []
for name in names:
    with open(f"{folder}/{name}.json") as f:
        run = json.load(f)
    s = run["stats"]
    ctas, most, whole, mark = grids(run)
    rows.append([name, mark, ctas, most, whole] +
                [s[k] for k in ("cta_shared", "cta_shared_near", "sm_shared", "sms_per_shared_block")] +
                classes(s, "l1", ("compulsory", "capacity", "conflict", "invalidated")) +
                classes(s, "l2", ("compulsory", "capacity", "conflict")) +
                [s["shared_mshr_hits"], s["shared_late_reuse"]])
line(heads)
print("|" + "---|" * len(heads))
for row in rows:
    line(row)
for title, some in (("mean", rows), ("mean where qx_adpt places groups", [r for r in rows if not r[1]])):
    columns = [[r[i] for r in some if r[i] is not None] for i in range(4, len(heads))]
    line([f"{title} ({len(some)})", "", "", ""] + [sum(c) / len(c) if c else None for c in columns])
END
