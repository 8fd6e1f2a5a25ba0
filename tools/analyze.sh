#!/bin/sh
# analyze.sh BUILD-DIR - cppcheck and clang-tidy over src/, by BUILD-DIR/compile_commands.json.
#
# A false alarm is silenced at its line, with a reason:  // cppcheck-suppress ID ; why
# or  // NOLINT(check-name): why.  Rules we do not share are switched off here and in .clang-tidy.
set -eu
cd "$(dirname "$0")/.."
build=${1:?usage: analyze.sh BUILD-DIR}
jobs=${JOBS:-2}
status=0

echo "cppcheck"
mkdir -p "$build/cppcheck"
# Every compiler we use shifts negative numbers arithmetically (shiftTooManyBitsSigned).
# ctuuninitvar takes an array that a callee fills for one that it reads (cppcheck 2.10).
cppcheck --project="$build/compile_commands.json" --file-filter="*src/*.c" \
    --cppcheck-build-dir="$build/cppcheck" -j "$jobs" --quiet \
    --enable=warning,performance,portability --std=c11 --inline-suppr --error-exitcode=1 \
    --suppress=missingIncludeSystem --suppress=ctuuninitvar --suppress=shiftTooManyBitsSigned || status=1

echo "clang-tidy"
# One file per process: clang-tidy 14 takes va_start for unknown in all files but the first.
find src -name '*.c' -print | sort |
    xargs -P "$jobs" -n 1 clang-tidy -p "$build" --quiet 2>"$build/clang-tidy.log" || status=1
# On stderr there are counts of suppressed warnings, and what went wrong if something did.
[ "$status" = 0 ] || grep -vE 'warnings? generated|^Suppressed|^Use -header-filter' "$build/clang-tidy.log" || true

[ "$status" = 0 ] && echo "analyze: clean"
exit "$status"
