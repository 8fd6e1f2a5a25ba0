#!/bin/sh
# The tour: one figure of each of the five papers, on its own machine with small inputs.  Prints what the
# papers say beside what is measured, leaves out/report.html.
set -eu
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/heddle}
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
"$heddle" study tour --jobs "$jobs" --out out
