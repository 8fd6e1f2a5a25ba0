#!/bin/bash
# What results are kept under: which changes to the source tree change which hashes.
set -u
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

# A tree with one of everything that matters: a registry with two plug-ins, of which one has a
# helper and one is used by the other; a table that is no registry; front end, drivers, the rest.
make_tree() {
    local t=$1
    mkdir -p "$t"/src/{base,noc,machine,simt,cli,report,study,lab} "$t"/{workloads,include/heddle,docs}
    echo 'int base;' >"$t/src/base/base.c"
    printf 'TOPOLOGY(mesh)\nTOPOLOGY(big_mesh)\n' >"$t/src/noc/topologies.def"
    echo 'int net;' | tee "$t/src/noc/net.h" >/dev/null
    printf '#include "noc/net.h"\nint n;\n' >"$t/src/noc/net.c"
    printf 'int mesh_build(void);\n' >"$t/src/noc/topo_mesh.h"
    printf '#include "noc/topo_mesh.h"\n#include "noc/net.h"\nCFG_SECTION(mesh, ROWS, "x")\nx = {.name = "mesh", .alias = "grid|m"};\n' >"$t/src/noc/topo_mesh.c"
    printf '#include "noc/topo_mesh.h"\n#include "noc/helper.h"\nCFG_SECTION(big, ROWS, "x")\nx = {.name = "big_mesh"};\n' >"$t/src/noc/topo_big_mesh.c"
    echo 'int helper;' >"$t/src/noc/helper.h"
    printf '#include "noc/helper.h"\nint h;\n' >"$t/src/noc/helper.c"
    printf 'MODEL(gpu, "x")\n' >"$t/src/machine/models.def"
    printf '#include "noc/net.h"\n' >"$t/src/machine/wire.c"
    echo 'int simt;' >"$t/src/simt/warp.c"
    echo 'int main;' | tee "$t"/src/{cli/main.c,report/page.c,study/study.c,lab/lab.c} >/dev/null
    echo 'kept' >"$t/src/study/kind.c"
    mkdir -p "$t/src/traffic"
    echo 'PATTERN(uniform)' >"$t/src/traffic/patterns.def"
    echo 'x = {.name = "HS"};' >"$t/workloads/hs.c"
    echo 'x = {.name = "BP"};' >"$t/workloads/bp.c"
    echo 'int common;' >"$t/workloads/common.c"
    echo 'int heddle;' >"$t/include/heddle/heddle.h"
    echo 'words' | tee "$t"/{docs/x.md,README.md} >/dev/null
}

# hashes TREE - one line per hash: "model 0x...", "noc/topo_mesh 0x...", ...
hashes() {
    cmake "-DSOURCE=$1" -DOUT=table.c -P "$HEDDLE_SOURCE/cmake/hash_sources.cmake" 2>cmake.err ||
        fail "cmake: $(head -n 3 cmake.err)"
    sed -nE 's/^ *\{"([^"]*)".*, (0x[0-9a-f]+)u\},$/\1 \2/p' table.c
    sed -nE 's/.*\.model = (0x[0-9a-f]+)u.*/model \1/p' table.c
    sed -nE 's/.*\.front_end = (0x[0-9a-f]+)u.*/front \1/p' table.c
}

make_tree one
hashes "$PWD/one" >before
cp table.c first.c
[ "$(wc -l <before)" -eq 6 ] || fail "not two parts, two drivers, model and front end: $(cat before)"
grep -q '{"noc/topo_mesh", "mesh|grid|m", "mesh", ' table.c || fail "mesh: $(grep topo_mesh table.c)"
grep -q '{"noc/topo_big_mesh", "big_mesh", "mesh|big", ' table.c ||
    grep -q '{"noc/topo_big_mesh", "big_mesh", "big|mesh", ' table.c ||
    fail "big_mesh: $(grep big_mesh table.c)"

# Neither place nor time.
sleep 0.01
make_tree elsewhere/two
hashes "$PWD/elsewhere/two" >/dev/null
cmp -s table.c first.c || fail "the same tree elsewhere: $(diff table.c first.c | head -n 3)"

# changes FILE WHAT... - after a change to FILE (made if it is not there) these hashes differ, no others.
changes() {
    local file=$1
    shift
    rm -rf tree
    make_tree tree
    echo '/* changed */' >>"tree/$file"
    hashes "$PWD/tree" >after
    local got
    got=$(diff before after | sed -nE 's/^> ([^ ]*) .*/\1/p' | sort | tr '\n' ' ')
    [ "$got" = "$(printf '%s\n' "$@" | sort | sed '/^$/d' | tr '\n' ' ')" ] ||
        fail "a change to $file changes: $got"
}

changes docs/x.md ''
changes README.md ''
changes src/cli/main.c ''
changes src/report/page.c ''
changes src/study/study.c ''
changes src/lab/lab.c ''
changes src/traffic/patterns.def ''
changes src/noc/topologies.def '' # a line more is somebody else's
changes src/noc/topo_big_mesh.c noc/topo_big_mesh
changes src/noc/helper.h noc/topo_big_mesh
changes src/noc/helper.c noc/topo_big_mesh
changes src/noc/topo_big_mesh_table.c noc/topo_big_mesh
changes src/noc/topo_mesh.c noc/topo_mesh noc/topo_big_mesh
changes src/noc/topo_mesh.h noc/topo_mesh noc/topo_big_mesh
changes src/noc/net.c model
changes src/noc/net.h model
changes src/noc/new.c model # nobody knows what it is for
changes src/machine/models.def model
changes src/study/kind.c model
changes src/base/base.c model front
changes src/simt/warp.c front
changes src/newfolder.c ''
changes workloads/hs.c workloads/hs.c
changes workloads/common.c front
changes include/heddle/heddle.h front

# A new plug-in with its line leaves the others alone.
rm -rf tree
make_tree tree
echo 'TOPOLOGY(ring)' >>tree/src/noc/topologies.def
printf '#include "noc/net.h"\nCFG_SECTION(ring, ROWS, "x")\nx = {.name = "ring"};\n' >tree/src/noc/topo_ring.c
hashes "$PWD/tree" | grep -v '^noc/topo_ring ' >after
cmp -s before after || fail "a new plug-in: $(diff before after)"
# The first row of a registry that was empty.
rm -rf tree
make_tree tree
echo '/* EXTENSION(name) */' >tree/src/noc/extensions.def
hashes "$PWD/tree" >after
cmp -s before after || fail "an empty registry: $(diff before after)"
echo 'EXTENSION(hold)' >>tree/src/noc/extensions.def
printf '#include "noc/net.h"\nx = {.name = "hold"};\n' >tree/src/noc/ext_hold.c
hashes "$PWD/tree" | grep -v '^noc/ext_hold ' >after
cmp -s before after || fail "the first of its kind: $(diff before after)"
# A row without a file: no registry of plug-ins, and all of it is the model's.
rm -rf tree
make_tree tree
echo 'TOPOLOGY(tree)' >>tree/src/noc/topologies.def
hashes "$PWD/tree" >after
grep -q '^noc/' after && fail "rows without a file: $(cat after)"
# What everybody includes is everybody's.
rm -rf tree
make_tree tree
echo '#include "noc/topo_mesh.h"' >>tree/src/machine/wire.c
hashes "$PWD/tree" >after
grep -q '^noc/topo_mesh ' after && fail "an included plug-in is its own: $(cat after)"
grep -q '^noc/topo_big_mesh ' after || fail "the other one went with it: $(cat after)"

# What drives networks is of kinds of runs that include it, with its sections, and of nobody else.
with_kinds() {
    rm -rf tree
    make_tree tree
    rm tree/src/study/kind.c
    printf 'KIND(noc)\nKIND(kernel)\n' >tree/src/study/kinds.def
    printf '#include "lab/lab.h"\nx = {.name = "noc"};\n' >tree/src/study/kind_noc.c
    printf 'x = {.name = "kernel"};\n' >tree/src/study/kind_kernel.c
    printf 'CFG_SECTION(measure, ROWS, "x")\n#include "traffic/source.h"\n' >tree/src/lab/lab.c
    echo 'int source;' >tree/src/traffic/source.h
}
with_kinds
hashes "$PWD/tree" >kinds
grep -q '{"study/kind_noc", "noc", "measure", ' table.c || fail "sections of a kind: $(grep kind_ table.c)"
for file in lab/lab.c traffic/source.h traffic/patterns.def; do
    with_kinds
    echo '/* changed */' >>tree/src/$file
    hashes "$PWD/tree" >after
    [ "$(diff kinds after | sed -nE 's/^> ([^ ]*) .*/\1/p' | tr '\n' ' ')" = "study/kind_noc " ] ||
        fail "a change to $file: $(diff kinds after)"
done

# The tree that this program was built from.
hashes "$HEDDLE_SOURCE" >after
[ "$(grep -c '^noc/topo_' after)" -eq "$("$HEDDLE" list topologies --names | wc -l)" ] ||
    fail "not all topologies are parts of their own: $(cat after)"
[ "$(grep -c '^study/kind_' after)" -eq "$("$HEDDLE" list kinds --names | wc -l)" ] ||
    fail "not all kinds of runs are parts of their own: $(cat after)"
[ "$(grep -c '^workloads/' after)" -eq "$("$HEDDLE" list workloads --names | wc -l)" ] ||
    fail "not all workloads have a driver: $(cat after)"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
