#!/bin/bash
# The kernels give the same outputs whatever effort the compiler makes: PTX of every level of
# optimisation runs all workloads, and each output is compared with the host's.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C

clang=$(sed -n 's/^HEDDLE_CLANG:[A-Z]*=//p' "$HEDDLE_BUILD/CMakeCache.txt")
[ -n "$clang" ] || { echo "no HEDDLE_CLANG in the build"; exit 77; }
mkdir no-cuda || exit 1
flags=(-x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib --cuda-path=no-cuda
    -Xclang -target-feature -Xclang +ptx63 -ffp-contract=off)
mapfile -t workloads < <("$HEDDLE" list workloads --names)
[ ${#workloads[@]} -ge 11 ] || { echo "only ${#workloads[@]} workloads"; exit 1; }
runs=0
failed=0

compile() { # LEVEL
    local file
    mkdir "ptx$1"
    for file in "$HEDDLE_SOURCE"/kernels/*.cu; do
        "$clang" "${flags[@]}" "$1" -S "$file" -o "ptx$1/$(basename "$file" .cu).ptx" || return 1
    done
}

# The levels differ, or the test would prove nothing.
differ() {
    ! cmp -s ptx-O0/matrixmul.ptx ptx-O3/matrixmul.ptx
}

for level in -O0 -O1 -O2 -O3 -Os; do
    compile $level || { echo "$level: does not compile"; exit 1; }
    for workload in "${workloads[@]}"; do
        runs=$((runs + 1))
        "$HEDDLE" run -w "$workload@tiny" --functional --check --kernels "ptx$level" >out 2>&1 &&
            grep -q '^checked: all outputs right$' out && continue
        failed=$((failed + 1))
        echo "$workload at $level:"
        tail -n 2 out
    done
done
differ || { echo "-O0 and -O3 gave the same PTX"; exit 1; }
echo "$runs runs, $failed failed"
[ $failed -eq 0 ]
