#!/bin/sh
# fuzz.sh BUILD-DIR - run every fuzzer for FUZZ_SECONDS (default 600).
#
# tests/fuzz/fuzz_NAME.c starts from the files in tests/fuzz/corpus/NAME/ (and a fuzzer of YAML
# from the shipped networks); what it learns stays in BUILD-DIR/corpus/NAME for the next time.
# A crash leaves its input in BUILD-DIR/crash-NAME-* and ends with a non-zero status.
set -eu

build=${1:?usage: fuzz.sh BUILD-DIR}
seconds=${FUZZ_SECONDS:-600}
found=no
for fuzzer in "$build"/tests/fuzz_*; do
    [ -x "$fuzzer" ] || continue
    found=yes
    name=${fuzzer##*/fuzz_}
    corpus=$build/corpus/$name
    mkdir -p "$corpus"
    set --
    for seeds in "tests/fuzz/corpus/$name" networks; do
        [ ! -d "$seeds" ] || set -- "$@" "$seeds"
    done
    echo "fuzz_$name: $seconds s"
    "$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/crash-$name-" "$corpus" "$@"
done
[ "$found" = yes ] || { echo "fuzz.sh: no fuzzers in $build/tests" >&2; exit 1; }
