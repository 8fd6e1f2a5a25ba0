#!/bin/bash
# `make -jN` is obeyed; without it there are as many jobs as processors; JOBS= says it, too.
set -eu
unset MAKEFLAGS MAKELEVEL MFLAGS JOBS

jobs_of() { # jobs_of ARGUMENT...: the N of `cmake --build build -j N` that would be run
    make -C "$HEDDLE_SOURCE" --no-print-directory -n "$@" | sed -n 's/.*cmake --build build -j \([0-9]*\).*/\1/p'
}
expect() {
    local got
    got=$(jobs_of "${@:2}")
    [ "$got" = "$1" ] || { echo "make ${*:2}: '$got' jobs, expected $1"; exit 1; }
}

expect 1 -j1 all
expect 8 -j8 all
expect 3 --jobs=3 all
expect 5 JOBS=5 all
expect "$(nproc)" all
expect "$(nproc)" -j all # as many as it likes: more than there are processors are of no use
