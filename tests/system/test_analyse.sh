#!/bin/bash
# heddle run --analyse: it only watches, says the same executed, replayed and in threads, and what it says is
# in every document.
set -eu
export HEDDLE_DATA=$HEDDLE_SOURCE

fail() {
    echo "$*"
    exit 1
}
digest_of() {
    sed -n 's/^  "\(digest\|cycles\)": //p' "$1"
}
seen() { # what the analyses counted
    grep '^sharing\.' "$1"
}

"$HEDDLE" run -m sharing15 -w LUD@tiny --json plain.json --csv plain.csv >plain
"$HEDDLE" run -m sharing15 -w LUD@tiny --json watched.json --csv watched.csv --analyse sharing >watched
[ "$(digest_of plain.json)" = "$(digest_of watched.json)" ] || fail "watching changes results"
! seen plain.csv || fail "statistics of what is off"
! grep -q '^sharing:' plain || fail "tables of what is off"
for table in 'sharing: ' 'apart, %' 'at most, %' 'misses ' 'loads of blocks' 'hits and misses' 'cycles of CTAs'; do
    grep -q "^$table" watched || fail "no table of \"$table\""
done

# Replayed, in threads, asked for by a setting.
"$HEDDLE" record -w LUD@tiny -o lud.hds >/dev/null
"$HEDDLE" run -m sharing15 --trace lud.hds --csv replayed.csv --analyse sharing >/dev/null
"$HEDDLE" run -m sharing15 -w LUD@tiny --threads 2 --csv threads.csv --set sharing.enabled=true >set
for other in replayed threads; do
    diff <(seen watched.csv) <(seen $other.csv) || fail "$other: other counts"
done
grep -q '^sharing:' set || fail "no tables with --set"

# Several programs, a part of a run, another machine, every machine's own caches.
"$HEDDLE" run -m icc60 -w HS@tiny -w LUD@tiny --no-alone --analyse sharing --set icc.enabled=true >several
grep -q '^all kernels ' several || fail "no times of CTAs of several programs"
status=0
"$HEDDLE" run -m sharing15 -w LUD@tiny --analyse sharing --max-cycles 9000 >partial 2>/dev/null || status=$?
[ $status = 4 ] && grep -q '^sharing: [1-9]' partial || fail "a part of a run"
"$HEDDLE" run -m coalesce28 -w NN@tiny --analyse sharing >without
sed -n '/^misses  /,/^$/p' without >classes
grep -q '^L1 ' classes && ! grep -q '^L2 ' classes || fail "classes of an L2 that is not there"

# Every miss has a class; counts of kernels are in the documents.
python3 - <<'END' || fail "the document is not as it should be"
import json
run = json.load(open("watched.json"))
s = run["stats"]
for cache, misses in (("l1", ["l1.global.misses", "l1.local.misses"]),
                      ("l2", ["l2.read_misses", "l2.write_misses", "l2.atomic_misses"])):
    classes = ["compulsory", "capacity", "conflict"] + (["invalidated"] if cache == "l1" else [])
    assert sum(s[f"sharing.{cache}.{c}"] for c in classes) == sum(s[m] for m in misses) > 0
assert s["sharing.cta_mean.n"] == len(run["kernels"])
for name in ("sharing.blocks", "sharing.sharers_2", "sharing.distance_1", "sharing.l1.compulsory"):
    assert sum(k["stats"][name] for k in run["kernels"]) == s[name] > 0
for k in run["kernels"]:
    t = k["stats"]
    assert t["sharing.cta_least"] <= t["sharing.cta_mean"] <= t["sharing.cta_most"]
assert 0 < s["cta_shared"] <= 100 and s["sms_per_shared_block"] >= 2
END

# Reads of one row that meet: the same executed, replayed, in threads and without skipping.
met() {
    grep '^meetings\.' "$1"
}
"$HEDDLE" run -m coalesce28 -w BFS@tiny --json bare.json --csv bare.csv >/dev/null
"$HEDDLE" run -m coalesce28 -w BFS@tiny --json met.json --csv met.csv --analyse meetings >met
[ "$(digest_of bare.json)" = "$(digest_of met.json)" ] || fail "watching meetings changes results"
! met bare.csv || fail "meetings that nobody asked for"
grep -q '^meetings: ' met && [ "$(grep -c '^window [1-4] ' met)" = 4 ] || fail "no table of meetings"
"$HEDDLE" record -w BFS@tiny -o bfs.hds >/dev/null
"$HEDDLE" run -m coalesce28 --trace bfs.hds --csv met2.csv --analyse meetings --threads 2 --no-skip --check >/dev/null
diff <(met met.csv) <(met met2.csv) || fail "replayed: other meetings"
"$HEDDLE" run -m sharing15 -w LUD@tiny --csv both.csv --analyse meetings --analyse sharing >/dev/null
diff <(seen watched.csv) <(seen both.csv) && met both.csv >/dev/null || fail "two analyses at once"
python3 - <<'END' || fail "meetings are not as they should be"
import json
s = json.load(open("met.json"))["stats"]
# No L2: every read that comes is a read of DRAM.
assert s["meetings.reads"] == s["dram.reads"] == s["l1.read.answers"] == s["l2.read_misses"] > 0
for k in range(1, 5):
    n = {x: s[f"meetings.{x}_{k}"] for x in ("holds", "met", "same_sm", "other_sm")}
    assert n["holds"] + n["same_sm"] + n["other_sm"] == s["meetings.reads"], k
    assert n["same_sm"] + n["other_sm"] <= n["met"] <= 2 * (n["same_sm"] + n["other_sm"]), k
    assert k == 1 or n["holds"] < s[f"meetings.holds_{k - 1}"], k
END

# Mistakes.
refused() { # TEXT ARGUMENT...
    local text=$1 status=0
    shift
    "$HEDDLE" "$@" >out 2>error || status=$?
    [ $status = 2 ] && grep -qF -- "$text" error && [ ! -s out ] || fail "$*: $status, $(cat error)"
}
refused '--analyse: no analysis "sharng"; did you mean sharing?' run -m sharing15 -w LUD@tiny --analyse sharng
refused '--functional is without timing' run -w LUD@tiny --functional --analyse sharing

# The table before the policies.
JOBS=2 "$HEDDLE_SOURCE/scripts/sharing-table.sh" tiny LUD BP 2DCONV >table
python3 - <<'END' || fail "the table is not as it should be: $(cat table)"
rows = [[c.strip() for c in l.strip("|\n").split("|")] for l in open("table")]
assert [r[0] for r in rows[2:]] == ["LUD", "BP", "2DCONV", "mean (3)",
                                   "mean where qx_adpt places groups (1)"]
assert [r[1] for r in rows[2:5]] == ["fewer rows than SMs", "round robin", ""]
for r in rows[2:]:
    assert len(r) == len(rows[0])
    assert abs(sum(map(float, r[9:13])) - 100) < 0.3 and abs(sum(map(float, r[13:16])) - 100) < 0.3
END

# ... and before the coalescing network.
JOBS=2 "$HEDDLE_SOURCE/scripts/row-meetings.sh" tiny NN NQU >table
python3 - <<'END' || fail "the tables are not as they should be: $(cat table)"
text = open("table").read().split("\n\n")
first, second = [[[c.strip() for c in l.strip("|").split("|")] for l in t.strip().split("\n")] for t in text]
for rows in first, second:
    assert [r[0] for r in rows[2:]] == ["NN", "NQU"] and all(len(r) == len(rows[0]) for r in rows)
assert 0 < float(first[2][4]) < float(first[2][5]) < float(first[2][7]) <= 100
END
