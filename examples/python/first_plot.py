import heddle
sizes = ["8K", "16K", "32K", "64K", "128K"]
runs = heddle.sweep("icc60", ["BFS@tiny", "MM@tiny", "NN@tiny"], {"l1.size": sizes}, progress=True)
table = runs.frame().pivot(index="l1.size", columns="workload", values="ipc").loc[sizes]
axes = table.div(table.loc["16K"]).plot.bar(ylabel="IPC over that with 16 KB")
axes.legend(loc="lower right")
axes.figure.savefig("first_plot.svg", bbox_inches="tight")
