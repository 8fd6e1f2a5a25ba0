#!/bin/sh
# man.sh HEDDLE - the manual page of the program, made of what its --help prints.
set -eu
heddle=$1
commands=$("$heddle" --help | sed -n 's/^  \([a-z]*\)  *[a-z].*/\1/p')

# Text of a help as roff: options hang, usage stays as it is, the rest is paragraphs.
format() {
    awk '
    function roff(s) {
        gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s)
        if (s ~ /^[.\047]/) s = "\\&" s
        return s
    }
    /^usage:/ { print ".nf"; verbatim = 1 }
    /^$/ { if (verbatim) print ".fi"; verbatim = 0; print ".PP"; next }
    verbatim { print roff($0); next }
    /^ ? ? ?[^ ]/ && match($0, /^  +-[^ ]*( [^ ]+)?  /) {
        print ".TP"; print "\\fB" roff(substr($0, 3, RLENGTH - 4)) "\\fR"
        text = substr($0, RLENGTH); sub(/^ +/, "", text); print roff(text); next
    }
    match($0, /^  +-[^ ]*( [^ ]+)? /) { # no room between the option and its text
        print ".TP"; print "\\fB" roff(substr($0, 3, RLENGTH - 3)) "\\fR"
        print roff(substr($0, RLENGTH + 1)); next
    }
    /^  [a-z]/ && match($0, /^  [a-z]+ +/) {
        print ".TP"; print "\\fB" roff($1) "\\fR"; print roff(substr($0, RLENGTH + 1)); next
    }
    { sub(/^ +/, ""); print roff($0) }
    END { if (verbatim) print ".fi" }'
}

printf '.TH HEDDLE 1 "" "%s" "heddle manual"\n' "$("$heddle" --version)"
printf '.SH NAME\n%s\n' "$("$heddle" --help | sed -n '1s/ - / \\- /p')"
printf '.SH SYNOPSIS\n.B heddle\n.I COMMAND\n[\\fIOPTION\\fR]...\n.SH COMMANDS\n'
"$heddle" --help | sed '1,4d' | format
for command in $commands; do
    printf '.SH HEDDLE %s\n' "$(echo "$command" | tr '[:lower:]' '[:upper:]')"
    "$heddle" "$command" --help | format
done
