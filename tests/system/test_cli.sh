#!/bin/bash
# What the program prints when all is well: help, lists, counts, tables, JSON, CSV, pictures; and
# that the ways of running a network differ in speed only.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C

mesh=mesh8_uniform_p1_v4b8
brief=(--set measure.warmup=300 --set measure.cycles=500)
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# run ARGUMENT... - must succeed and be silent on standard error; what it prints is in `out`.
run() {
    "$HEDDLE" "$@" >out 2>err </dev/null || fail "heddle $*: exit status $?"
    [ ! -s err ] || fail "heddle $*: standard error: $(head -n 3 err)"
    [ -s out ] || fail "heddle $*: prints nothing"
}

# has PATTERN... - each is found in the output.
has() {
    local pattern
    for pattern in "$@"; do
        grep -qE -- "$pattern" out || fail "no \"$pattern\" in the output: $(head -n 3 out)"
    done
}

# --- help, version ---------------------------------------------------------------------------

for word in --help -h help; do
    run $word
    has '^usage: heddle COMMAND' '^  noc +[a-z]' '^  list +[a-z]' '^exit status: 0 done'
done
run --version
has '^heddle [0-9]+\.[0-9]+'
[ "$(wc -l <out)" -eq 1 ] || fail "--version prints more than one line"

sed -nE 's/^  ([a-z]+) +.*/\1/p' <("$HEDDLE" --help) >commands
[ "$(wc -l <commands)" -ge 2 ] || fail "no commands in --help"
while read -r command; do
    run "$command" --help
    has "^usage: heddle $command"
    [ "$(awk 'length > 100' out)" = '' ] || fail "heddle $command --help: lines over 100 characters"
done <commands

run help noc # the same as noc --help
has '^usage: heddle noc'
refuse_help() { "$HEDDLE" help nothing >/dev/null 2>&1; [ $? -eq 2 ]; }
refuse_help || fail "heddle help nothing: not refused"

# Every option that --help shows is understood: without a network there is nothing but that to say.
for option in $("$HEDDLE" noc --help | grep -oE '^  --[a-z-]+' | sort -u); do
    value=
    case $option in
    --rate) value=0.1 ;;
    --traffic) value=uniform ;;
    --set) value=mesh.width=4 ;;
    --json | --csv | --svg | --curve) value=x ;;
    --threads | --seed | --max-cycles) value=7 ;;
    esac
    "$HEDDLE" noc "$option" $value 2>err && fail "noc $option without -m succeeds"
    grep -q -- '-m NETWORK is missing' err || fail "noc $option: $(cat err)"
done

"$HEDDLE" >out 2>err && fail "no command at all succeeds"
grep -q '^usage: heddle COMMAND' err || fail "no usage without a command"
[ ! -s out ] || fail "usage without a command goes to standard output"

# --- lists -----------------------------------------------------------------------------------

for what in machines networks topologies traffic policies params stats; do
    run list $what
    run list $what --names
    [ "$(sort out | uniq -d)" = '' ] || fail "list $what --names: names appear twice"
    run list --names $what # options may come first
done
run list networks --names
has "^$mesh\$" '^xbar64_uniform_p5_v4b8$'
"$HEDDLE" list networks | grep unusable && fail "there are unusable networks"
run list topologies --names
for name in xbar cxbar mesh smesh fly clos cdxbar ideal; do has "^$name\$"; done
run list traffic --names
for name in uniform transpose bit_complement bit_reverse neighbour hotspot many_to_few \
    few_to_many request_reply; do has "^$name\$"; done
run list policies
has '^CTA schedulers \(gpu\.cta_scheduler\)$' '^  rr +round robin over clusters' \
    '^  gto +greedy' '^  lrr ' '^  two_level ' '^  serial ' '^  fifo ' '^  banked_fifo ' '^  frfcfs ' \
    '^  islip ' '^  separable ' '^  matrix '
run list policies --names
while read -r name; do # each is what some parameter takes
    [ "$(wc -w <<<"$name")" -eq 1 ] || fail "list policies --names: $name"
done <out
run list params --names
has '^mesh\.width$' '^router\.vcs$' '^traffic\.rate$' '^sim\.seed$' '^gpu\.clusters$' \
    '^sm\.scheduler$' '^pipe\.int_latency$' '^l1\.mshrs$' '^cluster\.response_fifo$' '^l2\.ways$' \
    '^mc\.scheduler$' '^dram\.tcl$' '^map\.order$'
grep -vE '^[a-z_0-9]+\.[a-z_0-9]+$' out && fail "list params --names prints more than names"
cp out names
run list params
has '^mesh\.width +int +8 +1\.\.32768 router +routers per row$'
while read -r name; do
    grep -q "^$name " out || fail "list params does not describe $name"
done <names
run list stats
has '^noc\.request\.flits_out +counter +flit ' '^traffic\.round_trip +hist' \
    '^sm\.issued +counter +warp instruction ' '^l1\.global\.hits ' '^l2\.read_misses ' \
    '^cluster\.reads ' '^dram\.row_hits ' '^ipc +instruction/cycle ' '^latency_dram +cycle '

# --- component counts ------------------------------------------------------------------------

for name in $("$HEDDLE" list networks --names); do
    grep -q "^base: $name.yaml" "$HEDDLE_SOURCE"/networks/*.yaml && continue # need not be whole
    run noc -m "$name" --print
    has "^$name: [a-z]+, [0-9]+ nodes" '^routers +[0-9]+$' '^VC buffers +[0-9]+$' '^links +[0-9]+$'
done
run noc -m $mesh --print
has '64 nodes \(64 cores, 0 memory nodes\), one network$' '^routers +64$' '^VC buffers +1280$' \
    '^links +352$' '^crossbars +64 \(5x5\)$' \
    '^bisection  noc: 512 bytes per cycle, 8 \+ 8 channels of 32 across the middle$'
run noc -m $mesh --print --json -
has '"schema": 1' '"routers": 64'

# --- one point, a sweep, a search ------------------------------------------------------------

run noc -m $mesh "${brief[@]}"
has "^$mesh: mesh, uniform traffic\$" '^ +offered +accepted +latency' '^ +0\.1000 +0\.1' \
    '^rates in flits per source and cycle \(1 is 44\.8 GB/s\), times in cycles \(of 0\.714 ns\)$'
run noc -m $mesh "${brief[@]}" --rate 0.1:0.3:0.1
[ "$(grep -cE '^ +0\.[123]000 ' out)" -eq 3 ] || fail "a sweep of three rates has other rows"
run noc -m $mesh "${brief[@]}" --traffic transpose --rate 0.9
has 'transpose traffic' 'saturated$'
run noc -m $mesh "${brief[@]}" --set mesh.mem=0-7 --traffic request_reply
has 'request_reply traffic' 'round trip$'
run noc -m $mesh "${brief[@]}" --set mesh.width=4 --set mesh.height=4 --saturation=0.1
has '^highest accepted load: 0\.[0-9]+, at [01]\.[0-9]+ offered$' \
    '^knee: 0\.[0-9]+, the highest load that settles \(latency within 3 x [0-9.]+ cycles\)$'
run noc -m $mesh "${brief[@]}" --saturation=0.1 --json s.json --csv s.csv
cp s.json out
has '"saturation": \{"highest_accepted": 0\.[0-9]+, "highest_accepted_at": [0-9.]+, "knee": 0\.[0-9]+\}' \
    '"settled": false' '"settled": true' '"zero_load": [0-9.]+'
[ "$(grep -v "^#" s.csv | cut -d, -f19 | paste -sd' ')" = "settled 0 1" ] || fail "CSV: a search has other points"
run noc -m $mesh "${brief[@]}" --rate 0.1:0.3:0.2 --set measure.settle=1.1
has '^ +0\.1000 .*[0-9]$' '^ +0\.3000 .* does not settle$'
run noc -m $mesh "${brief[@]}" --histogram --stats
has '^ +[0-9]+ +[0-9]+ #+$' '^noc\.flits_out +[0-9]+'
cp -r "$HEDDLE_SOURCE/networks/$mesh.yaml" "$HEDDLE_SOURCE/networks/base" .
run noc -m $mesh.yaml "${brief[@]}" # a file of one's own

# --- files -----------------------------------------------------------------------------------

run noc -m $mesh "${brief[@]}" --rate 0.1:0.3:0.1 --json r.json --csv r.csv --svg map.svg \
    --curve curve.svg
has '^ +0\.3000 ' # the table is printed all the same
grep -q '^# command: heddle noc -m .* --csv r\.csv' r.csv || fail "no command in the CSV: $(head -n 3 r.csv)"
sed -i "/^#/d" r.csv
[ "$(head -n 1 r.csv)" = "offered,accepted,latency_mean,latency_ci95,latency_p50,latency_p99,\
latency_max,queueing,network,hops,round_trip,saturated,converged,cycles,packets,flit_hops,digest,power_w,\
settled,zero_load" ] ||
    fail "another CSV header: $(head -n 1 r.csv)"
[ "$(wc -l <r.csv)" -eq 4 ] || fail "CSV has $(wc -l <r.csv) lines, not 4"
[ "$(awk -F, '{ print NF }' r.csv | sort -u)" = 20 ] || fail "CSV rows of different lengths"
cut -d, -f1 r.csv | tail -n +2 | paste -sd' ' | grep -qx '0.1 0.2 0.3' || fail "CSV: other rates"
cp r.json out
has '"schema": 1' "\"network\": \"$mesh\"" '"points": \[' '"config": \{' '"digest": "[0-9a-f]{16}"' \
    '"topology": "mesh"' '"wall_s": '
[ "$(grep -c '"offered"' r.json)" -eq 3 ] || fail "JSON has not three points"
"$HEDDLE" noc -m $mesh "${brief[@]}" --csv - >out
[ "$(grep -vc "^#" out)" -eq 2 ] || fail "--csv - prints more than the CSV"

# Several networks are one document: rates of each, or the search of each.
run noc -m $mesh -m cdxbar80 "${brief[@]}" --rate 0.1:0.3:0.1 --json n.json --csv n.csv
has "^$mesh: mesh, " '^cdxbar80: cdxbar, '
grep -v '^#' n.csv | cut -d, -f1,2 | paste -sd' ' | grep -qx \
    "name,offered $mesh,0.1 $mesh,0.2 $mesh,0.3 cdxbar80,0.1 cdxbar80,0.2 cdxbar80,0.3" ||
    fail "CSV of two networks: $(cat n.csv)"
cmp -s <(sed '/^#/d' r.csv) <(grep -v '^#\|cdxbar80' n.csv | cut -d, -f2-) ||
    fail "a network among others has other values"
cp n.json out
has '"networks": \[' "\"network\": \"$mesh\"" '"network": "cdxbar80"'
[ "$(grep -c '"offered"' n.json)" -eq 6 ] || fail "JSON of two networks has not six points"
run noc -m $mesh -m cdxbar80 "${brief[@]}" --saturation=0.1 --json n.json --csv n.csv
has '^network +highest accepted +at offered +knee ' "^$mesh +0\.[0-9]+ " '^cdxbar80 +0\.[0-9]+ '
grep -v '^#' n.csv | cut -d, -f1,22 | paste -sd' ' | grep -qx \
    "name,search $mesh,highest_accepted $mesh,knee cdxbar80,highest_accepted cdxbar80,knee" ||
    fail "CSV of two searches: $(cat n.csv)"
[ "$(grep -c '"saturation": {"highest_accepted"' n.json)" -eq 2 ] || fail "JSON of two searches"
"$HEDDLE" noc -m $mesh -m cdxbar80 "${brief[@]}" --csv - >out
[ "$(grep -vc '^#' out)" -eq 3 ] || fail "--csv - of two networks prints more than the CSV"
for refused in "--svg x.svg" "--print --json x.json"; do
    "$HEDDLE" noc -m $mesh -m cdxbar80 "${brief[@]}" $refused >out 2>err
    [ $? -eq 2 ] && grep -q 'is of one network, not of 2' err || fail "two networks, $refused: $(cat err)"
done

# Elements are opened and closed in order, there is one root, and nothing runs off by itself.
well_formed() {
    if command -v xmllint >/dev/null; then
        xmllint --noout "$1" 2>err || fail "$1: $(head -n 3 err)"
    fi
    grep -oE '<[^>]*>' "$1" | awk -v file="$1" '
        /^<[?!]/ || /\/>$/ { next }
        /^<\// { name = substr($0, 3, length - 3)
                 if (stack[depth--] != name) { print file ": stray </" name ">"; bad = 1; exit }
                 next }
        { name = substr($1, 2); sub(/>$/, "", name)
          if (!depth && roots++) { print file ": two roots"; bad = 1; exit }
          stack[++depth] = name }
        END { if (depth || !roots) { print file ": not closed"; bad = 1 }
              exit bad }' || fail "$1 is not well formed"
    head -n 1 "$1" | grep -q '<svg xmlns="http://www.w3.org/2000/svg"' || fail "$1 is no SVG"
    grep -qE '<script|href=' "$1" && fail "$1 is not self-contained"
    return 0
}
well_formed map.svg
well_formed curve.svg
run noc -m $mesh "${brief[@]}" --set noc.topology=cdxbar --set noc.networks=two \
    --traffic request_reply --svg cd.svg
well_formed cd.svg
[ -z "$(find . -name '*.part*')" ] || fail "left behind: $(find . -name '*.part*')"

# --- the same results, however they are computed ---------------------------------------------

digests() { # digests ARGUMENT... - of all points, on one line
    "$HEDDLE" noc "$@" "${brief[@]}" --json - | sed -nE 's/.*"digest": "([0-9a-f]+)".*/\1/p' |
        paste -sd' '
}

same() { # same NAME ARGUMENT... - with and without skipping, checks, the fast router, threads
    local name=$1 plain way
    shift
    plain=$(digests "$@")
    [ -n "$plain" ] || fail "$name: no digest"
    for way in '' --no-skip --slow-router --check '--threads 2' '--threads 3 --no-skip --slow-router'; do
        # shellcheck disable=SC2086  # several words, or none
        [ "$(digests "$@" $way)" = "$plain" ] || fail "$name: another digest with $way"
    done
    [ "$(digests "$@" --seed 2)" != "$plain" ] || fail "$name: seed 2 gives the digest of seed 1"
    [ "$(digests "$@" --seed 1)" = "$plain" ] || fail "$name: seed 1 is not the default"
}

same mesh -m $mesh --rate 0.1:0.4:0.1
same mesh5 -m mesh8_transpose_p5_v4b8 --rate 0.05:0.2:0.05
same xbar -m xbar64_uniform_p5_v4b8 --rate 0.2:0.6:0.2
same fly -m fly8x2_uniform_p1_v4b8 --rate 0.2:0.4:0.1
same request_reply -m $mesh --set mesh.mem=0-7 --traffic request_reply --rate 0.1:0.3:0.1
same cdxbar -m $mesh --set noc.topology=cdxbar --set noc.networks=two --traffic request_reply \
    --rate 0.2:0.4:0.2
same cxbar -m $mesh --set noc.topology=cxbar --set noc.networks=two --traffic many_to_few \
    --rate 0.1:0.2:0.1

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
