#!/bin/sh
# setup.sh [build|test|bench|analyze|coverage|fuzz] - install the Debian packages that are missing.
#
# Looks for the tools and libraries themselves, not for packages, so that it is a fast no-op
# wherever they are present, however they came there.  POSIX sh: a fresh machine has nothing else.
set -eu

profile=${1:-build}
missing=
wanted= # what heddle does without: charts of reports that move, a test that is skipped

tool() { # tool COMMAND PACKAGES...
    command -v "$1" >/dev/null 2>&1 || { shift; missing="$missing $*"; }
}
wish() { # wish COMMAND PACKAGES...
    command -v "$1" >/dev/null 2>&1 || { shift; wanted="$wanted $*"; }
}
module() { # module PYTHON-NAME PACKAGES...: of Debian's Python, whatever else is on the path
    has_module "$1" || { shift; missing="$missing $*"; }
}
wish_module() {
    has_module "$1" || { shift; wanted="$wanted $*"; }
}
has_module() {
    /usr/bin/python3 -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec(sys.argv[1]))' "$1" \
        2>/dev/null
}
library() { # library PKG-CONFIG-NAME PACKAGES...
    pkg-config --exists "$1" 2>/dev/null || { shift; missing="$missing $*"; }
}

tool cc gcc libc6-dev # libc6-dev is only recommended by gcc
tool cmake cmake
tool ninja ninja-build
tool pkg-config pkg-config
tool re2c re2c
tool lemon lemon
tool clang clang # kernels/*.cu
library yaml-0.1 libyaml-dev
library libzstd libzstd-dev
library sqlite3 libsqlite3-dev
wish npm nodejs npm # the chart renderer of reports
wish rsvg-convert librsvg2-bin # their figures as PNG

case $profile in
build) ;;
test)
    library cmocka libcmocka-dev
    tool sqlite3 sqlite3 # a command of docs/studies.md
    tool c++ g++ # an example
    module numpy python3 python3-numpy # the Python package
    module pandas python3-pandas
    wish_module matplotlib python3-matplotlib # its examples draw
    wish chromium chromium # looks at a report
    wish zsh zsh # completions
    wish fish fish
    wish groff groff # the manual page
    # A Slurm of one node; daemons of Debian are in folders that not everybody looks into.
    PATH=$PATH:/usr/sbin wish slurmctld slurmctld slurmd slurm-client
    PATH=$PATH:/usr/sbin wish munged munge
    ;;
bench) tool valgrind valgrind ;;
analyze)
    library cmocka libcmocka-dev
    tool cppcheck cppcheck
    tool clang-tidy clang-tidy
    tool clang-format clang-format
    ;;
coverage)
    library cmocka libcmocka-dev
    tool gcovr gcovr
    ;;
fuzz) # the fuzzers' runtime is a package of its own
    ls "$(clang -print-runtime-dir 2>/dev/null)"/libclang_rt.fuzzer* >/dev/null 2>&1 ||
        missing="$missing libclang-rt-dev"
    ;;
*)
    echo "setup.sh: unknown profile '$profile' (build, test, bench, analyze, coverage, fuzz)" >&2
    exit 2
    ;;
esac

# Nobody is asked for help with what is only wanted.
can_install() {
    command -v apt-get && { [ "$(id -u)" = 0 ] || sudo -n true; }
}
if [ -z "$missing" ]; then
    [ -n "$wanted" ] && can_install >/dev/null 2>&1 || exit 0
fi
missing=${missing# }

if ! command -v apt-get >/dev/null 2>&1; then
    echo "heddle needs what Debian calls: $missing. There is no apt-get here; please install them." >&2
    exit 2
fi

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root=sudo
else
    echo "heddle needs packages that only root can install. Please run this, then try again:" >&2
    echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing" >&2
    exit 2
fi

echo "installing: $missing$wanted"
# `env` carries the variable through sudo.
run() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q "$@" </dev/null; }
# shellcheck disable=SC2086  # one word per package
if ! { run update && run install -y --no-install-recommends $missing; }; then
    [ -z "$missing" ] || { echo "heddle: apt-get could not install: $missing" >&2; exit 2; }
fi
# shellcheck disable=SC2086
if [ -n "$wanted" ] && ! run install -y --no-install-recommends $wanted; then
    echo "heddle: goes on without:$wanted" >&2
fi
