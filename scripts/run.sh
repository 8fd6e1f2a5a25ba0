#!/bin/sh
# A first result: the workloads, executed and checked; and three networks for 80 SMs and 16 memory
# slices under request-reply traffic.  Prints the tables, and leaves the curves, heat maps and a page
# with both in out/.
set -eu
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/heddle}
threads=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
mkdir -p out

echo "Eleven benchmarks as real kernels, executed and checked against the CPU:"
"$heddle" list workloads --size small | tee out/workloads.txt
echo
echo "What each network is made of (request and reply together):"
"$heddle" noc -m mesh80 -m xbar80x16 -m cdxbar80 --print
echo
echo "Round trips over load, 80 SMs reading (70 %) and writing 16 memory slices:"
"$heddle" noc -m mesh80 -m xbar80x16 -m cdxbar80 --rate 0.02:0.26:0.02 --threads "$threads" \
    --curve out/curves.svg | tee out/tables.txt
"$heddle" noc -m cdxbar80 --rate 0.2 --svg out/cdxbar80.svg >/dev/null
"$heddle" noc -m mesh80 --rate 0.2 --svg out/mesh80.svg >/dev/null

{
    echo '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>heddle: a first result</title>'
    echo '<style>body{font:15px sans-serif;max-width:70em;margin:2em auto}pre{font-size:12px}'
    echo 'svg{max-width:100%;height:auto}</style></head><body><h1>Three networks for 80 SMs</h1>'
    cat out/curves.svg
    echo '<h2>Where the flits go: CD-Xbar, then mesh, at 0.2 flits per SM and cycle</h2>'
    cat out/cdxbar80.svg out/mesh80.svg
    echo '<h2>Numbers</h2><pre>'
    sed 's/&/\&amp;/g; s/</\&lt;/g' out/tables.txt
    echo '</pre><h2>The workloads</h2><pre>'
    sed 's/&/\&amp;/g; s/</\&lt;/g' out/workloads.txt
    echo '</pre></body></html>'
} >out/report.html.part
mv out/report.html.part out/report.html
echo
echo "pictures: out/curves.svg, out/cdxbar80.svg, out/mesh80.svg; all on one page: out/report.html"
