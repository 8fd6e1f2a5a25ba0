#!/bin/sh
# The slow, exhaustive checks: large randomised sweeps, every workload on every machine with small
# inputs, all tests under the sanitizers, static analysis, and ten minutes of fuzzing.
set -eu
cd "$(dirname "$0")/.."
export HEDDLE_CHECK_FULL=1

# Each is audited, and compared with a run in two threads.
check_machines() {
    digest='s/^  "digest": "\(.*\)",$/\1/p'
    for machine in $(build/heddle list machines --names); do
        for workload in $(build/heddle list workloads --names); do
            run="build/heddle run -m $machine -w $workload@small --json -"
            one=$($run --check | sed -n "$digest")
            two=$($run --no-verify --threads 2 | sed -n "$digest")
            [ -n "$one" ] && [ "$one" = "$two" ] || {
                echo "check-full: $workload@small on $machine"
                return 1
            }
        done
    done
}

make test
check_machines
make asan
make lint
make analyze
FUZZ_SECONDS=${FUZZ_SECONDS:-600} make fuzz
echo "check-full: all passed"
