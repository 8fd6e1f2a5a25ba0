#!/bin/bash
# The examples, built and run with an installed tree and nothing else: C and C++ by pkg-config, Python by its package,
# which finds library, program and data from its own place.
set -eu

# Instrumented libraries need instrumented programs: only a plain build can be tested so.
if grep -qE '^HEDDLE_(SANITIZE:.*=.|COVERAGE:.*=ON|FUZZ:.*=ON)' "$HEDDLE_BUILD/CMakeCache.txt"; then
    exit 77
fi

python=
for p in /usr/bin/python3 python3; do
    if "$p" -c 'import numpy, pandas' 2>/dev/null; then
        python=$p
        break
    fi
done

DESTDIR=$PWD/dest cmake --install "$HEDDLE_BUILD" >install.log || { cat install.log; exit 1; }
mv dest moved # a tree can be moved
pc=$(find moved -name heddle.pc)
lib=$PWD/$(dirname "$(dirname "$pc")")
prefix=$(cd "$(dirname "$(find moved -path '*/bin/heddle')")/.." && pwd)
examples=$(find "$prefix" -type d -name examples)
package=$(dirname "$(find "$prefix" -path '*/heddle/__init__.py')")
unset HEDDLE_DATA
export PKG_CONFIG_PATH=$lib/pkgconfig

fail() {
    echo "$*"
    exit 1
}

# --- data is found in the tree that was moved ----------------------------------------------------

echo 'base: icc60.yaml' >"$prefix/share/heddle/machines/only_here.yaml"
"$prefix/bin/heddle" list machines --names | grep -qx only_here || fail "the program does not find its own data"

# --- C and C++ -----------------------------------------------------------------------------------

want=$("$prefix/bin/heddle" run -m icc60 --set l1.size=32K --ptx "$examples/saxpy/saxpy.ptx" \
    --launch "$examples/saxpy/saxpy.yaml" --json - | sed -n 's/^  "digest": "\(.*\)",$/digest \1/p')
[ -n "$want" ]
# shellcheck disable=SC2046  # pkg-config prints separate words
cc -std=c17 -Wall -Wextra -Werror "$examples/timed/timed.c" -o timed-c $(pkg-config --cflags --libs heddle)
# shellcheck disable=SC2046
c++ -std=c++17 -Wall -Wextra -Werror "$examples/timed/timed.cpp" -o timed-cpp $(pkg-config --cflags --libs heddle)
export LD_LIBRARY_PATH=$lib
for program in ./timed-c ./timed-cpp; do
    $program "$examples/saxpy/saxpy.ptx" | tee said
    grep -qx 'y\[199\] = 249.75' said && grep -qx "$want" said || fail "$program: wrong"
    $program "$examples/saxpy/saxpy.ptx" only_here | grep -q '^digest' || fail "$program: data of another tree"
    status=0
    $program "$examples/saxpy/saxpy.ptx" icc6 2>error || status=$?
    [ $status = 2 ] && grep -q 'did you mean icc60' error || fail "$program: an error is not said"
done
unset LD_LIBRARY_PATH

# --- Python --------------------------------------------------------------------------------------

[ -n "$python" ] || { echo "no Python with numpy and pandas: the rest is left out"; exit 0; }
unset HEDDLE_LIBRARY HEDDLE_PROGRAM
export PYTHONPATH=${package%/heddle} PYTHONDONTWRITEBYTECODE=1

"$python" "$examples/timed/timed.py" "$examples/saxpy/saxpy.ptx" | tee said
grep -qx 'y\[199\] = 249.75' said && grep -qx "$want" said || fail "timed.py: wrong"
status=0
"$python" "$examples/timed/timed.py" "$examples/saxpy/saxpy.ptx" icc6 2>error || status=$?
[ $status = 2 ] && grep -q 'did you mean icc60' error || fail "timed.py: an error is not said"
"$python" -c 'import heddle
from heddle import _library, studies
print(_library.library().path, studies.program(), heddle.machines()["only_here"].path)' >found
for file in $(cat found); do
    case $(realpath "$file") in
    "$prefix"/*) ;;
    *) fail "not of the installed tree: $file" ;;
    esac
done

if "$python" -c 'import matplotlib' 2>/dev/null; then
    lines=$(grep -c . "$examples/python/first_plot.py")
    [ "$lines" -le 10 ] || fail "first_plot.py has $lines lines"
    MPLBACKEND=svg "$python" "$examples/python/first_plot.py" 2>/dev/null
    grep -q '</svg>' first_plot.svg
fi

"$python" "$examples/python/icc_figure.py" HS,DCT >figure.txt || { cat figure.txt; exit 1; }
[ "$(wc -l <icc_fig13.csv)" = 4 ] && grep -q '^mean,' icc_fig13.csv || fail "icc_figure.py: no table"
if "$python" -c 'import matplotlib' 2>/dev/null; then
    grep -q '</svg>' icc_fig13.svg
fi

# Without numpy, pandas and matplotlib: what needs them says so, all else works.
cat >bare.py <<'END'
import sys
sys.modules["numpy"] = sys.modules["pandas"] = None
import heddle
r = heddle.run("icc60", "HS@tiny")
try:
    r.frame()
except ImportError as e:
    print(r.cycles, e)
END
"$python" bare.py | grep -q '^[0-9]* frames need pandas' || fail "heddle needs more than Python"
