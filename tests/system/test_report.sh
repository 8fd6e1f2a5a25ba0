#!/bin/bash
# The page of a study in a browser: it loads nothing, complains of nothing, draws every chart, says
# what a quick run is, and fits screens of 1400, 900 and 400 pixels and paper.  The pages are those
# that unit tests write: of a full study, of its quick form, and of odd shapes.
set -u
tests=$HEDDLE_BUILD/tests

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
for writer in test_unit_report_study_page test_unit_report_study_page_chart; do
    [ -x "$tests/$writer" ] || skip "$writer has not been built"
    HEDDLE_TEST_PAGES=$PWD HEDDLE_TEST_TALLY='' "$tests/$writer" >log 2>&1 ||
        { echo "the pages were not written"; tail -n 20 log; exit 1; }
done

charts=static
grep -q '<script type="application/json" class="spec">' full.html && charts=live
node "$HEDDLE_SOURCE/web/test/check_page.js" "$browser" shots $charts full.html quick.html odd.html ||
    exit 1
for picture in full-light-1400 full-light-900 full-light-400 full-dark-1400 full-print; do
    [ -s "shots/$picture.png" ] || { echo "no picture shots/$picture.png"; exit 1; }
done
