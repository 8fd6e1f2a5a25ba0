#!/bin/bash
# lint.sh [BUILD-DIR] - the house rules that a compiler does not know.
#
# Errors: an #include against the order of layers; malloc and its kin outside src/base; exit()
# below src/cli; functions that only tests call; a choice of the configuration told by its first
# letter; file-scope variables that can change (looked up in BUILD-DIR/libheddle.a); files in git
# that have no place at the root.
# Notes, which do not fail: long files and functions, source files without a unit test.
set -u
cd "$(dirname "$0")/.." || exit 2
build=${1:-build}

# The layers, lowest first.  A folder may include itself and folders on lines above its own,
# never its neighbours on the same line: models meet only through ports.
LAYERS='
base
sim
stream dev mem search
cache analysis
ptx
simt
host
l1
cta sm cluster noc l2 dram power
traffic fabric
lab machine
study
explore
report
lib
cli
'
# "lib" stands for the files directly in src/ and for the public header, include/heddle/.

# Files or folders that may allocate, and that may end the program (the arena: out of memory is
# nothing that a caller could mend).
MAY_ALLOCATE='src/base/*'
MAY_EXIT='src/cli/*|src/base/arena.c|src/base/bytes.c'

# Functions that only tests call, each for a reason.
# lab_drain: a test wants its network empty at the end; a measurement ends with it full.
# config_load_text: what a file would say, for tests and fuzzers of its reader.

FOR_TESTS='lab_drain config_load_text'

# What stands at the root; anything else was left behind by somebody.
ROOT='.ci .clang-format .clang-tidy .gitignore CHANGELOG.md CITATION.cff CMakeLists.txt CMakePresets.json CONTRIBUTING.md
LICENSE Makefile README.md cmake docs examples include kernels machines networks packaging python reference scripts src studies
tests tools web workloads'

MAX_FILE=700
MAX_FUNCTION=80

errors=0
notes=0
error() { echo "error: $*"; errors=$((errors + 1)); }
note() { echo "note: $*"; notes=$((notes + 1)); }

mapfile -t files < <(find src -name '*.[ch]' | sort)

# The code of a file as "line:text", without comments and string contents.
code_of() {
    awk -v q="'" '
        {
            text = $0
            gsub(/\\\\|\\"/, "", text)
            gsub(q "\"" q, "", text)
            gsub(/"[^"]*"/, "\"\"", text)
            out = ""
            while (text != "") {
                if (inside) {
                    at = index(text, "*/")
                    if (!at) break
                    text = substr(text, at + 2); inside = 0
                } else {
                    at = match(text, /\/[*\/]/)
                    if (!at) { out = out text; break }
                    out = out substr(text, 1, at - 1)
                    if (substr(text, at, 2) == "//") break
                    text = substr(text, at + 2); inside = 1
                }
            }
            print FNR ":" out
        }' "$1"
}

# --- layering --------------------------------------------------------------------------------

declare -A rank
level=0
while read -r line; do
    [ -n "$line" ] || continue
    level=$((level + 1))
    for folder in $line; do rank[$folder]=$level; done
done <<<"$LAYERS"

folder_of() { # src/noc/router.c -> noc; src/lib.c -> lib
    local path=${1#src/}
    case $path in
    heddle/*) echo lib ;;
    */*) echo "${path%%/*}" ;;
    *) echo lib ;;
    esac
}

# Where the compiler finds a header: beside the file, in src, in include; nothing for another's.
layer_of() { # FILE HEADER
    if [ -f "${1%/*}/$2" ]; then
        folder_of "${1%/*}/$2"
    elif [ -f "src/$2" ] || [ -f "include/$2" ]; then
        folder_of "$2"
    fi
}

for file in "${files[@]}"; do
    from=$(folder_of "$file")
    if [ -z "${rank[$from]:-}" ]; then
        error "$file: folder src/$from has no place in LAYERS of tools/lint.sh"
        continue
    fi
    while IFS=: read -r line header; do
        to=$(layer_of "$file" "$header")
        [ -n "$to" ] || continue # of a library, or generated
        if [ -z "${rank[$to]:-}" ]; then
            error "$file:$line: includes \"$header\" from an unknown folder"
        elif [ "$to" != "$from" ] && [ "${rank[$to]}" -ge "${rank[$from]}" ]; then
            error "$file:$line: $from must not include \"$header\": $to is not below it"
        fi
    done < <(sed -nE 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]([^">]*)[">].*/\1/;T;=;p' \
        "$file" | paste -d: - -)
done

# --- calls -----------------------------------------------------------------------------------

is_one_of() { # is_one_of PATH PATTERNS
    local pattern
    while read -rd'|' pattern; do
        # shellcheck disable=SC2053  # a pattern is meant
        [[ $1 == $pattern ]] && return 0
    done <<<"$2|"
    return 1
}

forbid() { # forbid NAMES FILE MESSAGE
    while IFS=: read -r line text; do
        error "$2:$line: $3: ${text#"${text%%[![:space:]]*}"}"
    done < <(code_of "$2" | grep -E "(^|[^[:alnum:]_.>])($1)[[:space:]]*\(")
}

for file in "${files[@]}"; do
    is_one_of "$file" "$MAY_ALLOCATE" ||
        forbid 'malloc|calloc|realloc|free|strdup|aligned_alloc|posix_memalign' "$file" \
            "memory comes from arenas, only src/base allocates"
    is_one_of "$file" "$MAY_EXIT" ||
        forbid '_?exit|_Exit|quick_exit' "$file" "only src/cli ends the program"
done

# --- choices -----------------------------------------------------------------------------------

# Another word with the same first letter would be taken for the first.
choices=$(sed -nE 's/.*\(id, CHOICE, ([a-z0-9_]+),.*/\1/p' "${files[@]}" | sort -u | paste -sd'|' -)
for file in "${files[@]}"; do
    while IFS=: read -r line text; do
        error "$file:$line: a choice is a whole word, not a letter: ${text#"${text%%[![:space:]]*}"}"
    done < <(code_of "$file" | grep -E "(->|\.)(${choices:-none})\[0\] [!=]= '")
done

# --- functions that only tests call --------------------------------------------------------------

# A function is declared in column one of a header.  Any other mention of it is a use, and so is a
# macro that pastes the beginning of its name.
while read -r at name; do
    is_one_of "$name" "${FOR_TESTS// /|}" ||
        error "$at: nothing calls $name(), or tests alone do"
done < <(
    find src workloads -name '*.[ch]' -o -name '*.def' -o -name '*.y' -o -name '*.re' | sort |
        while read -r file; do
            code_of "$file" | sed "s|^|$file:|"
        done | awk '
        {
            split($0, at, ":")
            text = substr($0, length(at[1] at[2]) + 3)
            for (rest = text; match(rest, /[a-z][a-z0-9_]*_##/); rest = substr(rest, RSTART + RLENGTH))
                pasted[substr(rest, RSTART, RLENGTH - 2)] = 1
            if (text ~ /^[a-zA-Z_]/ && text !~ /^typedef/ && match(text, /[a-z][a-z0-9_]*\(/)) {
                before = substr(text, 1, RSTART - 1)
                name = substr(text, RSTART, RLENGTH - 1)
                if (before !~ /[={(,;]/ && before ~ /(^|[ *])$/) {
                    if (at[1] ~ /\.h$/ && !(name in declared))
                        declared[name] = at[1] ":" at[2]
                    text = before substr(text, RSTART + RLENGTH)
                }
            }
            for (n = split(text, word, /[^a-zA-Z0-9_]+/); n > 0; n--)
                used[word[n]] = 1
        }
        END {
            for (name in declared) {
                is_used = name in used
                for (stem in pasted)
                    is_used = is_used || index(name, stem) == 1
                if (!is_used)
                    print declared[name], name
            }
        }' | sort
)

# --- mutable file-scope variables --------------------------------------------------------------

# By section, because constants with addresses in them look like data to plain nm.
if [ -f "$build/libheddle.a" ]; then
    while read -r object symbol section; do
        error "$object: \"$symbol\" in $section: a simulation has no global state"
    done < <(nm -f sysv "$build/libheddle.a" 2>/dev/null | awk -F'|' '
        /^[^|]*\[.*\.o\]:?$/ { object = $0; sub(/^.*\[/, "", object); sub(/\.o\].*/, "", object) }
        /^(Symbols from )/ { object = $0; sub(/^.*\[/, "", object); sub(/\.o\].*/, "", object) }
        NF >= 7 {
            gsub(/ /, "")
            if ($7 ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && $7 !~ /^\.data\.rel\.ro/ &&
                $4 ~ /OBJECT|TLS/)
                print object, $1, $7
        }')
else
    note "no $build/libheddle.a: file-scope variables were not checked"
fi

# --- the root ----------------------------------------------------------------------------------

while read -r entry; do
    case " ${ROOT//$'\n'/ } " in
    *" $entry "*) ;;
    *) error "$entry: has no place at the root" ;;
    esac
done < <(git ls-files 2>/dev/null | cut -d / -f 1 | sort -u)

# --- sizes, tests ------------------------------------------------------------------------------

for file in "${files[@]}"; do
    lines=$(wc -l <"$file")
    [ "$lines" -le $MAX_FILE ] || note "$file: $lines lines (aim: at most $MAX_FILE)"
    # Function bodies are what clang-format puts between braces in column one.
    while read -r line size name; do
        note "$file:$line: $name has $size lines (aim: at most $MAX_FUNCTION)"
    done < <(awk -v max=$MAX_FUNCTION '
        /^[a-zA-Z].*\(/ && !/;$/ { head = $0 }
        /^{/ { start = FNR }
        /^}/ && start {
            if (FNR - start + 1 > max) {
                sub(/\(.*/, "", head); sub(/.*[ *]/, "", head)
                print start, FNR - start + 1, head
            }
            start = 0
        }' "$file")
    case $file in
    *.h | src/cli/* | */main.c | */out_*.c | src/lib* | src/data.c) continue ;;
    esac
    stem=${file#src/}
    test=tests/unit/${stem%/*}/test_$(basename "$file")
    [ -f "$test" ] || note "$file: no $test"
done

echo "lint: $errors errors, $notes notes"
[ "$errors" -eq 0 ]
