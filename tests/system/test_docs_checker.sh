#!/bin/bash
# run_docs.py notices what it is there for: a page with one fault each, and a stand-in for heddle.
set -u
checker=$HEDDLE_SOURCE/tests/system/run_docs.py
failed=0

cat >heddle <<'EOF'
#!/bin/bash
[ "$1" != fail ] || exit 2
printf 'runs  12 of %d\nbar  ###\nlast\n' $((RANDOM % 9 + 1))
EOF
chmod +x heddle
mkdir -p source/docs source/studies build
echo 'HEDDLE_CLANG:FILEPATH=NOTFOUND' >build/CMakeCache.txt
printf 'all:\n\t@echo made\n' >source/Makefile
touch source/{CONTRIBUTING,CHANGELOG}.md source/studies/long.yaml
fence='```'

# check STATUS TEXT WHAT: a README of WHAT ends with STATUS, and what is printed has TEXT.
check() {
    local status=0
    rm -rf page && mkdir page
    printf '%s\n' "$3" >source/README.md
    (cd page && HEDDLE=$OLDPWD/heddle HEDDLE_SOURCE=$OLDPWD/source HEDDLE_BUILD=$OLDPWD/build python3 "$checker" rest) \
        >said 2>&1 || status=1
    [ $status = "$1" ] && grep -qF -- "$2" said && return
    echo "should end with $1 and say '$2':"
    printf '%s\n' "$3"
    cat said
    failed=$((failed + 1))
}

block() { # a fenced block of these lines
    echo "$fence"
    printf '%s\n' "$@"
    echo "$fence"
}

check 0 '3 commands executed, 0 wrong' "$(block 'heddle list params   with a remark' 'make all' 'heddle study long')"
check 0 '1 outputs' "$(block '$ heddle run -w X' 'runs 5 of 7' 'bar #' 'last')"
check 0 '1 outputs' "$(block '$ heddle run -w X' '...' 'last')"
check 0 '1 outputs' "$(block '$ heddle run -w X' 'runs ...' '...')"
check 0 '2 commands' 'As `heddle run -w X` and `heddle run` say.'
check 0 '1 commands' "$(printf 'Now write `a.txt`:\n\n%stext\nwords\n%s\n\n' "$fence" "$fence"; block '$ grep words a.txt' words)"
check 1 'does not print: walks' "$(block '$ heddle run -w X' 'walks 5 of 7' '...')"
check 1 'more is printed' "$(block '$ heddle run -w X' 'runs 5 of 7')"
check 1 'does not print: bar' "$(block '$ heddle run -w X' '...' 'bar #')"
check 1 'exit status 2' 'See `heddle fail now`.'
check 1 "No rule to make target" 'Then `make nothing`.'
check 1 'no command that this test knows' 'Try `cat file`.'
check 1 'neither a command nor output' "$(block 'heddle list params' 'and some words')"
check 1 'output before its command' "$(block 'words' '$ heddle run -w X')"
check 1 'a command in an indented block' "$(printf 'So:\n\n    heddle run -w X\n')"
check 1 '0 commands executed' 'Nothing here.'

[ $failed -eq 0 ] || { echo "$failed failed"; exit 1; }
