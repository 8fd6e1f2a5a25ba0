#!/bin/sh
# The quick form of the main study: all eleven workloads on the ICC paper's machine, smaller inputs and
# fewer figures than `heddle study icc`.  Prints the table, leaves out/report.html.
set -eu
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/heddle}
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
"$heddle" study icc --quick --jobs "$jobs" --out out
echo
echo "the report: out/report.html"
