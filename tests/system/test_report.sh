#!/bin/bash
# The page of a study in a browser: it loads nothing, complains of nothing, draws every chart, and
# fits laptop, telephone and paper.  The page is the one that the unit test writes.
set -u
writer=$HEDDLE_BUILD/tests/test_unit_report_study_page

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
[ -x "$writer" ] || skip "$writer has not been built"

HEDDLE_TEST_PAGE=$PWD/page.html HEDDLE_TEST_TALLY='' "$writer" >log 2>&1 ||
    { echo "the page was not written"; tail -n 20 log; exit 1; }

charts=static
grep -q '<script type="application/json" class="spec">' page.html && charts=live
mkdir shots
node "$HEDDLE_SOURCE/web/test/check_page.js" "$browser" page.html shots $charts || exit 1
for picture in light dark narrow print; do
    [ -s "shots/$picture.png" ] || { echo "no picture shots/$picture.png"; exit 1; }
done
