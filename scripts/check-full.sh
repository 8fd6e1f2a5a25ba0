#!/bin/bash
# The slow, exhaustive checks: large randomised sweeps, every workload on every machine (with small
# inputs on a quarter of them), all tests under the sanitizers, static analysis, and some minutes of
# fuzzing.  About an hour on two cores; FUZZ_SECONDS=600 and HEDDLE_DIFFERENTIAL_SEEDS=20 make it
# longer.
set -eu
cd "$(dirname "$0")/.."

digest_of() {
    sed -n 's/^  "digest": "\(.*\)",$/\1/p'
}

# Each is audited, and compared with a run in two threads.
check_machine() { # MACHINE WORKLOAD
    local one two
    one=$(build/heddle run -m "$1" -w "$2@small" --json - --check --threads 1 | digest_of)
    two=$(build/heddle run -m "$1" -w "$2@small" --json - --no-verify --threads 2 | digest_of)
    [ -n "$one" ] && [ "$one" = "$two" ] && return
    echo "check-full: $2@small on $1"
    return 1
}
export -f digest_of check_machine

# Every machine has a quarter of the workloads, every workload a quarter of the machines.
check_machines() {
    local turn=0 machine
    for machine in $(build/heddle list machines --names); do
        turn=$((turn + 1))
        build/heddle list workloads --names |
            awk -v m="$machine" -v turn=$turn '(NR + turn) % 4 == 0 { print m, $1 }'
    done | xargs -P "${JOBS:-2}" -L 1 bash -c 'check_machine "$0" "$1"'
}

step() { # NAME COMMAND...
    local name=$1 begin=$SECONDS
    shift
    "$@"
    echo "check-full: $name passed, $((SECONDS - begin)) s"
}

step 'tests in their long forms' env HEDDLE_CHECK_FULL=1 make test
step 'small inputs on all machines' check_machines
step 'tests under the sanitizers' make asan
step 'ten thousand runs from Python under ASan' env HEDDLE_CHECK_FULL=1 \
    ctest --test-dir build-asan -R '^python/memory$' --output-on-failure
step lint make lint
step analysis make analyze
step fuzzing env FUZZ_SECONDS="${FUZZ_SECONDS:-60}" make fuzz
echo "check-full: all passed"
