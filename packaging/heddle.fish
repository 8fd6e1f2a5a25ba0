# fish completion for heddle: the program itself knows what could follow (heddle complete).

function __heddle_complete
    set -l words (commandline -opc) (commandline -ct)
    for candidate in ($words[1] complete $words[2..-1] 2>/dev/null)
        switch $candidate
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $candidate
        end
    end
end

complete -c heddle -f -a '(__heddle_complete)'
