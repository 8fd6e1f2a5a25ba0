#!/bin/bash
# The page of an exploration in a browser: all points are drawn where their values are, hovering, clicks
# and keys do what they should, it loads nothing, complains of nothing and fits every screen.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE

skip() {
    echo "skipped: $*"
    exit 77
}

browser=
for name in chromium chromium-headless-shell chromium-browser google-chrome; do
    command -v "$name" >/dev/null && browser=$name && break
done
[ -n "$browser" ] || skip "there is no Chromium (Debian: chromium)"
command -v node >/dev/null || skip "there is no node (Debian: nodejs)"

mkdir shots
for name in mini machines; do
    "$HEDDLE" explore "$HEDDLE_SOURCE/tests/data/explore/$name.yaml" --out $name >log 2>&1 ||
        { echo "$name was not explored"; tail -n 20 log; exit 1; }
    cp $name/report.html $name.html
done
node "$HEDDLE_SOURCE/web/test/check_explore.js" "$browser" shots mini.html machines.html
