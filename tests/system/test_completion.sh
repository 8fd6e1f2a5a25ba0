#!/bin/bash
# Completion in bash, and in zsh and fish where they are: commands, options (every one that a --help
# names), parameters, their values, machines, networks, workloads and sizes, studies, statistics.
set -eu
export HEDDLE_DATA=$HEDDLE_SOURCE
PATH=$(dirname "$HEDDLE"):$PATH
mkdir here && touch here/own.yaml && cd here

# --- how each shell is asked: the line up to the cursor -> candidates, one per line ---

# shellcheck disable=SC1091
source "$HEDDLE_SOURCE/packaging/heddle.bash"
compopt() { :; }
ask_bash() {
    COMP_LINE=$1 COMP_POINT=${#1}
    COMP_WORDS=() COMP_CWORD=0
    _heddle
    # What bash would make of the word: what is typed up to the last sign at which it breaks words.
    local word=${1##* }
    printf '%s\n' "${COMPREPLY[@]/#/${word%"${word##*[=@:]}"}}"
}
ask_zsh() {
    zsh -f -c '
        compadd() { while [[ $1 != -- ]]; do shift; done; shift; (( $# )) && print -rl -- "$@" }
        _files() { print -rl -- * }
        words=("${(@s: :)1}") CURRENT=${#words}
        shift
        source "$HEDDLE_SOURCE/packaging/heddle.zsh" | grep "^${words[CURRENT]//./\\.}"' zsh "$1" || true
}
ask_fish() {
    HOME=$PWD fish --no-config -c 'source $HEDDLE_SOURCE/packaging/heddle.fish; complete -C $argv[1]' "$1" |
        sed 's/\t.*//'
}

shells=bash
for shell in zsh fish; do
    ! command -v $shell >/dev/null || shells+=" $shell"
done

expect() { # expect LINE CANDIDATE...: these are among them, and all of them fit
    local shell got word
    for shell in $shells; do
        got=$("ask_$shell" "$1")
        for word in "${@:2}"; do
            grep -qxF -e "$word" <<<"$got" || { echo "$shell: '$1': no '$word' in: $got"; exit 1; }
        done
    done
}
expect_none() {
    local shell got
    for shell in $shells; do
        got=$("ask_$shell" "$1")
        [ -z "$got" ] || { echo "$shell: '$1': $got"; exit 1; }
    done
}

expect 'heddle r' run record report
expect 'heddle run --st' --strict
expect 'heddle run -w CHASE:' CHASE:footprint= CHASE:stride=
expect 'heddle run -w STREAM@tiny:block=64,kernel=s' 'STREAM@tiny:block=64,kernel=scale'
expect 'heddle run --set sm.sched' sm.scheduler= sm.schedulers=
expect 'heddle run --set sm.scheduler=' sm.scheduler=gto sm.scheduler=lrr sm.scheduler=two_level
expect 'heddle noc --set noc.topology=m' noc.topology=mesh noc.topology=mwsr
expect 'heddle run --set gpu.cta_scheduler=rr,g' gpu.cta_scheduler=rr,greedy
expect 'heddle run --set icc.enabled=' icc.enabled=true icc.enabled=false
expect 'heddle run --set l1.write_hit=' l1.write_hit=evict l1.write_hit=update
expect 'heddle run -m icc' icc60
expect 'heddle noc -m mesh8' mesh80
expect 'heddle run -w H' HS
expect 'heddle run -w HS@' HS@tiny HS@small
expect 'heddle study ic' icc icc_choices
expect 'heddle run --columns l1.f' l1.fills
expect 'heddle list val' values
expect 'heddle list values noc.top' noc.topology
expect 'heddle list workloads --size t' tiny
expect 'heddle run --json o' own.yaml
expect_none 'heddle nonsense '
expect_none 'heddle run --threads '

# Every option of every --help, whatever it may be.
for command in $(heddle --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
    for option in $(heddle "$command" --help | sed -n 's/^  \(--*[a-z-]*\).*/\1/p'); do
        heddle complete "$command" - | grep -qxF -e "$option" || { echo "$command: no $option"; exit 1; }
    done
done

# Every parameter that says in which list its values are has some.
heddle list params | awk '/\(heddle list/ {print $1}' >named
[ -s named ]
while read -r parameter; do
    [ -n "$(heddle list values "$parameter")" ] || { echo "no values of $parameter"; exit 1; }
done <named
! heddle list values no.such 2>error
[ "$(wc -l <error)" = 1 ]
! heddle list values 2>error
grep -q "of which parameter" error
echo "completion: $shells"

# An option with several forms is offered once.
for command in $("$HEDDLE" complete ''); do
    twice=$("$HEDDLE" complete "$command" -- | sort | uniq -d)
    [ -z "$twice" ] || { echo "$command: offered twice: $twice"; exit 1; }
done
