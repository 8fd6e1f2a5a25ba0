#!/bin/bash
# Whatever is wrong with the input: one line on standard error that says what and where, the exit
# status for it, nothing on standard output, and no file left behind.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C

mkdir nets cwd || exit 1
cases=0
failed=0

# refuse STATUS PATTERN ARGUMENT... - the line is "heddle: " and an extended regular expression.
refuse() {
    local want=$1 pattern=$2 status why=
    shift 2
    (cd cwd && exec "$HEDDLE" "$@") >out 2>err </dev/null
    status=$?
    cases=$((cases + 1))
    [ $status -eq "$want" ] || why="exit status $status, not $want"
    [ ! -s out ] || why="standard output is not empty"
    [ "$(wc -l <err)" -eq 1 ] || why="$(wc -l <err) lines on standard error"
    grep -qE "^heddle: $pattern\$" err || why="the message does not match: $pattern"
    [ -z "$(ls -A cwd)" ] || why="left behind: $(ls -A cwd)"
    [ -n "$why" ] || return 0
    failed=$((failed + 1))
    echo "heddle $*: $why"
    head -n 5 err
    find cwd -mindepth 1 -delete
}

# yaml PATTERN TEXT - the same for a file nets/x.yaml with this content (printf escapes).
yaml() {
    # shellcheck disable=SC2059  # the text is a format
    printf -- "$2" >nets/x.yaml
    refuse 2 "$1" noc -m ../nets/x.yaml
}

# try PATTERN ARGUMENT... - an 8x8 mesh with something wrong about it.
try() {
    local pattern=$1
    shift
    refuse 2 "$pattern" noc -m mesh8_uniform_p1_v4b8 "$@"
}

# machine PATTERN TEXT - a file of a machine.
machine() {
    # shellcheck disable=SC2059  # the text is a format
    printf -- "$2" >nets/x.yaml
    refuse 2 "$1" run -m ../nets/x.yaml -w HS@tiny
}

cdxbar=(--set noc.topology=cdxbar --set noc.networks=two)
brief=(--set measure.warmup=100 --set measure.cycles=100)

# --- commands and options --------------------------------------------------------------------

refuse 2 'no command "frobnicate" \(heddle --help shows them\)' frobnicate
refuse 2 'no command "lst"; did you mean list\?' lst
refuse 2 'list: list what\? \(heddle list --help\)' list
refuse 2 'list: nothing called "netwroks"; did you mean networks\??' list netwroks
refuse 2 'list: unexpected "--nmaes" \(heddle list --help\)' list params --nmaes
refuse 2 'list: unexpected "traffic" \(heddle list --help\)' list params traffic
refuse 2 'noc: -m NETWORK is missing \(heddle list networks\)' noc
no_traffic='a machine runs kernels: take this section out .*heddle noc.*'
machine "\\.\\./nets/x\\.yaml:2: traffic\\.rate: $no_traffic" "gpu: {clusters: 2}\ntraffic: {rate: 0.1}\n"
machine "\\.\\./nets/x\\.yaml:1: reqrep: $no_traffic" 'reqrep: {}\n'
machine "\\.\\./nets/x\\.yaml:1: measure\\.warmup: $no_traffic" 'measure: {warmup: 9}\n'
machine ".*/networks/base/gpu80_traffic\\.yaml:3: traffic\\.pattern: $no_traffic" \
    "base: $HEDDLE_SOURCE/networks/cdxbar80.yaml\n"
refuse 2 "--set traffic\\.rate=1: $no_traffic" run -m icc60 -w HS@tiny --set traffic.rate=1
yaml '\.\./nets/x\.yaml:1: gpu\.clusters: this is a machine, and heddle noc takes networks .*' \
    'gpu: {clusters: 2}\n'
refuse 2 'noc: nothing follows "-m" \(heddle noc --help\)' noc -m
refuse 2 'noc: no option "--frobnicate" \(heddle noc --help\)' noc --frobnicate
try 'noc: no option "-x" \(heddle noc --help\)' -x
try 'noc: unexpected "extra" \(heddle noc --help\)' extra
try 'noc: nothing follows "--json" \(heddle noc --help\)' --json
try 'noc: --json - and --csv - both want standard output' --json - --csv -
try '--threads 0: expected a number from 1 to 1024' --threads 0
try '--threads many: expected a number from 1 to 1024' --threads many
try '--saturation=9: expected a step from 0\.0001 to 0\.5' --saturation=9
try '--saturation=x: expected a step from 0\.0001 to 0\.5' --saturation=x

# --- rates -----------------------------------------------------------------------------------

for rate in abc '' -1 nan inf 1e999 0x1p; do
    try "--rate $rate: expected A or A:B:STEP, got \"$rate\"" --rate "$rate"
done
try '--rate 0\.1:x:0\.1: expected A or A:B:STEP, got "x"' --rate 0.1:x:0.1
for rate in 0.1:0.2 1:0:0.1 0:1:0 0:1:1e-9; do
    try "--rate $rate: expected A or A:B:STEP with A <= B and at most 10000 points" --rate $rate
done
try 'traffic\.rate: 1\.5 flits/node/cycle is more than one packet per cycle' --rate 1.5
try 'traffic\.rate: 0\.5 flits/node/cycle is more than one packet per cycle within bursts' \
    --rate 0.5 --set traffic.process=bursty

# --- parameters on the command line ----------------------------------------------------------

try '--set mesh\.wdith=4: unknown parameter; did you mean mesh\.width\?' --set mesh.wdith=4
try '--set nothing\.like\.it=4: unknown parameter' --set nothing.like.it=4
try '--set mesh\.=4: unknown parameter' --set mesh.=4
try '--set mesh\.width: expected KEY=VALUE' --set mesh.width
try '--set =4: expected KEY=VALUE' --set =4
try '--set mesh\.width=four: expected an integer, got "four"' --set mesh.width=four
try '--set mesh\.width=4x: expected an integer, got "4x"' --set mesh.width=4x
try '--set mesh\.width=: expected an integer, got ""' --set mesh.width=
try '--set mesh\.width=0: 0 is outside 1\.\.32768' --set mesh.width=0
try '--set router\.vcs=33: 33 is outside 1\.\.32' --set router.vcs=33
try '--set router\.speculative=maybe: expected true or false, got "maybe"' \
    --set router.speculative=maybe
try '--set router\.arbiter=coin: "coin" is not one of rr, matrix' --set router.arbiter=coin
try '--set traffic\.sizes=0: 0 is outside 1\.\.65535' --set traffic.sizes=0
try '--set traffic\.sizes=1,x: expected a list of integers, got "x"' --set traffic.sizes=1,x
try '--set sim\.seed=abc: expected an integer, got "abc"' --seed abc
try '--set measure\.max_cycles=-5: -5 is outside 0\.\.1e\+15' --max-cycles -5

# --- names -----------------------------------------------------------------------------------

refuse 2 'no network "mesh8_unifrom_p1_v4b8"; did you mean mesh8_uniform_p1_v4b8\?' \
    noc -m mesh8_unifrom_p1_v4b8
refuse 2 'no network "" \(heddle list networks shows them\)' noc -m ''
try '--set noc\.topology=mseh: no topology "mseh"; did you mean mesh\?' --set noc.topology=mseh
try '--set traffic\.pattern=unifrom: no pattern "unifrom"; did you mean uniform\?' \
    --traffic unifrom

# --- sizes and combinations ------------------------------------------------------------------

try '--set mesh\.width=1000000000: 1000000000 is outside 1\.\.32768' \
    --set mesh.width=1000000000 --set mesh.height=1000000000
try '--set mesh\.width=32768: 32768 x 32768 routers of 1 nodes are more than 1048576 nodes' \
    --set mesh.width=32768 --set mesh.height=32768
try '--set fly\.n=9: a 1000-ary 9-fly has more than 1048576 nodes' \
    --set noc.topology=fly --set fly.k=1000 --set fly.n=9
try '--set mesh\.mem=64: node 64 does not exist \(0\.\.63 do\)' --set mesh.mem=64
try '--set mesh\.mem=3,3: node 3 is listed twice' --set mesh.mem=3,3
try 'mesh\.mem: request and reply networks need at least one memory node and one core' \
    --set noc.networks=two
try '--set mesh\.mem=0-63: request and reply networks need .*' \
    --set noc.networks=two --set mesh.mem=0-63
try '--set xbar\.outputs=16: one network for all nodes needs a square crossbar, not 80 x 16 .*' \
    --set noc.topology=xbar --set xbar.inputs=80 --set xbar.outputs=16
try '--set cdxbar\.ports=0: 0 is outside 1\.\.32' "${cdxbar[@]}" --set cdxbar.ports=0
try '--set cdxbar\.locals=0: 0 is outside 1\.\.4096' "${cdxbar[@]}" --set cdxbar.locals=0
try '--set cdxbar\.locals=90: 90 local crossbars for 80 cores: some would have none' \
    "${cdxbar[@]}" --set cdxbar.locals=90
try '--set cdxbar\.sizes=40,30: 2 sizes for 8 local crossbars' \
    "${cdxbar[@]}" --set cdxbar.sizes=40,30
try '--set cdxbar\.sizes=40,30: they add up to 70, not to the 80 cores' \
    "${cdxbar[@]}" --set cdxbar.locals=2 --set cdxbar.sizes=40,30
try 'cdxbar\.cores: CD-Xbar joins cores and memory nodes only .*' --set noc.topology=cdxbar
try '--set router\.vcs=1: 1 VCs are too few: 1 message classes with 2 VC classes each need .*' \
    --set mesh.routing=o1turn --set router.vcs=1
try '--set traffic\.pattern=transpose: transpose needs a square of nodes, and 80 are no 9 rows of 9' \
    --traffic transpose --set mesh.width=10
try '--set traffic\.pattern=bit_reverse: bit_reverse needs a power of two of nodes, .* are 80' \
    --traffic bit_reverse --set mesh.width=10
try 'traffic\.hotspots: the hotspot pattern needs a list of sinks' --traffic hotspot
try '--set traffic\.hotspots=64: sink 64 does not exist \(0\.\.63 do\)' \
    --traffic hotspot --set traffic.hotspots=64
try '--set traffic\.weights=1: 1 weights for 2 hotspots' \
    --traffic hotspot --set traffic.hotspots=1,2 --set traffic.weights=1
try '--set traffic\.shares=1,2: 2 shares for 1 sizes' --set traffic.shares=1,2
try '--set traffic\.sizes=: at least one packet size is needed' --set traffic.sizes=
try '--set traffic\.pattern=request_reply: request_reply needs cores and memory nodes, .* 64 and 0' \
    --traffic request_reply
try '--set noc\.classes=1: requests and replies on one network need 2 message classes, .*' \
    --traffic request_reply --set mesh.mem=0-3 --set noc.classes=1

# --- files -----------------------------------------------------------------------------------

yaml '\.\./nets/x\.yaml:2: mesh\.wdith: unknown parameter; did you mean mesh\.width\?' \
    'mesh:\n  wdith: 4\n'
yaml '\.\./nets/x\.yaml:3: msh\.width: unknown parameter; did you mean mesh\.width\?' \
    '# a\nmsh:\n  width: 4\n'
yaml '\.\./nets/x\.yaml:1: mesh\.width: expected an integer, got "four"' 'mesh: {width: four}\n'
yaml '\.\./nets/x\.yaml:1: mesh\.width: expected an integer, got a list' 'mesh: {width: [1, 2]}\n'
yaml '\.\./nets/x\.yaml:1: mesh: expected a map of parameters' 'mesh: 5\n'
yaml '\.\./nets/x\.yaml:1: expected a map of sections' '- mesh\n- width\n'
yaml '\.\./nets/x\.yaml:1: mesh\.mem: expected a list of integers, got "five"' 'mesh: {mem: five}\n'
yaml '\.\./nets/x\.yaml:1: router\.vcs: 99 is outside 1\.\.32' 'router: {vcs: 99}\n'
yaml '\.\./nets/x\.yaml:1: router\.vcs: 1e99 is outside 1\.\.32' 'router: {vcs: 1e99}\n'
yaml '\.\./nets/x\.yaml:1: noc\.clock: -1 is outside .*' 'noc: {clock: -1}\n'
yaml '\.\./nets/x\.yaml:2: mesh: given twice, first on line 1' 'mesh: {width: 4}\nmesh: {width: 5}\n'
yaml '\.\./nets/x\.yaml:[12]: did not find expected .*' 'mesh: {width: 4\n'
yaml '\.\./nets/x\.yaml:1: found character that cannot start any token .*' '\t\tmesh:\n'
yaml '\.\./nets/x\.yaml:1: a: .*' 'a: &x [*x]\n'
yaml '\.\./nets/x\.yaml:1: control characters are not allowed' '\001\002\003'
yaml '\.\./nets/x\.yaml:1: .*UTF-8.*' '\377\376mesh: \200\201\n'
yaml '\.\./nets/x\.yaml:1: base: \.\./nets/nowhere\.yaml: cannot read: No such file or directory' \
    'base: nowhere.yaml\n'
yaml '\.\./nets/x\.yaml:1: base: .*: cannot read: Is a directory' 'base: ../nets\n'
yaml '\.\./nets/x\.yaml:1: base: \.\./nets/x\.yaml: is among its own bases' 'base: x.yaml\n'
echo 'base: b.yaml' >nets/a.yaml
echo 'base: c.yaml' >nets/b.yaml
echo 'base: a.yaml' >nets/c.yaml
refuse 2 '\.\./nets/c\.yaml:1: base: \.\./nets/a\.yaml: is among its own bases' \
    noc -m ../nets/a.yaml
refuse 2 '\.\./nets/none\.yaml: cannot read: No such file or directory' noc -m ../nets/none.yaml
refuse 2 '\.\./nets/: cannot read: Is a directory' noc -m ../nets/
refuse 2 '\.\./nets/g\.yaml: cannot read: .*' noc -m ../nets/g.yaml
head -c 20000 "$HEDDLE" >nets/g.yaml
refuse 2 '\.\./nets/g\.yaml:1: .*' noc -m ../nets/g.yaml
yes '[' | head -n 20000 | tr -d '\n' >nets/deep.yaml
refuse 2 '\.\./nets/deep\.yaml:1: .*' noc -m ../nets/deep.yaml

# --- output ----------------------------------------------------------------------------------

touch nets/plain
for option in --json --csv --svg --curve; do
    try '/nonexistent/x: cannot write: No such file or directory' "${brief[@]}" \
        $option /nonexistent/x
    try '\.\./nets/plain/x: cannot write: Not a directory' "${brief[@]}" $option ../nets/plain/x
    try '\.\./nets: cannot write: .*' "${brief[@]}" $option ../nets
done
try '/nonexistent/x: cannot write: No such file or directory' --print --json /nonexistent/x
left=$(find nets . -maxdepth 1 -name '*.part*')
[ -z "$left" ] || { echo "left behind: $left"; failed=$((failed + 1)); }

# Nothing is written when the input is refused, nor when the cycles do not suffice.
try '--set mesh\.width=0: .*' --set mesh.width=0 --json x.json --csv x.csv --svg x.svg --curve y.svg
budget='not finished after measure\.max_cycles = 300 cycles'
mesh=mesh8_uniform_p1_v4b8
refuse 4 "$budget" noc -m $mesh --max-cycles 300
refuse 4 "$budget" noc -m $mesh --max-cycles 300 --json x.json --csv x.csv --svg x.svg --curve y.svg
refuse 4 "$budget" noc -m $mesh --max-cycles 300 --json -
refuse 4 "$budget" noc -m $mesh --max-cycles 300 --rate 0.1:0.3:0.1 --threads 2
refuse 4 "$budget" noc -m $mesh --max-cycles 300 --saturation

# --- and what only looks wrong is not refused ------------------------------------------------

accept() {
    cases=$((cases + 1))
    "$HEDDLE" noc -m $mesh "$@" >out 2>err && [ -s out ] && [ ! -s err ] && return
    failed=$((failed + 1))
    echo "heddle noc -m $mesh $*: refused"
    cat err
}

accept "${cdxbar[@]}" --set cdxbar.locals=7 --print # 80 cores: uneven sizes are fine
accept "${cdxbar[@]}" --set cdxbar.locals=2 --set cdxbar.sizes=79,1 --print
accept "${cdxbar[@]}" --set cdxbar.locals=7 "${brief[@]}" --traffic request_reply
accept --set mesh.width=1 --set mesh.height=1 "${brief[@]}"
accept --traffic request_reply --set mesh.mem=0-3 "${brief[@]}"

# --- JSON to standard output is all there is on it -------------------------------------------

is_json() {
    cases=$((cases + 1))
    if command -v python3 >/dev/null; then
        python3 -c 'import json, sys; json.load(sys.stdin)' <out 2>err && return
    elif [ "$(head -c 1 out)" = '{' ] && [ "$(tail -n 1 out)" = '}' ] &&
        [ "$(tr -cd '{[' <out | wc -c)" -eq "$(tr -cd '}]' <out | wc -c)" ]; then
        return
    fi
    failed=$((failed + 1))
    echo "not JSON and nothing else: $*"
    head -n 5 out
}

for more in '' '--stats' '--histogram' '--rate 0.1:0.2:0.05 --threads 2' '--print' \
    '--traffic request_reply --set mesh.mem=0-3 --stats'; do
    # shellcheck disable=SC2086  # several words
    "$HEDDLE" noc -m $mesh "${brief[@]}" --json - $more >out 2>err || cat err
    is_json "--json - $more"
    [ ! -s err ] || { echo "--json - $more: $(head -n 3 err)"; failed=$((failed + 1)); }
done

echo "$cases cases, $failed failed"
[ $failed -eq 0 ]
