#!/bin/sh
# The slow, exhaustive checks: large randomised sweeps, all tests under the sanitizers, static
# analysis, and ten minutes of fuzzing.
set -eu
cd "$(dirname "$0")/.."
export HEDDLE_CHECK_FULL=1
make test
make asan
make lint
make analyze
FUZZ_SECONDS=${FUZZ_SECONDS:-600} make fuzz
echo "check-full: all passed"
