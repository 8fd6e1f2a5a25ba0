#!/bin/bash
# The packet-coalescing router in machines: the same digest however a run is made, on every topology that
# machines have; what is printed of it; what it costs; and nothing of it when it is off.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

run() { # run ARGUMENT... - into out.json
    "$HEDDLE" run "$@" --json out.json >printed 2>err </dev/null ||
        fail "heddle run $*: exit status $?: $(head -n 3 err)"
    [ ! -s err ] || fail "heddle run $*: standard error: $(head -n 3 err)"
}

get() { # get NAME - of out.json, a statistic or a member
    python3 -c 'import json, sys
d = json.load(open("out.json"))
print(d["stats"].get(sys.argv[1], d.get(sys.argv[1])))' "$1"
}

is() { # is EXPRESSION - of Python
    python3 -c "import sys; sys.exit(not ($1))"
}

on="--set router.extension=coalesce"

# --- the same however it is run ---

"$HEDDLE" record -w BFS@tiny -o bfs.trace >printed 2>err || fail "record: $(cat err)"
torus="--set noc.topology=torus --set torus.width=6 --set torus.height=6 --set router.vcs=2
       --set torus.mem=3,7,10,12,23,25,28,32"
one="--set noc.networks=one --set router.vcs=2"
ways=(--no-skip "--threads 2" --check "--trace bfs.trace")
# shellcheck disable=SC2086  # several words
for m in coalesce28 "coalesce28 $torus" "coalesce28 $one" icc60 cdxbar80 cdxbar80_fly cdxbar80_clos \
    cdxbar80_fc16 cdxbar56_smesh "coalesce28 --set coalesce.strategy=warps" \
    "coalesce28 --set coalesce.size=header --set coalesce.entries=2 --set coalesce.table_full=evict"; do
    run -m $m -w BFS@tiny $on
    digest=$(get digest)
    case $m in
        *=one*) path=noc.extension ;;
        *) path=noc.request.extension ;;
    esac
    is "$(get $path.reads_same_sm) + $(get $path.reads_other_sms) > 100" || fail "$m: nothing is coalesced"
    for way in "${ways[@]}"; do
        case $way in
            --trace*) run -m $m $way $on ;;
            *) run -m $m -w BFS@tiny $way $on ;;
        esac
        [ "$(get digest)" = "$digest" ] || fail "$m $way: $(get digest), not $digest"
    done
done

# --- what is known of it ---

# shellcheck disable=SC2086
run -m coalesce28 -w BFS@tiny $on
is "abs($(get coalesced_reads) - $(get coalesced_same_sm) - $(get coalesced_other_sms)) < 1e-9" ||
    fail "the parts of $(get coalesced_reads) are $(get coalesced_same_sm) and $(get coalesced_other_sms)"
is "2 <= $(get reads_per_big_packet) <= 16" || fail "$(get reads_per_big_packet) reads per packet"
is "5 < $(get coalesce_wait) < 60" || fail "a read waits $(get coalesce_wait) cycles"
is "$(get noc.request.extension.reads) == $(get cluster.reads)" ||
    fail "$(get noc.request.extension.reads) reads arrived"
is "$(get noc.request.extension.warps) > 0" || fail "no SM ever has an available warp"
[ "$(get noc.reply.extension.taken)" = None ] || fail "replies are looked at"
run -m coalesce28 -w BFS@tiny
[ "$(get coalesced_reads)" = None ] || fail "off: $(get coalesced_reads)"

# --- the control ---

run -m coalesce28 -w NN@tiny
plain=$(get cycles) latency=$(get latency_request)
for as in "" "--set delay.as=stage"; do
    # shellcheck disable=SC2086
    run -m coalesce28 -w NN@tiny --set router.extension=delay --set delay.packets=reads $as
    is "$(get cycles) > $plain and $(get latency_request) > $latency + 5" || fail "'$as': not slower"
    [ "$(get noc.reply.extension.held)" = None ] || fail "'$as': replies are delayed"
done

# --- cost ---

# shellcheck disable=SC2086
"$HEDDLE" cost -m coalesce28 $on --set coalesce.entries=8 --set coalesce.buffer=32 >out || fail "cost: $?"
# 48 bits less 10 of column and byte; 10 of deadline, 22 of slack, 5 of size, two numbers of a flit
grep -qE '^coalescing_table +36 +85 +3060 .* 8 x \(38 \+ 47 bits\)' out || fail "table: $(cat out)"
grep -qE '^coalescing_buffer +36 +1044 ' out || fail "buffer: $(grep coalescing out)"
grep -qE '^coalescing_ports +180 +256 ' out || fail "ports: $(grep coalescing out)"
[ "$(grep -cE '^coalescing_(table|buffer|ports) ' out)" -eq 6 ] || fail "not in both tables"
"$HEDDLE" cost -m coalesce28 >out
grep -q '^coalescing' out && fail "off, and it costs something"
# shellcheck disable=SC2086
run -m coalesce28 -w BFS@tiny $on
grep -q coalescing_buffer_write out.json || fail "no energy of tables"

# --- mistakes ---

"$HEDDLE" run -m coalesce28 -w BFS@tiny --set coalesce.delay=7 >out 2>err
grep -q 'no effect: coalesce.delay' err || fail "a setting without effect: $(cat err)"
# shellcheck disable=SC2086
"$HEDDLE" run -m coalesce28 -w BFS@tiny $on --set coalesce.strategy=slak >out 2>err
status=$?
[ "$status" -eq 2 ] && grep -q 'fixed, slack, last or warps\|fixed|slack|last|warps\|did you mean slack' err ||
    fail "a strategy that is not there: $status, $(cat err)"

exit $((failed > 0))
