#!/bin/bash
# Sweeps: heddle run with several values, and cross: in a study.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
export TMPDIR=$PWD/tmp
mkdir -p "$TMPDIR"
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# expect STATUS COMMAND... - heddle with that exit status; out.txt and err.txt hold what it said.
expect() {
    local want=$1
    shift
    "$HEDDLE" "$@" >out.txt 2>err.txt </dev/null
    local status=$?
    [ $status -eq "$want" ] || fail "heddle $*: exit status $status: $(head -n 3 err.txt)"
    [ -z "$(ls -A "$TMPDIR")" ] || fail "heddle $*: left behind: $(ls -A "$TMPDIR")"
}

# one_line PATTERN - the complaint is one line, and that one.
one_line() {
    [ "$(wc -l <err.txt)" -eq 1 ] && grep -qE -- "$1" err.txt || fail "no \"$1\": $(head -n 3 err.txt)"
}

# same FILE FILE - the same results, whoever made the files.
same() { cmp -s <(sed '/^#/d' "$1") <(sed '/^#/d' "$2"); }

# value FILE.csv LINE COLUMN - of a table with a head; lines count from 1.
value() {
    grep -v '^#' "$1" | awk -F, -v line="$2" -v column="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == line + 1 { print $at[column] }'
}

# digest ARGUMENT... - of one run.
digest() { "$HEDDLE" run "$@" --json - | sed -nE 's/^  "digest": "([0-9a-f]+)".*/\1/p'; }

# --- heddle run -------------------------------------------------------------------------------

sweep=(-m icc60 -w BP@tiny --set l1.mshrs=4,16 --set gpu.cta_scheduler=rr,distributed)
expect 0 run "${sweep[@]}" --csv s.csv --json s.json
[ ! -s err.txt ] || fail "not quiet in a pipe: $(head -n 3 err.txt)"
grep -q '^BP@tiny on icc60: 4 runs in ' out.txt || fail "no headline: $(head -n 2 out.txt)"
grep -qE '^l1\.mshrs +gpu\.cta_scheduler +cycles +speed +IPC +L1 hit % +L2 hit % +latency +in networks +DRAM GB/s +mJ +energy$' \
    out.txt || fail "another table: $(cat out.txt)"
sed -nE 's/^([0-9]+) +([a-z]+) +[0-9]+ +[0-9].*/\1 \2/p' out.txt | paste -sd, |
    grep -qx '4 rr,4 distributed,16 rr,16 distributed' || fail "other rows: $(cat out.txt)"
grep -qE '^4 +rr +[0-9]+ +1\.000 .* 1\.000$' out.txt || fail "the first row is not 1: $(cat out.txt)"

# A run of a sweep is the run alone.
head -n 3 s.csv | grep -q '^# command: heddle run -m icc60 .*--json s\.json$' || fail "no command: $(head -n 3 s.csv)"
[ "$(grep -vc '^#' s.csv)" -eq 5 ] || fail "not four lines in the CSV"
[ "$(grep -v '^#' s.csv | awk -F, '{ print NF }' | sort -u | wc -l)" -eq 1 ] || fail "lines of different lengths"
[ "$(value s.csv 3 l1.mshrs) $(value s.csv 3 gpu.cta_scheduler)" = "16 rr" ] || fail "CSV: another third line"
[ "$(value s.csv 3 digest)" = "$(digest -m icc60 -w BP@tiny --set l1.mshrs=16 --set gpu.cta_scheduler=rr)" ] ||
    fail "16, rr: not the run alone"
[ "$(value s.csv 2 digest)" = "$(digest -m icc60 -w BP@tiny --set l1.mshrs=4 --set gpu.cta_scheduler=distributed)" ] ||
    fail "4, distributed: not the run alone"
"$HEDDLE" run -m icc60 -w BP@tiny --set l1.mshrs=16 --csv one.csv >/dev/null
[ "$(value s.csv 3 cycles)" = "$(sed -n 's/^cycles,//p' one.csv)" ] || fail "CSV: other cycles"
[ "$(value s.csv 3 dram.reads)" = "$(sed -n 's/^dram\.reads,//p' one.csv)" ] || fail "CSV: other dram.reads"
grep -q '"settings": {"l1.mshrs": "16", "gpu.cta_scheduler": "rr"}' s.json || fail "JSON: no settings"
grep -q '"command": "heddle run -m icc60 ' s.json || fail "JSON: no command"
[ "$(grep -c '"digest": ' s.json)" -eq 4 ] || fail "JSON: not four runs"
if command -v python3 >/dev/null; then
    python3 -m json.tool s.json >/dev/null || fail "s.json is no JSON"
fi

# The number of processes changes nothing; standard output has the document alone.
expect 0 run "${sweep[@]}" --jobs 1 --csv -
same out.txt s.csv || fail "another number of processes, other results"

# Machines, recordings, PTX of one's own.
expect 0 run -m icc60 -m cdxbar80 -w BP@tiny --csv m.csv
grep -qE '^machine +cycles ' out.txt && grep -qE '^cdxbar80 +[0-9]+ ' out.txt || fail "machines: $(cat out.txt)"
[ "$(value m.csv 2 digest)" = "$(digest -m cdxbar80 -w BP@tiny)" ] || fail "cdxbar80: not the run alone"
[ "$(grep -v '^#' m.csv | awk -F, '{ print NF }' | sort -u | wc -l)" -eq 1 ] || fail "machines: lines of different lengths"
"$HEDDLE" record -w BP@tiny -o bp.hds >/dev/null || fail "record"
expect 0 run -m icc60 --trace bp.hds --set l1.mshrs=4,16 --csv t.csv
[ "$(value t.csv 2 digest)" = "$(value s.csv 3 digest)" ] || fail "a recording has other results"
[ -s bp.hds ] || fail "the recording is gone"
cat >copy.ptx <<'EOF'
.version 6.3
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 to, .param .u64 from)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [to];
    ld.param.u64 %rd2, [from];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    add.s64 %rd5, %rd1, %rd3;
    ld.global.u32 %r2, [%rd4];
    st.global.u32 [%rd5], %r2;
    ret;
}
EOF
cat >copy.yaml <<'EOF'
buffers:
  from: {type: u32, count: 64, iota: 5}
  to: {type: u32, count: 64}
launches:
  - {kernel: copy, grid: 1, block: 64, args: [to, from]}
expects:
  - {buffer: to, iota: 5}
EOF
expect 0 run -m icc60 --ptx copy.ptx --launch copy.yaml --set l1.latency=20,60
grep -q '^copy\.ptx on icc60: 2 runs' out.txt || fail "PTX: $(cat out.txt)"
sed -i '/buffer: to/s/iota: 5/iota: 6/' copy.yaml
expect 1 run -m icc60 --ptx copy.ptx --launch copy.yaml --set l1.latency=20,60
one_line 'copy'

# Values with commas of their own are values.
expect 0 run -m icc60 -w BP@tiny --set mesh.mem=1,2
grep -q '^BP@tiny on icc60$' out.txt || fail "a list was split: $(head -n 2 out.txt)"

# A run that is stopped has what it has.
expect 4 run -m icc60 -w BP@tiny --set l1.mshrs=4,16 --max-cycles 500
one_line '^heddle: 2 of 2 runs were stopped by their budget$'
grep -qE '^16 +500 .* partial$' out.txt || fail "partial: $(cat out.txt)"

# One that fails does not end the others.
expect 1 run -m icc60 -w BP@tiny --set sm.shared=64,48K,96K --csv f.csv
one_line '^heddle: 1 of 3 runs failed, the first: sm\.shared=64: status 2: kernel .* needs 1088 '
grep -qE '^64 .* failed$' out.txt && grep -qE '^48K +[0-9]+ +1\.000 .* done$' out.txt || fail "failed: $(cat out.txt)"
[ "$(value f.csv 1 run)$(value f.csv 1 cycles) $(value f.csv 2 run)" = "failed done" ] ||
    fail "CSV of failures: $(cut -c1-60 f.csv)"

# --- what is refused --------------------------------------------------------------------------

for option in "--timeline t.json" "--series t.csv" --details "--window 1000" "-w HS@tiny"; do
    expect 2 run "${sweep[@]}" $option
    one_line '^heddle: run: .* not for sweeps, which are one table of one program$'
done
expect 2 run -m icc60 -w BP@tiny --set l1.size=16K,
one_line '^heddle: --set l1\.size=16K,: expected values with commas between, each once$'
expect 2 run -m icc60 -w BP@tiny --set l1.size=16K,32Q
one_line '^heddle: --set l1\.size=32Q: expected an integer'
expect 2 run -m icc60 -w BP@tiny --set gpu.cta_scheduler=rr,distribted
one_line 'did you mean distributed\?$'
expect 2 run -m icc60 -m icc6 -w BP@tiny
one_line 'no machine "icc6"; did you mean icc60\?$'
expect 2 run -m icc60 -w BP@tiny --jobs 2
one_line '^heddle: run: --jobs is for sweeps'

# --- interrupted ------------------------------------------------------------------------------

"$HEDDLE" run -m icc60 -w MM@study --set l1.mshrs=4,8,16,32 --jobs 2 >out.txt 2>err.txt &
running=$!
sleep 1
kill -TERM $running
wait $running
status=$?
if [ $status -ne 0 ]; then # it may have been quicker
    [ $status -eq 4 ] || fail "interrupted: exit status $status"
    one_line '^heddle: interrupted: [0-4] of 4 runs were done, and nothing is kept$'
fi
[ -z "$(ls -A "$TMPDIR")" ] || fail "interrupted: left behind: $(ls -A "$TMPDIR")"

# --- a study ----------------------------------------------------------------------------------

cat >own.yaml <<'EOF'
machine: icc60
size: tiny
workloads: [BP, HS]
cross: {l1.mshrs: [4, 16, 64], gpu.cta_scheduler: [rr, distributed]}
figures:
  speed:
    expr: ipc / base.ipc
    baseline: {l1.mshrs: 4}
    where: {gpu.cta_scheduler: rr}
    claims:
      - {text: more MSHRs help, expr: "value(speed, mshrs64_rr, mean) > 1"}
      - {text: they double the speed, expr: "value(speed, mshrs64_rr, mean) > 2"}
  hits: {expr: l2_hit_rate}
EOF
expect 0 study own.yaml --jobs 2
grep -q '^1 of 2 claims hold$' out.txt || fail "own claims: $(cat out.txt)"
grep -qE '^  more MSHRs help +holds$' out.txt || fail "own claims: $(cat out.txt)"
grep -qiE 'paper|reproduced' out.txt && fail "an own study speaks of a paper: $(cat out.txt)"
grep -qE '^ +mshrs4_rr +mshrs16_rr +mshrs64_rr$' out.txt || fail "no columns by axis: $(cat out.txt)"
grep -qE '^  BP +1\.000 +1\.[0-9]+ +1\.[0-9]+$' out.txt || fail "the baseline is not 1: $(cat out.txt)"
grep -qE '^  BP +[0-9]+\.[0-9] % ' out.txt || fail "no percents: $(cat out.txt)"
grep -q '^value,hits,mshrs16_distributed,HS,,[0-9]' out/own/results.csv || fail "CSV: $(cat out/own/results.csv)"
grep -q '^claim,speed,,,,0,,fails,,they double the speed$' out/own/results.csv || fail "CSV: no claim"
grep -q '"settings": \[{"l1.mshrs": "4", "gpu.cta_scheduler": "rr"}' out/own/results.json || fail "JSON: no settings"
grep -q '"verdict": "holds"' out/own/results.json || fail "JSON: no verdict"
[ "$(tail -n 1 out/own/verdicts.md)" = "1 of 2 claims hold." ] || fail "verdicts.md: $(cat out/own/verdicts.md)"

# The same as heddle run's, by name.
expect 0 study own.yaml --only mshrs16_rr,hits --csv - --out part
[ "$(sed -n 's/^value,hits,mshrs16_rr,BP,,//p' out.txt | cut -d, -f1)" = "$(value s.csv 3 l2_hit_rate)" ] ||
    fail "a study has other hits than heddle run: $(cat out.txt)"
sed -i 's/cta_scheduler: rr}/cta_scheduler: rt}/' own.yaml
expect 2 study own.yaml
one_line '^heddle: own\.yaml:9: gpu\.cta_scheduler: no value of gpu\.cta_scheduler "rt"; did you mean rr\?$'

exit $((failed > 0))
