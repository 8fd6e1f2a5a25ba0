# bash completion for heddle

_heddle_list() { # names of one kind, from the program itself; nothing when it knows no such kind
    "$1" list "$2" --names 2>/dev/null
}

_heddle() {
    local program=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
    local command='' word i
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        [[ $word == -* ]] || { command=$word; break; }
    done
    COMPREPLY=()

    case $prev in
    -m | -n)
        if [[ $cur == */* ]]; then # a path rather than a name
            mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$cur"; compgen -d -- "$cur")
            compopt -o filenames
        else
            local kind=networks
            [[ $command != run && ! ($command == cost && $prev == -m) ]] || kind=machines
            mapfile -t COMPREPLY < <(compgen -W "$(_heddle_list "$program" $kind)" -- "$cur")
        fi
        return ;;
    --set)
        mapfile -t COMPREPLY < <(compgen -S = -W "$(_heddle_list "$program" params)" -- "$cur")
        compopt -o nospace
        return ;;
    --traffic)
        mapfile -t COMPREPLY < <(compgen -W "$(_heddle_list "$program" traffic)" -- "$cur")
        return ;;
    -w)
        mapfile -t COMPREPLY < <(compgen -W "$(_heddle_list "$program" workloads)" -- "$cur")
        return ;;
    --size)
        mapfile -t COMPREPLY < <(compgen -W 'tiny small study paper few' -- "$cur")
        return ;;
    --kernels | --out | --reference)
        mapfile -t COMPREPLY < <(compgen -d -- "$cur")
        compopt -o filenames
        return ;;
    --db | --json | --csv | --svg | --curve | --timeline | --series | --ptx | --launch | --trace | -o)
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        compopt -o filenames
        return ;;
    --columns)
        mapfile -t COMPREPLY < <(compgen -W "$(_heddle_list "$program" stats)" -- "$cur")
        return ;;
    --rate | --router | --link | --array | --optical | --jobs | --threads | --seed | --max-cycles | --max-insns | \
        --period)
        return ;; # a number, which only the user knows
    esac

    local words
    if [[ $cur == -* ]]; then
        case $command in
        '') words='--help --version' ;;
        noc) words='--help -m --rate --saturation --traffic --set --print --json --csv --svg --curve
                    --histogram --stats --threads --seed --max-cycles --check --no-skip
                    --slow-router' ;;
        run) words='--help -m -w --ptx --launch --trace --functional --set --seed --check --no-verify
                    --kernels --max-insns --max-cycles --portable --threads --no-skip --no-stream
                    --window --no-alone --solo
                    --details --json --csv --timeline --series --period --columns' ;;
        record) words='--help -w --ptx --launch -o --seed --check --no-verify --kernels --max-insns
                       --portable' ;;
        study) words='--help --quick --only --jobs --out --db --csv --json --list' ;;
        report) words='--help --db --any-version --csv --json' ;;
        cost) words='--help -m -n --router --link --array --optical --validate --reference --set --json
                     --csv' ;;
        list) words='--help --names --size --json' ;;
        *) words='' ;;
        esac
    else
        case $command in
        '') words='noc run record study report cost list help' ;;
        list) words='workloads machines studies networks topologies traffic policies params stats' ;;
        study) words=$(_heddle_list "$program" studies) ;;
        report)
            mapfile -t COMPREPLY < <(compgen -d -- "$cur")
            compopt -o filenames
            return ;;
        help) words='noc run record study report cost list' ;;
        *) words='' ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}

complete -F _heddle heddle
