#!/bin/sh
# Figures, not pass or fail: the network engine, the executor of kernels, whole machines.
set -eu
cd "$(dirname "$0")"
./bench-noc.sh
echo
./bench-exec.sh
echo
./bench-gpu.sh
