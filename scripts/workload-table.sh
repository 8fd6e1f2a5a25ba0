#!/bin/bash
# workload-table.sh [SIZE [WORKLOAD...]] - what workloads do to the memory system: each on the
# machines of the papers that name it (on sharing15 where none does), at `study` unless SIZE says
# otherwise; a table in Markdown, as docs/model/workloads.md has it.  Minutes for each at `study`;
# JOBS= runs side by side.
set -eu
cd "$(dirname "$0")/.."
heddle=${HEDDLE:-build/heddle}
size=${1:-study}
[ $# -eq 0 ] || shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT INT TERM
export heddle size dir

machine_of() { # PAPER
    case $1 in
    icc) echo icc60 ;;
    coalesce) echo coalesce28 ;;
    cdxbar) echo cdxbar80 ;;
    intra) echo intra56 ;;
    *) echo sharing15 ;;
    esac
}

# A row: the kernel with most CTAs, then shares and rates of the whole run.
row() { # WORKLOAD MACHINE
    local run=$dir/$1.$2
    "$heddle" run -m "$2" -w "$1@$size" --json "$run.json" --csv "$run.csv" >/dev/null
    awk -F, -v name="$1" -v machine="$2" -v kernels="$(awk '
            /"ctas":/ { ctas = $2 + 0 }
            /"ctas_per_sm":/ { per = $2 + 0 }
            /"waves":/ { if (ctas > most) { most = ctas; text = per " | " sprintf("%.1f", $2) } }
            END { print most " | " text }' "$run.json")" '
        { v[$1] = $2 }
        function show(x, digits) {
            return v[x] == "" || v[x] == "nan" ? "-" : sprintf("%." digits "f", v[x])
        }
        END {
            print "| " name " | " machine " | " kernels " | " show("store_part", 0) " | " \
                show("lines_per_load", 2) " | " show("lines_per_store", 2) " | " \
                show("l1_hit_rate", 0) " | " show("l2_hit_rate", 0) " | " show("local_part", 0) \
                " | " show("tex_part", 0) " | " show("const_part", 0) " | " \
                show("tex_hit_rate", 0) " | " show("const_hit_rate", 0) " | " show("ipc", 0) " |"
        }' "$run.csv" >"$run.row"
}
export -f row

"$heddle" list workloads --json "$dir/list" >/dev/null
awk '/"name":/ { gsub(/[",]/, ""); name = $2 } /"papers":/ { gsub(/[][",]/, ""); sub(/.*papers:/, ""); print name, $0 }' \
    "$dir/list" >"$dir/papers"
while read -r name papers; do
    [ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    for paper in ${papers:-none}; do
        echo "$name $(machine_of "$paper")"
    done
done <"$dir/papers" >"$dir/jobs"
xargs -P "${JOBS:-1}" -L 1 bash -c 'row "$0" "$1"' <"$dir/jobs"

echo '| name | machine | CTAs | per SM | waves | stores % | lines/load | lines/store | L1 hits % | L2 hits % | local % | texture % | constant % | texture hits % | constant hits % | IPC |'
echo '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|'
while read -r name machine; do
    cat "$dir/$name.$machine.row"
done <"$dir/jobs"
