# bash completion for heddle: the program itself knows what could follow (heddle complete).

_heddle() {
    local line=${COMP_LINE:0:COMP_POINT} word typed candidate
    local -a words
    read -ra words <<<"$line"
    [[ $line != *[[:space:]] ]] || words+=('')
    word=${words[-1]}
    # bash takes a word apart at these signs, and replaces what is behind the last of them only.
    typed=${word%"${word##*[=@:]}"}
    COMPREPLY=()
    while IFS= read -r candidate; do
        case $candidate in
        :files) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word"); compopt -o filenames ;;
        :folders) mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -d -- "$word"); compopt -o filenames ;;
        *) COMPREPLY+=("${candidate#"$typed"}") ;;
        esac
    done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
    [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}

complete -F _heddle heddle
