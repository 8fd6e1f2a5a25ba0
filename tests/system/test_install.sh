#!/bin/bash
# An installed libheddle is usable with nothing but pkg-config, shared and static, and the
# installed program and its data files are where they should be.
set -eu

# Instrumented libraries need instrumented programs: only a plain build can be tested so.
if grep -qE '^HEDDLE_(SANITIZE:.*=.|COVERAGE:.*=ON|FUZZ:.*=ON)' "$HEDDLE_BUILD/CMakeCache.txt"; then
    exit 77
fi

DESTDIR=$PWD/dest cmake --install "$HEDDLE_BUILD" >install.log || { cat install.log; exit 1; }
pc=$(find dest -name heddle.pc)
lib=$PWD/$(dirname "$(dirname "$pc")")
prefix=$(dirname "$(find dest -path '*/bin/heddle')")/..
export PKG_CONFIG_PATH=$lib/pkgconfig

for file in bin/heddle include/heddle/heddle.h include/heddle/device.h \
    share/bash-completion/completions/heddle share/zsh/site-functions/_heddle \
    share/fish/vendor_completions.d/heddle.fish share/man/man1/heddle.1 \
    share/heddle/kernels/heddle_cuda.h \
    share/heddle/kernels/heddle_math.h; do
    [ -f "$prefix/$file" ] || { echo "not installed: $file"; exit 1; }
done
ls "$prefix"/share/heddle/networks/*.yaml >/dev/null
env -u HEDDLE_DATA "$prefix/bin/heddle" --version

cat >use.c <<'END'
#include <heddle/heddle.h>
#include <stdio.h>

int main(void)
{
    return printf("%s\n", hd_version()) < 2;
}
END

# shellcheck disable=SC2046  # pkg-config prints separate words
cc use.c -o use-shared $(pkg-config --cflags --libs heddle)
LD_LIBRARY_PATH=$lib ./use-shared

cp "$HEDDLE_SOURCE"/examples/saxpy/{driver.c,saxpy.ptx} . # as its comment and docs/own-kernel.md say
# shellcheck disable=SC2046
cc driver.c -o driver-shared $(pkg-config --cflags --libs heddle)
[ "$(LD_LIBRARY_PATH=$lib ./driver-shared)" = 'y[199] = 249.75' ]

rm "$lib"/libheddle.so* # with only the archive left, -lheddle means that
# shellcheck disable=SC2046
cc use.c -o use-static $(pkg-config --cflags --static --libs heddle)
./use-static
# shellcheck disable=SC2046
cc driver.c -o driver-static $(pkg-config --cflags --static --libs heddle)
[ "$(./driver-static)" = 'y[199] = 249.75' ]
