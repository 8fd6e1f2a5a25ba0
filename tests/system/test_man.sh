#!/bin/bash
# The manual page has every command and every option, and formatters have nothing to say against it.
set -eu
page=$HEDDLE_BUILD/heddle.1
[ -f "$page" ]
sh "$HEDDLE_SOURCE/packaging/man.sh" "$HEDDLE" >again
cmp again "$page" # and it is the one of this program, each time the same
for command in $("$HEDDLE" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    grep -qi "^.SH HEDDLE $command\$" "$page" || { echo "no $command"; exit 1; }
    for option in $("$HEDDLE" "$command" --help | sed -n 's/^  \(--*[a-z-]*\).*/\1/p'); do
        grep -qF -e "\\fB${option//-/\\-}" "$page" || { echo "$command: no $option"; exit 1; }
    done
done
if command -v groff >/dev/null; then
    groff -ww -man -Tutf8 -z "$page" 2>complaints
    [ ! -s complaints ] || { cat complaints; exit 1; }
fi
if command -v mandoc >/dev/null; then
    mandoc -Tlint -Wwarning "$page"
fi
if command -v man >/dev/null; then
    man -l "$page" 2>/dev/null | grep -q 'memory networks' || [ -z "$(man -l "$page" 2>/dev/null)" ]
fi
