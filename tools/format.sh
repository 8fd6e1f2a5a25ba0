#!/bin/sh
# format.sh [--check] - clang-format every C file, or only say which ones differ.
set -eu
cd "$(dirname "$0")/.."

case ${1:-} in
--check) set -- --dry-run -Werror ;;
*) set -- -i ;;
esac
find src include tests tools -name '*.[ch]' -exec clang-format --style=file "$@" {} +
