#!/bin/bash
# tools/lint.sh on small trees of its own: what it lets pass, and what it must see.
set -u
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

mkdir -p tools include/heddle workloads
cp "$HEDDLE_SOURCE/tools/lint.sh" tools

# tree - a clean one, in which each case then changes a file.
tree() {
    rm -rf src
    mkdir -p src/base src/noc src/machine
    echo '#include "machine/wire.h"' >src/libheddle_gpu.h
    printf '#include <stdio.h>\nint str_count(const char *s);\n' >src/base/str.h
    printf '#include "base/str.h"\nint str_count(const char *s)\n{\n    return *s;\n}\n' >src/base/str.c
    printf '#include "base/str.h"\nint net_new(void);\n' >src/noc/net.h
    printf '#include "noc/net.h"\nint net_new(void)\n{\n    return str_count("");\n}\n' >src/noc/net.c
    printf '#include <heddle/heddle.h>\nint wire_new(int nets);\n' >src/machine/wire.h
    printf '#include "wire.h"\n\n#include "generated_table.h"\n#include "noc/net.h"\n' >src/machine/wire.c
    printf 'int wire_new(int nets)\n{\n    return nets ? net_new() : wire_new(1);\n}\n' >>src/machine/wire.c
}

passes() {
    tools/lint.sh nothing-built >out 2>&1 || fail "$1: refused: $(grep '^error' out)"
}

# sees WHERE WHAT - exactly one error, with these words.
sees() {
    tools/lint.sh nothing-built >out 2>&1 && fail "$1: passes"
    [ "$(grep -c '^error' out)" -eq 1 ] || fail "$1: not one error: $(grep '^error' out)"
    grep -qF "error: $1: $2" out || fail "$1: not \"$2\": $(grep '^error' out)"
}

tree
touch include/heddle/heddle.h
sed -i 1d src/machine/wire.h # the public header is above the machine
passes "a clean tree"

# --- layers ----------------------------------------------------------------------------------

tree
sed -i 1d src/machine/wire.h
sed -i '1i #include "noc/net.h"' src/base/str.c
sees src/base/str.c:1 'base must not include "noc/net.h"'
for header in '"libheddle_gpu.h"' '<libheddle_gpu.h>' '<machine/wire.h>'; do
    tree
    sed -i 1d src/machine/wire.h
    sed -i "1i #include $header" src/noc/net.c
    sees src/noc/net.c:1 "noc must not include \"${header:1:-1}\""
done
tree
sees src/machine/wire.h:1 'machine must not include "heddle/heddle.h"'

# --- functions that only tests call ----------------------------------------------------------

tree
sed -i 1d src/machine/wire.h
echo 'int net_spare(void);' >>src/noc/net.h
printf 'int net_spare(void) /* net_spare() */\n{\n    return "net_spare"[0];\n}\n' >>src/noc/net.c
sees src/noc/net.h:3 'nothing calls net_spare(), or tests alone do'
echo '#define NET_NEW(what) net_##what()' >>src/noc/net.h # may be any function of net
passes "a pasted name"
tree
sed -i 1d src/machine/wire.h
printf 'static inline int str_first(const char *s)\n{\n    return *s;\n}\n' >>src/base/str.h
sees src/base/str.h:3 'nothing calls str_first(), or tests alone do'
echo 'static int (*const first)(const char *) = str_first;' >>src/noc/net.c
passes "a function in a table"

# --- choices ---------------------------------------------------------------------------------

tree
sed -i 1d src/machine/wire.h
printf '    F(id, CHOICE, order, "row", 0, 0, "row|column", "of places")\n' >>src/noc/net.h
printf "static int is_row(struct s *s)\n{\n    return s->order[0] == 'r';\n}\n" >>src/noc/net.c
sees src/noc/net.c:8 'a choice is a whole word, not a letter'

# --- the tree itself -------------------------------------------------------------------------

(cd "$HEDDLE_SOURCE" && tools/lint.sh "$HEDDLE_BUILD") >out 2>&1 || fail "$(grep '^error' out)"

exit $((failed > 0))
