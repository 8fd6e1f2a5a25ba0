#!/bin/sh
# registers.sh BUILD-DIR - renew workloads/registers.def: what NVIDIA's assembler allocates for the
# kernels that are built in.  Needs ptxas (of any CUDA toolkit) on the path or in $PTXAS; where there
# is none the table stays as it is.
set -eu

build=${1:?usage: registers.sh BUILD-DIR}
cd "$(dirname "$0")/.."
table=workloads/registers.def
ptxas=${PTXAS:-ptxas}
target=${REGISTERS_TARGET:-sm_75} # the oldest that CUDA 13 knows; the PTX itself is for sm_70
command -v "$ptxas" >/dev/null 2>&1 || {
    echo "registers.sh: no ptxas on the path (PTXAS= names one); $table stays as it is" >&2
    exit 2
}
ptxas_version=$("$ptxas" --version | sed -n 's/.*, V\([0-9.]*\).*/\1/p')
clang=$(sed -n 's/^HEDDLE_CLANG:[A-Z]*=//p' "$build/CMakeCache.txt")
clang_version=$("$clang" --version | sed -n '1s/.*version \([0-9.]*\).*/\1/p')

part=$table.part$$
trap 'rm -f "$part" "$part.log"' EXIT
cat >"$part" <<'END'
/* registers.def - registers per thread of the built-in kernels, as NVIDIA's assembler counts them.
 *
 *     ASSEMBLED(module, kernel, registers, ptxas, target, clang, checksum)
 *
 * kernels/<module>.cu, compiled to PTX by this version of clang and assembled by this version of
 * ptxas for this target; the checksum is what cksum says of the module's PTX.
 * Written by `make registers`; do not edit. */
END
for ptx in "$build"/kernels/*.ptx; do
    module=$(basename "$ptx" .ptx)
    "$ptxas" -v -arch="$target" "$ptx" -o /dev/null >"$part.log" 2>&1 || {
        cat "$part.log" >&2
        exit 1
    }
    awk -v module="$module" -v sum="$(cksum <"$ptx" | cut -d ' ' -f 1)" -v ptxas="$ptxas_version" \
        -v target="$target" -v clang="$clang_version" '
        /Compiling entry function/ { split($0, part, "\047"); kernel = part[2] }
        / Used [0-9]+ registers/ && kernel != "" {
            match($0, /Used [0-9]+/)
            printf "ASSEMBLED(\"%s\", \"%s\", %d, \"%s\", \"%s\", \"%s\", %s)\n", module, kernel,
                substr($0, RSTART + 5, RLENGTH - 5), ptxas, target, clang, sum
            kernel = ""
        }' "$part.log" | sort >>"$part"
done
mv "$part" "$table"
echo "$table: $(grep -c '^ASSEMBLED' "$table") kernels, ptxas $ptxas_version for $target"
