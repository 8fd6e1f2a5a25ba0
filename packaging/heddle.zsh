#compdef heddle
# zsh completion for heddle: the program itself knows what could follow (heddle complete).

_heddle() {
    local -a found
    found=("${(@f)$("${words[1]}" complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    (( ${found[(I):files]} )) && _files
    (( ${found[(I):folders]} )) && _files -/
    found=("${(@)found:#:*}")
    found=("${(@)found:#}")
    compadd -S '' -- "${(@M)found:#*=}"
    compadd -- "${(@)found:#*=}"
}

_heddle "$@"
