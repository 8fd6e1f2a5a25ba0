# %% [markdown]
# # Figure 13 of the icc study, from its database
#
# How many read requests go through the network under distributed-block scheduling, with intra-cluster coalescing (ICC)
# and with its cache (CC), over those under distributed scheduling.  `heddle study icc` draws the same figure in its report;
# here it is made from the statistics of single runs, so that it can be made differently.
#
# Open this file as a notebook (VS Code, Spyder and Jupytext know the cells), or run it:
#
#     python3 icc_figure.py [WORKLOAD,...]

# %%
import csv
import math
import os
import sys

import heddle

# %% [markdown]
# The quick form takes some minutes, of two workloads some seconds.  What has been run is not run again.

# %%
only = sys.argv[1] if len(sys.argv) > 1 else ""
study = heddle.study("icc", quick=True, only="fig13" + ("," + only if only else ""))
print(study)

# %% [markdown]
# One line per run: what the clusters injected into the network.

# %%
VARIANTS = {"block": "distributed-block", "block_icc": "+ ICC", "block_cc": "+ ICC + CC"}
reads = {}
for (machine, workload, variant), stats in study.stats("cluster.reads").items():
    reads.setdefault(workload.split("@")[0], {})[variant] = stats["cluster.reads"]

# %% [markdown]
# Over the baseline, and the geometric mean.

# %%
table = {w: {v: r[v] / r["dist"] for v in VARIANTS} for w, r in sorted(reads.items()) if "dist" in r}
table["mean"] = {v: math.exp(sum(math.log(row[v]) for row in table.values()) / len(table)) for v in VARIANTS}
with open("icc_fig13.csv", "w", newline="") as f:
    out = csv.writer(f)
    out.writerow(["workload", *VARIANTS])
    out.writerows([w, *("%.4f" % row[v] for v in VARIANTS)] for w, row in table.items())
for w, row in table.items():
    print("%-8s" % w, *("%+6.1f %%" % (100 * row[v] - 100) for v in VARIANTS))

# %% [markdown]
# It is the figure that the study itself has.

# %%
for workload, row in study.figure("fig13").items():
    for variant, value in row.items():
        assert math.isclose(table[workload][variant], value, rel_tol=1e-9), (workload, variant)

# %% [markdown]
# The paper's values, where it prints them, are diamonds.

# %%
paper = {(v["variant"], v["workload"]): v["paper"] for v in study.verdicts
         if v.get("figure") == "fig13" and v.get("paper") is not None}
try:
    import matplotlib
    if not os.environ.get("DISPLAY"):
        matplotlib.use("svg")
    import matplotlib.pyplot as plt
except ImportError:
    print("no matplotlib (Debian: python3-matplotlib): the figure is in icc_fig13.csv only")
else:
    figure, axes = plt.subplots(figsize=(8, 3))
    for i, (variant, label) in enumerate(VARIANTS.items()):
        at = [k + 0.27 * (i - 1) for k in range(len(table))]
        axes.bar(at, [row[variant] for row in table.values()], 0.25, label=label)
        said = [(x, paper[variant, w]) for x, w in zip(at, table) if (variant, w) in paper]
        axes.plot([x for x, y in said], [y for x, y in said], "kD", markersize=4)
    axes.set_xticks(range(len(table)), list(table))
    axes.set_ylabel("reads over distributed")
    axes.legend(ncol=3, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1))
    figure.savefig("icc_fig13.svg", bbox_inches="tight")
    print("icc_fig13.svg, icc_fig13.csv")
