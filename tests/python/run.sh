#!/bin/sh
# run.sh FILE - the tests of one file of Python, with an interpreter that has numpy and pandas (Debian's has); 77: there
# is none.  An instrumented library needs the sanitizer's runtime before anything else.
set -eu

for python in /usr/bin/python3 python3; do
    "$python" -c 'import numpy, pandas' 2>/dev/null && break
    python=
done
[ -n "$python" ] || { echo "no Python with numpy and pandas"; exit 77; }

HEDDLE_LIBRARY=$HEDDLE_BUILD/libheddle.so.0
HEDDLE_PROGRAM=$HEDDLE
HEDDLE_DATA=$HEDDLE_SOURCE
PYTHONPATH=$HEDDLE_SOURCE/python:$HEDDLE_SOURCE/tests/python
PYTHONDONTWRITEBYTECODE=1
export HEDDLE_LIBRARY HEDDLE_PROGRAM HEDDLE_DATA PYTHONPATH PYTHONDONTWRITEBYTECODE

case $(sed -n 's/^HEDDLE_SANITIZE:[A-Z]*=//p' "$HEDDLE_BUILD/CMakeCache.txt") in
*address*) # the interpreter's own memory is never freed; what is freed is kept a while, but not much of it
    exec env ASAN_OPTIONS=detect_leaks=0:quarantine_size_mb=1 LD_PRELOAD="$(cc -print-file-name=libasan.so)" "$python" -m tally "$1" ;;
*) exec "$python" -m tally "$1" ;;
esac
