#!/bin/sh
# in-temp-dir.sh COMMAND... - run a command in a fresh directory that is gone afterwards.
set -u
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
cd "$dir" || exit 1
"$@"
