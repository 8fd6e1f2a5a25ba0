#!/bin/sh
# coverage.sh BUILD-DIR - run the tests of a coverage build and print line coverage per folder.
set -eu

build=${1:?usage: coverage.sh BUILD-DIR}
find "$build" -name '*.gcda' -delete # counts add up over runs otherwise
scripts/test.sh "$build"

mkdir -p out/coverage
gcovr --root . --filter src/ --object-directory "$build" \
    --csv out/coverage/files.csv --html-details out/coverage/index.html "$build"

awk -F, '
    NR == 1 { next }
    {
        dir = $1
        if (!sub(/\/[^\/]*$/, "", dir)) dir = "."
        total[dir] += $2; covered[dir] += $3; all += $2; hit += $3
    }
    END {
        for (d in total)
            printf "%-20s %6d of %6d lines  %5.1f %%\n", d, covered[d], total[d],
                   total[d] ? 100 * covered[d] / total[d] : 100 | "sort"
        close("sort")
        printf "%-20s %6d of %6d lines  %5.1f %%\n", "all", hit, all, all ? 100 * hit / all : 100
    }' out/coverage/files.csv
echo "details: out/coverage/index.html"
