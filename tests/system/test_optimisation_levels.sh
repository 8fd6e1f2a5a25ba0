#!/bin/bash
# The kernels give the same outputs whatever effort the compiler makes, and whichever compiler: PTX
# of every level of clang's, and of nvcc where there is one, runs all workloads, and each output is
# compared with the host's.  nvcc is slow: outside HEDDLE_CHECK_FULL=1 it compiles every sixth module.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C

cached() { sed -n "s/^$1:[A-Z]*=//p" "$HEDDLE_BUILD/CMakeCache.txt"; }

clang=$(cached HEDDLE_CLANG)
[ -n "$clang" ] || { echo "no HEDDLE_CLANG in the build"; exit 77; }
nvcc=$(cached HEDDLE_NVCC)
[ -x "$nvcc" ] || nvcc=
export clang nvcc
mkdir no-cuda || exit 1

compile() { # LEVEL FILE
    local out
    out=ptx$1/$(basename "$2" .cu).ptx
    if [ "$1" = -nvcc ]; then
        "$nvcc" -ptx -arch=sm_75 -fmad=false -diag-suppress 550 "$2" -o "$out"
    else
        "$clang" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib \
            --cuda-path=no-cuda -Xclang -target-feature -Xclang +ptx63 -ffp-contract=off "$1" \
            -S "$2" -o "$out"
    fi
}

check() { # LEVEL WORKLOAD
    local out=$2$1.out
    "$HEDDLE" run -w "$2@tiny" --functional --check --kernels "ptx$1" >"$out" 2>&1 &&
        grep -q '^checked: all outputs right$' "$out" && return
    echo "$2 at $1: $(tail -n 2 "$out")" >>failures
}
export -f compile check

# Modules and the workloads that they are of: "matrixmul MM".
"$HEDDLE" list workloads --names >names
while read -r name; do
    driver=$(grep -l "\.name = \"$name\"" "$HEDDLE_SOURCE"/workloads/*.c)
    echo "$(sed -n 's/.*\.kernels = "\(.*\)",/\1/p' "$driver") $name"
done <names >modules
[ "$(wc -l <modules)" -ge 11 ] || { echo "only $(wc -l <modules) workloads"; exit 1; }

for level in -O0 -O1 -O2 -O3 -Os ${nvcc:+-nvcc}; do
    mkdir "ptx$level"
    while read -r module name; do
        echo "$level $HEDDLE_SOURCE/kernels/$module.cu $name"
    done < <(awk -v every="$([ $level = -nvcc ] && [ "${HEDDLE_CHECK_FULL:-0}" != 1 ] && echo 6 || echo 1)" \
        'NR % every == 0' modules)
done >jobs
xargs -P 2 -L 1 bash -c 'compile "$0" "$1"' <jobs || { echo "some do not compile"; exit 1; }
xargs -P 2 -L 1 bash -c 'check "$0" "$2"' <jobs

# The levels differ, or the test would prove nothing.
cmp -s ptx-O0/matrixmul.ptx ptx-O3/matrixmul.ptx && { echo "-O0 and -O3 gave the same PTX"; exit 1; }
echo "$(wc -l <jobs) runs$([ -n "$nvcc" ] || echo ', none by nvcc')"
[ ! -s failures ] || { cat failures; exit 1; }
