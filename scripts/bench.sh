#!/bin/sh
# Figures, not pass or fail: the network engine, then the executor of kernels.
set -eu
cd "$(dirname "$0")"
./bench-noc.sh
echo
./bench-exec.sh
