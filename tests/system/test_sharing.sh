#!/bin/bash
# Sharing-aware caches on real kernels: P1 and P2 hold under --check with and without intra-cluster
# coalescing, the tracker alone changes no cycle, parts can be switched off one by one, and programs
# at once give the same however they are run.
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

both="--set l1.replacement=sharing_l1 --set l2.replacement=sharing_l2"
small="--set l1.size=4K --set l2.size=16K"
icc="--set icc.enabled=true --set icc.cc_lines=24"
none="--set sharing_l1.allocation=false --set sharing_l1.replacement=false
      --set sharing_l2.allocation=false --set sharing_l2.replacement=false"

# --- P1 and P2 ---

# Small caches, so that all of it happens: what is counted is summed over the runs.
declare -A sum
counted="l1.sharing.refused l1.sharing.dead_evictions l1.sharing.revived l1.sharing.shared_evictions
         l2.sharing.spared l2.sharing.shared_evictions l2.sharing.local_lines l2.read_passes"
for w in NN WP LIB HIST; do
    # shellcheck disable=SC2086  # several words
    for m in "sharing15" "sharing15 $small" "icc60 $icc" "icc60 $icc $small --set l1.allocate=fill"; do
        run -m $m -w "$w@tiny" --check $both
        for name in $counted; do
            sum[$name]=$((${sum[$name]:-0} + $(get "$name")))
        done
    done
done
for name in $counted; do
    [ "${sum[$name]}" -gt 100 ] || fail "$name is ${sum[$name]} in all"
done

# --- parts ---

# shellcheck disable=SC2086
for m in "sharing15 $small" "icc60 $icc $small"; do
    run -m $m -w WP@tiny
    lru=$(get cycles)
    run -m $m -w WP@tiny $both $none
    [ "$(get cycles)" = "$lru" ] || fail "$m: the tracker alone takes $(get cycles) cycles, LRU $lru"
    python3 -c "import sys; sys.exit(not $(get l2_sms_per_line) > 1)" || fail "$m: nobody shares"
    [ "$(get l1.sharing.refused)" = 0 ] && [ "$(get l2.sharing.spared)" = 0 ] ||
        fail "$m: the tracker alone interferes"
done

# Each of these is another machine.
digests=
other() { # other WORKLOAD SETTING...
    local w=$1
    shift
    # shellcheck disable=SC2086
    run -m sharing15 -w "$w@tiny" $small "$@"
    case " $digests " in
    *" $(get digest) "*) fail "$w $* changes nothing" ;;
    esac
    digests="$digests $(get digest)"
}
for s in "" "sharing_l1.allocation=false" "sharing_l1.replacement=false" "sharing_l1.dead=off" \
    "sharing_l1.dead=private" "sharing_l2.allocation=false" "sharing_l2.replacement=false" \
    "sharing_l2.age=1000"; do
    # shellcheck disable=SC2086
    other WP $both ${s:+--set $s}
done
other WP --set l1.replacement=sharing_l1
other WP --set l2.replacement=sharing_l2
for s in "" "sharing_l2.kinds=read" "sharing_l2.at_launch=clear"; do # it writes, in several kernels
    # shellcheck disable=SC2086
    other HIST $both ${s:+--set $s}
done

# --- programs at once ---

# shellcheck disable=SC2086
run -m icc60 -w WP@tiny -w SPMV@tiny $both $icc --set sharing_l2.at_launch=clear
plain=$(get digest)
for way in --no-skip "--threads 2" --check; do
    # shellcheck disable=SC2086
    run -m icc60 -w WP@tiny -w SPMV@tiny $both $icc --set sharing_l2.at_launch=clear $way
    [ "$(get digest)" = "$plain" ] || fail "two programs: another digest with $way"
done

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
