#!/bin/bash
# The tour (studies/tour.yaml, `make run`) can be run, has a figure of each paper, names studies that there are, and
# holds the papers to the values that the full studies hold them to.
set -u
fail() { echo "$1"; exit 1; }

"$HEDDLE" study tour --list >list.txt 2>err.txt || fail "it is refused: $(cat err.txt)"
[ ! -s err.txt ] || fail "settings without effect: $(cat err.txt)"
grep -q 'figures: 5,' list.txt || fail "not a figure of each paper: $(tail -n 1 list.txt)"
grep -q ' study tour ' "$HEDDLE_SOURCE/scripts/run.sh" || fail "make run is something else"

"$HEDDLE" list studies >studies.txt
python3 - "$HEDDLE_SOURCE/studies" <<'END' || exit 1
import re, sys
folder, known = sys.argv[1], open("studies.txt").read()
text = open(folder + "/tour.yaml").read()
figures = re.split(r"^  (?=\w+:$)", text[text.index("\nfigures:\n") :], flags=re.M)[1:]
wrong, values = 0, 0
for figure in figures:
    name, full = re.match(r"\w+", figure)[0], re.search(r"^    full: (\w+)$", figure, flags=re.M)
    if not full or not re.search(r"^%s\b" % full[1], known, flags=re.M):
        print("figure %s names no study that there is" % name)
        wrong += 1
        continue
    there = re.findall(r"\bvalue: ([\d.]+)", open("%s/%s.yaml" % (folder, full[1])).read())
    for value in re.findall(r"\bvalue: ([\d.]+)", figure):
        values += 1
        if float(value) not in map(float, there):
            print("figure %s: the study %s has no value %s" % (name, full[1], value))
            wrong += 1
sys.exit(wrong > 0 or values < len(figures) or len(figures) != 5)
END
