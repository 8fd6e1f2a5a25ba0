#!/bin/bash
# A run that is killed leaves whole files or none: those of the run before it stay as they were.
set -u
export HEDDLE_DATA=$HEDDLE_SOURCE
export LC_ALL=C
failed=0

fail() {
    echo "$*"
    failed=$((failed + 1))
}

files=(r.json r.csv t.json s.csv)
args=(run -m icc60 -w BFS@tiny --json r.json --csv r.csv --timeline t.json --series s.csv)

# whole - each of the files is there to its end.
whole() {
    local f
    for f in "${files[@]}"; do
        [ -s "$f" ] || { fail "$1: no $f"; continue; }
        case $f in
        *.json) [ "$(tail -n 1 "$f")" = '}' ] || fail "$1: $f is cut off" ;;
        *) [ "$(tail -c 1 "$f" | od -An -c | tr -d ' ')" = '\n' ] || fail "$1: $f is cut off" ;;
        esac
    done
    command -v python3 >/dev/null || return 0
    for f in r.json t.json; do
        python3 -m json.tool "$f" >/dev/null || fail "$1: $f is no JSON"
    done
}

start=$(date +%s%N)
"$HEDDLE" "${args[@]}" >out 2>err || fail "exit status $?: $(cat err)"
length=$(($(date +%s%N) - start)) # nanoseconds
whole "a whole run"

RANDOM=1
for signal in KILL TERM KILL TERM KILL TERM KILL TERM INT KILL TERM HUP; do
    rm -f "${files[@]}" ./*.part*
    "$HEDDLE" "${args[@]}" >out 2>err &
    # From the first moment to a little after the usual end.
    sleep "$(awk -v n=$length -v r=$RANDOM 'BEGIN { print n * 1.2 / 1e9 * r / 32768 }')"
    kill -$signal $! 2>/dev/null
    wait $! 2>/dev/null
    status=$?
    [ $status -ne 0 ] || whole "$signal came too late"
    for f in "${files[@]}"; do
        [ ! -e "$f" ] || [ -s "$f" ] || fail "$signal: $f is empty"
        [ ! -e "$f" ] || [ "$f" = "${f%.json}" ] || [ "$(tail -n 1 "$f")" = '}' ] ||
            fail "$signal: $f is cut off"
    done
done

# What was there before stays until all of the new one is.
"$HEDDLE" "${args[@]}" >out 2>err
for f in "${files[@]}"; do cp "$f" "$f.old"; done
"$HEDDLE" run -m icc60 -w MM@small --json r.json --csv r.csv --timeline t.json --series s.csv \
    >out 2>err &
sleep 0.1
kill -KILL $! 2>/dev/null
wait $! 2>/dev/null && fail "MM@small was over in a tenth of a second"
for f in "${files[@]}"; do cmp -s "$f" "$f.old" || fail "$f of the run before has changed"; done

# Stopped by a refusal, a fault or a full disk: nothing is left.
rm -f -- *.part*
mkdir broken
sed -E 's/fma\.rn\.f32([^,]*), ([^,]*), ([^,]*), [^;]*;/mul.rn.f32\1, \2, \3;/' \
    "$HEDDLE_BUILD/kernels/matrixmul.ptx" >broken/matrixmul.ptx
"$HEDDLE" run -m icc60 -w MM@tiny --kernels broken --json b.json --csv b.csv --timeline bt.json \
    --series bs.csv >out 2>err
[ $? -eq 1 ] || fail "a wrong result is not noticed"
[ "$(wc -l <err)" -eq 1 ] && [ ! -s out ] || fail "a wrong result: $(head -n 3 err out)"
[ -z "$(find . -name 'b*.json*' -o -name 'b*.csv*')" ] || fail "wrong results leave files"
if [ -w /dev/full ]; then
    "$HEDDLE" run -m icc60 -w HS@tiny --json /dev/full >out 2>err
    [ $? -eq 2 ] || fail "a full disk is not noticed"
    grep -q '^heddle: /dev/full: cannot write: ' err || fail "a full disk: $(cat err)"
fi
[ -z "$(find . -name '*.part*')" ] || fail "left behind: $(find . -name '*.part*')"

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
