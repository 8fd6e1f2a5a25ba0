#!/bin/bash
# Rows of studies that are not workloads of heddle's own: users' kernels, recordings, programs at
# once, points of networks; rows made of groups, and means over some; costs as metrics.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# study STATUS ARGUMENT... - heddle study with that exit status; out.txt and err.txt hold what it said.
study() {
    local want=$1
    shift
    "$HEDDLE" study "$@" >out.txt 2>err.txt </dev/null
    local status=$?
    [ $status -eq "$want" ] || fail "heddle study $*: exit status $status: $(head -n 3 err.txt)"
}

# one_line PATTERN - the complaint is one line, and that one.
one_line() {
    [ "$(wc -l <err.txt)" -eq 1 ] && grep -qE -- "$1" err.txt || fail "no \"$1\": $(head -n 3 err.txt)"
}

# value CSV FIGURE VARIANT WORKLOAD
value() { sed -nE "s/^value,$2,$3,$4,,([^,]*),.*/\1/p" "$1"; }

# --- a kernel of one's own, from an empty folder --------------------------------------------------

mkdir -p own/kernels own/elsewhere
cp "$HEDDLE_SOURCE"/examples/saxpy/{saxpy.ptx,saxpy.yaml,expected.txt} own/kernels
cat >own/mine.yaml <<'END'
title: saxpy and the L1
machine: icc60
size: tiny
workloads:
  - HS
  - {name: mine, ptx: kernels/saxpy.ptx, launch: kernels/saxpy.yaml}
variants:
  small: {set: {l1.mshrs: 4}}
  large: {set: {l1.mshrs: 32}}
figures:
  speed: {expr: ipc / base.ipc, baseline: small}
END
cd own/elsewhere || exit 2
study 0 ../mine.yaml --list
grep -q '^small/mine .*to be done' out.txt || fail "--list: $(cat out.txt)"
study 0 ../mine.yaml --jobs 2
[ ! -s err.txt ] || fail "standard error: $(head -n 3 err.txt)"
grep -qE '^ +mine +1\.000 +1\.' out.txt || fail "no figure: $(cat out.txt)"
"$HEDDLE" run -m icc60 --ptx ../kernels/saxpy.ptx --launch ../kernels/saxpy.yaml --set l1.mshrs=4 \
    --json run.json >/dev/null || fail "heddle run: exit status $?"
if command -v python3 >/dev/null; then
    python3 - <<'END' || fail "a study's run is not that of heddle run"
import json, sqlite3
run = json.load(open("run.json"))
row = sqlite3.connect("out/mine/results.db").execute(
    "select cycles, digest from run where workload = 'mine' and variant = 'small'").fetchone()
assert row[0] == run["cycles"], row
assert row[1] & (2**64 - 1) == int(run["digest"], 16), (row, run["digest"])
END
fi
[ -n "$(find out/mine/streams -name 'saxpy-1-*.hds')" ] || fail "streams: $(ls out/mine/streams)"

# todo WHAT... - the runs that are not done.
todo() {
    "$HEDDLE" study "../mine.yaml" --list >list.txt || fail "--list: exit status $?"
    local got
    got=$(sed -nE 's/^([^ ]*) .*to be done$/\1/p' list.txt | tr '\n' ' ')
    [ "$got" = "${*:+$* }" ] || fail "to be done: $got, expected: $*"
}
todo
touch ../kernels/saxpy.ptx ../kernels/saxpy.yaml
todo
echo '// edited' >>../kernels/saxpy.ptx
todo small/mine large/mine
study 0 ../mine.yaml
todo
echo '# edited' >>../kernels/saxpy.yaml
todo small/mine large/mine
study 0 ../mine.yaml
echo >>../kernels/expected.txt # a file that the launch file names
todo small/mine large/mine
study 0 ../mine.yaml
"$HEDDLE" report out/mine >out.txt 2>err.txt || fail "report: $(cat err.txt)"

# A wrong result is a failed run; the others are done.
sed -i 's/value: 2.5/value: 2.75/' ../kernels/saxpy.yaml
study 1 ../mine.yaml
grep -qE 'small/mine: recording saxpy: .*saxpy.yaml:[0-9]+: y\[1\] is 2.375, expected 2.25' err.txt ||
    fail "a wrong result: $(cat err.txt)"
"$HEDDLE" study ../mine.yaml --list | grep -q '^small/mine .*failed before' || fail "--list knows no failure"
sed -i 's/value: 2.75/value: 2.5/' ../kernels/saxpy.yaml
todo # what was right before is right again
cd ../..

# --- recordings and programs at once --------------------------------------------------------------

"$HEDDLE" record -w HS@tiny -o own/old.hds >/dev/null || fail "record: exit status $?"
cat >own/pairs.yaml <<'END'
machine: icc60
size: tiny
workloads:
  - HS
  - {name: old, trace: old.hds}
  - {name: pair, programs: [HS@tiny, BFS]}
  - {name: window, window: 4000,
     programs: [{trace: old.hds}, {ptx: kernels/saxpy.ptx, launch: kernels/saxpy.yaml}, HS]}
variants: {a: {}}
metrics:
  fairness: min(program0.progress, program1.progress) / max(program0.progress, program1.progress)
figures:
  ipc: {expr: ipc, workloads: [HS, old], mean: none}
  stp: {expr: stp, workloads: [pair, window], mean: none}
  antt: {expr: antt, workloads: [pair], mean: none}
  same: {expr: antt.same_sms, workloads: [pair], mean: none}
  first: {expr: program0.cycles, workloads: [pair], mean: none}
  restarts: {expr: program1.runs, workloads: [window], mean: none}
  fair: {metric: fairness, workloads: [pair], mean: none}
END
study 0 own/pairs.yaml --jobs 2 --csv pairs.csv
[ "$(value pairs.csv ipc a HS)" = "$(value pairs.csv ipc a old)" ] || fail "a recording is not what was recorded"
[ "$(find out/pairs/streams -name '*.hds' | wc -l)" -eq 3 ] || fail "streams: $(ls out/pairs/streams)"
"$HEDDLE" run -m icc60 -w HS@tiny -w BFS@tiny --json pair.json >/dev/null || fail "run: exit status $?"
if command -v python3 >/dev/null; then
    python3 - "$(value pairs.csv stp a pair)" "$(value pairs.csv antt a pair)" "$(value pairs.csv same a pair)" \
        "$(value pairs.csv first a pair)" <<'END' || fail "not what heddle run says: $(cat pairs.csv)"
import json, sys
run = json.load(open("pair.json"))
near = lambda x, y: abs(float(x) - y) <= 1e-9 * y
progress = [p["progress"]["machine"] for p in run["programs"]]
same = [p["progress"]["same_sms"] for p in run["programs"]]
assert near(sys.argv[1], sum(progress)) and near(sys.argv[2], sum(1 / p for p in progress) / 2)
assert near(sys.argv[3], sum(1 / p for p in same) / 2)
assert near(sys.argv[4], run["programs"][0]["cycles"])
END
fi
[ "$(value pairs.csv restarts a window)" -ge 2 ] || fail "no restarts in a window: $(cat pairs.csv)"
study 0 own/pairs.yaml --jobs 1 --out again --csv again.csv
cmp -s <(sed '/^#/d' pairs.csv) <(sed '/^#/d' again.csv) || fail "another number of processes, other results"

# --- groups, combinations and means ---------------------------------------------------------------

cat >own/many.yaml <<'END'
machine: icc60
size: tiny
groups: {up: [HS, BT], down: [BFS, NN], all: [up, down]}
workloads:
  - HS
  - BT
  - BFS
  - NN
  - {name: small, workload: up, size: small}
  - {name: mixed, programs: [up, down], window: 4000}
  - {name: same, programs: [all, all], window: 4000}
quick: {workloads: [up, mixed], sample: {mixed: 2}}
variants: {plain: {}, big: {set: {l1.size: 96K}}}
figures:
  gain: {expr: ipc / base.ipc, baseline: plain, variants: [big], workloads: [all]}
  ipc:
    expr: ipc
    workloads: [all]
    beside: [geometric, {name: winners, where: "value(gain, big, row) > 1"}, {name: up_mean, of: [up]}]
    paper: [{variant: big, workload: up_mean, value: 500, source: mine}]
  stp: {expr: stp, workloads: [mixed], rows: none, beside: [arithmetic]}
END
study 0 own/many.yaml --list
grep -q 'workloads: 16$' out.txt && grep -q '^plain/mixed_BT_NN@tiny ' out.txt || fail "combinations: $(cat out.txt)"
! grep -q '/small_\|/same_' out.txt || fail "rows that no figure asks for: $(cat out.txt)"
study 0 own/many.yaml --quick --list
[ "$(grep -o '^big/mixed[^ ]*' out.txt | tr '\n' ' ')" = 'big/mixed_HS_BFS@tiny big/mixed_BT_NN@tiny ' ] || fail "a sample: $(cat out.txt)"
study 0 own/many.yaml --only DOWN --list
[ "$(grep -c '^plain/' out.txt)" -eq 2 ] && grep -q '^plain/NN@tiny' out.txt || fail "--only of a group: $(cat out.txt)"
study 0 own/many.yaml --jobs 2 --csv many.csv
grep -q '^  mean .*' out.txt && ! grep -q '^  mixed_' out.txt || fail "rows: none prints rows: $(cat out.txt)"
awk -F, '$1 == "value" { v[$2 "," $3 "," $4] = $6; n[$2]++ }
    function near(x, y) { return x - y < 1e-9 && y - x < 1e-9 }
    END { exit !(n["stp"] == 2 * 6 && near(v["ipc,big,up_mean"], (v["ipc,big,HS"] + v["ipc,big,BT"]) / 2) &&
                 near(v["ipc,plain,geometric"] ^ 4 / (v["ipc,plain,HS"] * v["ipc,plain,BT"] * v["ipc,plain,BFS"] * v["ipc,plain,NN"]), 1) &&
                 near(v["stp,big,mean"], v["stp,big,arithmetic"])) }' many.csv || fail "means: $(cat many.csv)"
grep -q '^paper,ipc,big,up_mean,' many.csv || fail "no verdict on a mean: $(cat many.csv)"
"$HEDDLE" report out/many >out.txt 2>err.txt || fail "report: $(cat err.txt)"
grep -q '<th scope="[a-z]*"[^>]*>winners of [0-4]' out/many/report.html && grep -q 'mixed_BT_NN' out/many/report.html ||
    fail "a page without its means or rows"
sed -i 's/value(gain, big, row)/value(ipc, big, winners)/' own/many.yaml
study 2 own/many.yaml --list
one_line '^heddle: own/many\.yaml:19: where: the rows of mean winners depend on that mean itself'

# --- networks -------------------------------------------------------------------------------------

cat >own/net.yaml <<'END'
workloads:
  - {name: load, kind: noc, cross: {traffic.rate: [0.05, 0.2]}}
  - {name: most, kind: saturation}
  - {name: priced, kind: noc_cost}
variants:
  rim: {machine: mesh8_gpu56}
  column: {base: rim, set: {mesh.mem: [0, 8, 16, 24, 32, 40, 48, 56]}}
figures:
  latency: {expr: latency, workloads: [load], chart: lines, mean: none}
  tail: {expr: latency.p99 / latency.p50, workloads: [load], mean: none}
  accepted: {expr: accepted, workloads: [load], mean: none}
  power: {expr: power, workloads: [load], mean: none}
  efficiency: {expr: accepted / cost.noc.area, workloads: [load], mean: none}
  area: {expr: cost.noc.area, workloads: [priced], mean: none}
  knee: {expr: knee, workloads: [most], mean: none}
END
sed -i 's/kind: \(noc\|saturation\)\([,}]\)/kind: \1, set: {measure.warmup: 1000, measure.cycles: 3000, measure.step: 0.1}\2/' own/net.yaml
study 0 own/net.yaml --jobs 2 --csv net.csv
[ -z "$(find out/net/streams -name '*.hds')" ] || fail "networks have no streams"
"$HEDDLE" noc -m mesh8_gpu56 --rate 0.05 --set measure.warmup=1000 --set measure.cycles=3000 --csv point.csv >/dev/null ||
    fail "noc: exit status $?"
[ "$(value net.csv accepted rim load_0.05 | cut -c1-8)" = "$(sed '/^#/d' point.csv | sed -n 2p | cut -d, -f2 | cut -c1-8)" ] ||
    fail "not what heddle noc says: $(cat point.csv) $(cat net.csv)"
awk -F, '$1 == "value" { v[$2 "," $3 "," $4] = $6 }
    END { exit !(v["latency,rim,load_0.2"] > v["latency,rim,load_0.05"] && v["power,rim,load_0.2"] > v["power,rim,load_0.05"] &&
                 v["knee,column,most"] > 0 && v["knee,rim,most"] >= v["knee,column,most"] &&
                 v["efficiency,rim,load_0.2"] * v["area,rim,priced"] / v["accepted,rim,load_0.2"] - 1 < 1e-9) }' net.csv ||
    fail "networks: $(cat net.csv)"
study 0 own/net.yaml --only load,latency,rim --list
[ "$(grep -c '^rim/load_' out.txt)" -eq 2 ] && ! grep -q column out.txt || fail "--only of a line's rows: $(cat out.txt)"
sed -i 's/0.05, 0.2\]/0.05, 0.2, 0.1]/' own/net.yaml
study 0 own/net.yaml --list
[ "$(grep -c 'to be done' out.txt)" -eq 4 ] || fail "one load more: $(cat out.txt)" # and its costs

# --- costs beside runs ----------------------------------------------------------------------------

cat >own/both.yaml <<'END'
machine: icc60
size: tiny
workloads: [HS]
variants: {plain: {}, big: {set: {l1.size: 96K}}}
metrics: {density: ipc / cost.l1.area}
figures:
  speed: {expr: ipc / base.ipc, baseline: plain}
END
study 0 own/both.yaml
echo '  value: {expr: density / base.density, baseline: plain}' >>own/both.yaml
study 0 own/both.yaml --list
[ "$(grep -c 'to be done' out.txt)" -eq 2 ] && grep -q '^big/cost .*to be done' out.txt ||
    fail "costs run kernels again: $(cat out.txt)"
study 0 own/both.yaml --csv both.csv
"$HEDDLE" report out/both >out.txt 2>err.txt || fail "report: $(cat err.txt)"
awk -F, '$1 == "value" && $3 == "big" && $4 == "HS" { v[$2] = $6 }
    END { exit !(v["value"] > 0 && v["value"] < v["speed"]) }' both.csv || fail "no density: $(cat both.csv)"

# --- mistakes -------------------------------------------------------------------------------------

# mistake ROW PATTERN - refused before anything is run, with the line of the study.
mistake() {
    printf '%s\n' 'machine: icc60' 'variants: {a: {}}' 'figures: {f: {expr: ipc}}' 'workloads:' "  - $1" >own/bad.yaml
    study 2 own/bad.yaml --out bad
    one_line "^heddle: own/bad\.yaml:5: $2"
    [ ! -e bad ] || fail "$1: something was run"
}
kernel='launch: kernels/saxpy.yaml'
mistake '{name: m, ptx: none.ptx, launch: kernels/saxpy.yaml}' 'ptx: own/none\.ptx: cannot read: No such file'
mistake '{name: m, ptx: kernels/saxpy.ptx, launch: none.yaml}' 'launch: own/none\.yaml: cannot read'
mistake '{name: m, ptx: kernels/saxpy.ptx}' 'ptx and launch need each other'
mistake '{name: m, trace: mine.yaml}' 'trace: own/mine\.yaml: not a recorded'
mistake '{name: m, programs: [HS@tiny, BFX@tiny]}' 'no workload "BFX"; did you mean BFS\?'
mistake 'saxpy' 'no workload "saxpy"'
cp "$HEDDLE_SOURCE/examples/saxpy/saxpy.cu" own/kernels
mistake "{name: m, ptx: kernels/saxpy.cu, $kernel}" 'workload m: own/kernels/saxpy\.cu: CUDA source, not PTX'
echo 'no PTX at all' >own/kernels/not.ptx
mistake "{name: m, ptx: kernels/not.ptx, $kernel}" 'workload m: own/kernels/not\.ptx:1'
sed 's/kernel: saxpy/kernel: saxpi/' own/kernels/saxpy.yaml >own/kernels/l.yaml
mistake '{name: m, ptx: kernels/saxpy.ptx, launch: kernels/l.yaml}' 'workload m: own/kernels/l\.yaml:[0-9]+: .*no kernel "saxpi"'
sed 's/\[n, a, x, y\]/[n, a, x]/' own/kernels/saxpy.yaml >own/kernels/l.yaml
mistake '{name: m, ptx: kernels/saxpy.ptx, launch: kernels/l.yaml}' 'workload m: own/kernels/l\.yaml:[0-9]+: .*16 bytes of parameters given, it has 24'
sed 's/count:/cuont:/' own/kernels/saxpy.yaml >own/kernels/l.yaml
mistake '{name: m, ptx: kernels/saxpy.ptx, launch: kernels/l.yaml}' 'workload m: own/kernels/l\.yaml:3: cuont: unknown key; did you mean count'
sed 's/expected.txt/gone.txt/' own/kernels/saxpy.yaml >own/kernels/l.yaml
mistake '{name: m, ptx: kernels/saxpy.ptx, launch: kernels/l.yaml}' 'launch: own/kernels/l\.yaml:[0-9]+: file: own/kernels/gone\.txt: cannot read'

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
