#!/bin/bash
# Workloads on machines, audited: outputs right, nothing lost, results as documented.  Every machine
# has a quarter of the workloads, every workload a quarter of the machines; with HEDDLE_CHECK_FULL=1
# all have all.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# one MACHINE WORKLOAD - leaves MACHINE.WORKLOAD.json, and .err when something is wrong.
one() {
    "$HEDDLE" run -m "$1" -w "$2@tiny" --check --json "$1.$2.json" >"$1.$2.out" 2>"$1.$2.err" ||
        echo "exit status $?" >>"$1.$2.err"
    grep -q '^outputs checked: all right; ' "$1.$2.out" || echo "not checked" >>"$1.$2.err"
    grep -E '(nan|inf)\b' "$1.$2.out" >>"$1.$2.err" || [ -s "$1.$2.err" ] || rm -f "$1.$2.err"
    rm "$1.$2.out"
}
export -f one

"$HEDDLE" list machines --names >machines
"$HEDDLE" list workloads --names >workloads
[ "$(wc -l <machines)" -ge 17 ] && [ "$(wc -l <workloads)" -ge 11 ] || fail "too few to run"
[ "${HEDDLE_CHECK_FULL:-0}" = 1 ] && every=1 || every=4
turn=0
while read -r machine; do
    awk -v m="$machine" -v turn=$((turn++)) -v every=$every \
        '(NR + turn) % every == 0 { print m, $1 }' workloads
done <machines >jobs
xargs -P 2 -L 1 bash -c 'one "$0" "$1"' <jobs

for bad in *.err; do
    [ -e "$bad" ] && fail "$bad: $(head -n 3 "$bad")"
done
runs=$(find . -name '*.json' | wc -l)
[ "$runs" -eq "$(wc -l <jobs)" ] || fail "$runs results"
[ "$(cut -d ' ' -f 2 jobs | sort -u | wc -l)" -eq "$(wc -l <workloads)" ] || fail "not every workload"

command -v python3 >/dev/null || exit $((failed > 0))
"$HEDDLE" list stats --names >stats
python3 - <<'END' || fail "results are not as documented"
import glob, json, math, re

known = set(open("stats").read().split())
number = (int, float, type(None))

def near(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)

for path in sorted(glob.glob("*.json")):
    r = json.load(open(path))
    machine, workload = path.split(".")[:2]
    assert r["schema"] == 1 and r["machine"] == machine, path
    assert r["workload"] == workload + "@tiny", path
    assert type(r["cycles"]) is int and r["cycles"] > 0 and r["ipc"] > 0 and r["wall_s"] > 0, path
    assert r["partial"] is False and r["checked"] is True and len(r["digest"]) == 16, path
    s = r["stats"]
    assert all(isinstance(v, number) for v in s.values()), path
    assert s["cycles"] == r["cycles"] and s["ipc"] == r["ipc"], path
    base = {k[:-2] if k.endswith(".n") else k for k in s}
    base = {k for k in base if not re.search(r"[.]((router|switch|end)_\d+x\d+|(link|optical)_\d+um(_\d+c)?(_\d+w)?)[.]flits$", k)}
    if "noc.flits_in" not in s: # with one network the names lack a direction
        assert base <= known | {"noc.request.digest", "noc.reply.digest"}, (path, base - known)
    # What is shared out adds up to the whole.
    shares = [v for k, v in s.items() if k.endswith("_share")]
    assert near(sum(shares), 100), (path, sum(shares))
    parts = [v for k, v in s.items() if k.startswith("latency_")]
    if s["latency"] is None: # nothing was read
        assert all(v is None for v in parts) and s["l1.read.answers"] == 0, path
    else:
        assert near(sum(parts), s["latency"]), path
    assert s["sm.thread_insns"] == sum(v for k, v in s.items() if k.startswith("sm.threads_")), path
    # The machines of 2009 have no L2: what comes is what DRAM does.
    if machine.startswith(("coalesce28", "intra56")):
        assert all(s["l2.%s_hits" % k] == 0 for k in ("read", "write", "atomic")), path
        assert s["l2.read_merges"] == s["l2.write_merges"] == s["l2.atomic_merges"] == 0, path
        atomics = s["l2.atomic_misses"]
        assert s["dram.reads"] == s["l2.read_misses"] + atomics, path
        assert s["l2.read_misses"] == s["l1.read.answers"], path
        assert s["dram.writes"] == s["l2.write_misses"] + atomics, path
        burst = 32 if "_x2" in machine else 16
        assert s["dram.read_bytes"] == burst * s["dram.read_bursts"] and s["dram_use"] <= 100, path
    for name, bill in r["energy"].items():
        assert bill["total_j"] > bill["static_j"] > 0, (path, name)
        assert near(sum(bill["parts"].values()), bill["total_j"]), (path, name)
        assert math.isclose(sum(i["joules"] for i in bill["items"]), bill["total_j"], rel_tol=1e-12)
        assert all(i["joules"] >= 0 for i in bill["items"]), (path, name)
        of = {k: s["energy.%s.%s" % (name, k)] for k in bill["parts"]}
        assert of == bill["parts"] and s["energy.%s.total" % name] == bill["total_j"], (path, name)
    for k in r["kernels"]:
        assert k["ctas_done"] == k["ctas"] and k["end"] > k["begin"], path
        assert all(isinstance(v, number) for v in k["stats"].values()), path
    for name in "sm.issued", "sm.ctas", "l1.read.answers":
        assert s[name] == sum(k["stats"][name] for k in r["kernels"]), (path, name)
    assert all(0 <= v <= 100.0001 for k, v in s.items()
               if v is not None and k.endswith(("_rate", "_use", "_share"))), path
END

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
