#!/bin/sh
# test.sh BUILD-DIR - run the tests; the last line is "N passed, N failed", counting test cases.
#
# A test program counts as many cases as it holds (check.h appends "name passed failed" to the
# tally), a script counts as one, and a program that died counts as one failure.
set -eu

build=${1:?usage: test.sh BUILD-DIR}
mkdir -p "$build/Testing"
cd "$build"
HEDDLE_TEST_TALLY=$PWD/Testing/tally
junit=$PWD/Testing/junit.xml
export HEDDLE_TEST_TALLY
rm -f "$junit"
: >"$HEDDLE_TEST_TALLY"

status=0
ctest -j "${JOBS:-2}" --output-on-failure --no-tests=error --output-junit "$junit" || status=1
[ -f "$junit" ] || { echo "0 passed, 1 failed"; exit 1; }

awk -v status="$status" '
    FILENAME == ARGV[1] { seen[$1] = 1; passed[$1] += $2; failed[$1] += $3; next }
    /<testcase / {
        name = $0;   sub(/.*<testcase name="/, "", name);   sub(/".*/, "", name)
        result = $0; sub(/.* status="/, "", result);        sub(/".*/, "", result)
        if (result == "run") {
            p += seen[name] ? passed[name] : 1
        } else if (result == "fail") {
            p += passed[name]
            f += failed[name] > 0 ? failed[name] : 1
        }   # skipped tests count neither way
    }
    END {
        if (status != 0 && f == 0) f = 1
        printf "%d passed, %d failed\n", p, f
        exit f > 0
    }' "$HEDDLE_TEST_TALLY" "$junit"
