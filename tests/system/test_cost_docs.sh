#!/bin/bash
# What the documents say about errors and claims is what the program prints: the tables of
# docs/model/power.md and docs/model/cost.md, the values in docs/results.md, the README's counts.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

"$HEDDLE" cost --validate >validate 2>err || fail "--validate: exit status $?: $(cat err)"
"$HEDDLE" study cdxbar --only priced --out study >study.txt 2>err || fail "cdxbar: exit status $?: $(cat err)"
for file in validate study.txt; do
    [ "$(awk 'length > 100' $file)" = '' ] || fail "$file: lines over 100 characters"
    grep -q ' $' $file && fail "$file: blanks at the end of a line"
done

python3 - "$HEDDLE_SOURCE" <<'EOF' || fail "documents do not say what the program prints"
import csv, re, sys
source = sys.argv[1]
wrong = 0

def same(what, document, program):
    global wrong
    missing = [r for r in program if r not in document]
    stale = [r for r in document if r not in program]
    assert program, what
    if document != program:
        wrong += 1
        print("%s is not what the program prints" % what)
        for sign, rows in ("+", missing), ("-", stale):
            for r in rows:
                print("%s | %s |" % (sign, " | ".join(r)))

def document_table(name, first, second):
    """Rows of the table whose head begins with these two cells."""
    lines = open(source + "/" + name).read().split("\n")
    start = [i for i, l in enumerate(lines) if l.startswith("| %s | %s |" % (first, second))]
    assert len(start) == 1, (name, first, start)
    rows = []
    for line in lines[start[0] + 2:]:
        if not line.startswith("|"):
            return rows
        rows.append([c.strip() for c in line.strip("|").split("|")])
    return rows

def printed(name):
    """Tables: rows of cells that two blanks or more part, up to an empty line."""
    return [[re.split(r"  +", line) for line in block.split("\n")]
            for block in open(name).read().strip().split("\n\n")]

validate = printed("validate")
groups = [t for t in validate if t[0][1:3] == ["rows", "median"]]
rows = [[t[0][0], q + (" (shown)" if verdict == "shown" else ""), n, median, p90, worst,
         "" if at == "-" else at]
        for t in groups for q, n, median, p90, worst, verdict, at in t[1:]]
same("the table of errors in power.md", document_table("docs/model/power.md", "group", "quantity"), rows)
by_node = [t for t in validate if t[0][:2] == ["group", "nm"]][0][1:]
same("the table by node in power.md", document_table("docs/model/power.md", "group", "nm"), by_node)

rows = list(csv.DictReader(x for x in open("study/results.csv") if x[0] != "#"))
value = {(r["figure"], r["variant"], r["workload"]): float(r["value"]) for r in rows
         if r["kind"] == "value" and not r["part"]}
change = lambda v: "%+.1f %%" % (100 * (v - 1))
figures = [("mesh_area", "mesh", lambda v: "x%.2f" % v), ("xbar_area", "xbar", change),
           ("xbar_clock", "xbar", lambda v: "%.0f MHz" % v), ("cdxbar_area", "cdxbar56", change),
           ("power", "cdxbar56", change), ("power", "smesh56", change)]
paper = {(r["figure"], r["variant"]): (float(r["paper"]), r["verdict"]) for r in rows
         if r["kind"] == "paper" and r["workload"] == "as_is"}
# Power is judged under the activity of kernels: here it has no verdict.
paper["power", "cdxbar56"] = 0.515, None
paper["power", "smesh56"] = 0.813, None
def said(figure, variant, text):
    bound = "> " if figure == "mesh_area" else ""
    return bound + text(paper[figure, variant][0])
claims = [[None, None, said(f, v, text), text(value[f, v, "as_is"]), paper[f, v][1]]
          for f, v, text in figures if paper[f, v][1]]
documented = document_table("docs/model/cost.md", "claim", "section")
same("the claims in cost.md", [[None, None] + r[2:] for r in documented], claims)

names = []
for r in rows:
    if r["figure"] == "power" and r["kind"] == "value" and r["workload"] not in names:
        names.append(r["workload"])
cell = lambda f, v, row, text: text(value[f, v, row]) if (f, v, row) in value else ""
table = [["the paper"] + [said(f, v, text) for f, v, text in figures]]
table += [["`%s`" % n] + [cell(f, v, n, text) for f, v, text in figures] for n in names]
table += [["`%s`" % f, "", "", "", "", change(value[f, "cdxbar56", "as_is"]), change(value[f, "smesh56", "as_is"])]
          for f in ("power_ports", "power_quarter")]
documented = document_table("docs/model/cost.md", "assumption", "mesh area")
same("the assumptions in cost.md", [[r[0].split(":")[0]] + r[1:] for r in documented], table)

results = [l for l in open(source + "/docs/results.md") if l.startswith("| CD-Xbar paper, ")]
for _, _, paper, here, verdict in claims:
    if not any(paper in l and here in l and verdict in l for l in results):
        wrong += 1
        print("results.md has no row with %s, %s, %s" % (paper, here, verdict))

# The README counts what results.md lists.
table = [l.strip("|\n").split("|") for l in open(source + "/docs/results.md").read().split("## The cdxbar paper")[1].split("\n## ")[0].split("\n")
         if l.startswith("| ")]
verdicts = [c[4].strip() for c in table if len(c) == 6]
said = [l for l in open(source + "/README.md") if "`heddle study cdxbar`" in l and l.startswith("| cdxbar")]
cells = [[c.strip() for c in l.strip("|\n").split("|")][-3:] for l in said]
expected = [str(verdicts.count(v)) for v in ("reproduced", "direction only", "not reproduced")]
same("the README's counts of cdxbar", cells, [expected])
sys.exit(wrong > 0)
EOF

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
