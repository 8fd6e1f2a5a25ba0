# cmake -DSOURCE= -DOUT= -P hash_sources.cmake
#
# Writes OUT, the table of src/machine/sources.h: hashes of the sources that results depend on.
#
#   front end     what makes a warp stream of a kernel: executor, host side, what workloads share
#   drivers       workloads/<x>.c, one by one: they make the inputs
#   model         what times streams, but for
#   parts         files of registered plug-ins, one by one: who does not choose one does not depend on it
#   lab           what drives networks without a machine, as a whole: of kinds of runs that include it
#
# A plug-in is a file <anything>_<name>.c beside a registry (.def) whose every row has such a file with
# a .name.  To it belong the files that only it needs, found by their #includes, and <its stem>_*.c.
# Where that cannot be told, a file counts as part of the model: then too much is run again, never too
# little.  The hash is of paths and contents: neither time, place nor git have a part in it.

cmake_policy(SET CMP0057 NEW) # IN_LIST
set(not_model cli explore report search study dev ptx simt host)
set(lab lab traffic)
set(front_end base stream mem dev ptx simt host)

# Sets `result` to 16 digits over the names and contents of files (relative to SOURCE).
function(hash_files result)
    set(files ${ARGN})
    list(REMOVE_DUPLICATES files)
    list(SORT files)
    set(text "")
    foreach(file ${files})
        file(SHA256 "${SOURCE}/${file}" hash)
        string(APPEND text "${file} ${hash}\n")
    endforeach()
    string(SHA256 hash "${text}")
    string(SUBSTRING "${hash}" 0 16 hash)
    set(${result} "${hash}" PARENT_SCOPE)
endfunction()

# ---- units: a stem with its .c and .h, and which units it includes ----------------------------------

file(GLOB_RECURSE all RELATIVE "${SOURCE}" "${SOURCE}/src/*.[ch]" "${SOURCE}/src/*.def"
    "${SOURCE}/src/*.re" "${SOURCE}/src/*.y")
list(SORT all)
set(units)
set(defs)
set(front_files)
foreach(file ${all})
    string(REGEX REPLACE "^src/([^/]*)/?.*$" "\\1" folder "${file}")
    if(folder IN_LIST front_end OR file MATCHES "^src/libheddle[^/]*$")
        list(APPEND front_files "${file}")
    endif()
    set(is_kept FALSE) # what a study keeps of a run is as much its result as what the run does
    if(file MATCHES "^src/study/kind[^/]*$")
        set(is_kept TRUE)
    endif()
    if(NOT file MATCHES "^src/[^/]*/" OR (folder IN_LIST not_model AND NOT is_kept))
        continue()
    endif()
    string(REGEX REPLACE "^src/(.*)[.][a-z]*$" "\\1" unit "${file}")
    if(folder IN_LIST lab)
        set(unit "lab/all")
    elseif(file MATCHES "[.]def$")
        list(APPEND defs "${file}")
        continue()
    endif()
    list(APPEND units "${unit}")
    list(APPEND files_of_${unit} "${file}")
    file(STRINGS "${SOURCE}/${file}" lines REGEX "^[ \t]*#[ \t]*include[ \t]+\"[^\"]*[.]h\"")
    foreach(line ${lines})
        string(REGEX REPLACE "^[^\"]*\"([^\"]*)[.]h\".*$" "\\1" to "${line}")
        if(NOT to MATCHES "/")
            string(REGEX REPLACE "/[^/]*$" "/${to}" to "${unit}")
        endif()
        string(REGEX REPLACE "/.*$" "" to_folder "${to}")
        if(to_folder IN_LIST lab)
            set(to "lab/all")
        endif()
        list(APPEND includes_of_${unit} "${to}")
    endforeach()
endforeach()
list(REMOVE_DUPLICATES units)

# ---- plug-ins: a registry's rows and their files -----------------------------------------------------

# Sets `result` to whether a unit says what it is called.
function(has_name result unit)
    set(${result} FALSE PARENT_SCOPE)
    foreach(file ${files_of_${unit}})
        file(STRINGS "${SOURCE}/${file}" lines REGEX "[.]name = \"")
        if(lines)
            set(${result} TRUE PARENT_SCOPE)
        endif()
    endforeach()
endfunction()

set(plug_ins)
set(registries)
foreach(def ${defs})
    string(REGEX REPLACE "^src/(.*)/[^/]*$" "\\1" folder "${def}")
    file(STRINGS "${SOURCE}/${def}" lines REGEX "^[A-Z][A-Z0-9_]*[(]")
    if(NOT lines) # of plug-ins that are still to come
        list(APPEND registries "${def}")
        continue()
    endif()
    set(names)
    foreach(line ${lines})
        string(REGEX REPLACE "^[A-Z0-9_]*[(]([A-Za-z0-9_]*).*$" "\\1" name "${line}")
        list(APPEND names "${name}")
        set(unit_of_${name})
    endforeach()
    set(own ${units})
    list(FILTER own INCLUDE REGEX "^${folder}/[^/]*$")
    foreach(unit ${own}) # policy_global_rr is of the row global_rr, not of rr
        set(longest "")
        foreach(name ${names})
            string(LENGTH "${name}" n)
            string(LENGTH "${longest}" most)
            if("${unit}" MATCHES "_${name}$" AND n GREATER most)
                set(longest "${name}")
            endif()
        endforeach()
        if(longest)
            has_name(named "${unit}")
            if(named)
                list(APPEND unit_of_${longest} "${unit}")
            endif()
        endif()
    endforeach()
    set(found)
    set(is_registry TRUE)
    foreach(name ${names})
        if(NOT unit_of_${name})
            set(is_registry FALSE)
        endif()
        list(APPEND found ${unit_of_${name}})
    endforeach()
    if(is_registry)
        list(APPEND registries "${def}")
        list(APPEND plug_ins ${found})
    endif()
endforeach()
list(REMOVE_DUPLICATES plug_ins)

# Files that are named after a plug-in are its own.
foreach(unit ${units})
    if(unit IN_LIST plug_ins)
        continue()
    endif()
    foreach(plug_in ${plug_ins})
        if("${unit}" MATCHES "^${plug_in}_")
            list(APPEND files_of_${plug_in} ${files_of_${unit}})
            list(APPEND includes_of_${plug_in} ${includes_of_${unit}})
            list(REMOVE_ITEM units "${unit}")
            break()
        endif()
    endforeach()
endforeach()

# ---- who needs whom ----------------------------------------------------------------------------------

# Sets `result` to these units and all that they include, directly or not.
function(closure result)
    set(open ${ARGN})
    set(done)
    while(open)
        list(POP_FRONT open unit)
        if(unit IN_LIST done OR NOT unit IN_LIST units)
            continue()
        endif()
        list(APPEND done "${unit}")
        list(APPEND open ${includes_of_${unit}})
    endwhile()
    set(${result} "${done}" PARENT_SCOPE)
endfunction()

set(included)
foreach(unit ${units})
    set(others ${includes_of_${unit}})
    list(REMOVE_ITEM others "${unit}")
    list(APPEND included ${others})
endforeach()
if(NOT "lab/all" IN_LIST included)
    list(REMOVE_ITEM units "lab/all")
endif()
set(roots ${units})
list(REMOVE_ITEM roots ${included} ${plug_ins})
closure(model ${roots})
closure(reached ${roots} ${plug_ins})
set(orphans ${units})
list(REMOVE_ITEM orphans ${reached})
closure(model ${roots} ${orphans})
list(REMOVE_ITEM plug_ins ${model})

# ---- the table ---------------------------------------------------------------------------------------

# Sets `result` to the words that match a pattern in files, with a bar between: "xbar|crossbar".
function(words_in result pattern)
    set(words)
    foreach(file ${ARGN})
        file(STRINGS "${SOURCE}/${file}" lines REGEX "${pattern}")
        foreach(line ${lines})
            string(REGEX MATCHALL "${pattern}" matches "${line}")
            foreach(match ${matches})
                string(REGEX REPLACE "${pattern}" "\\1" word "${match}")
                list(APPEND words "${word}")
            endforeach()
        endforeach()
    endforeach()
    list(REMOVE_DUPLICATES words)
    list(JOIN words "|" words)
    set(${result} "${words}" PARENT_SCOPE)
endfunction()

function(files_of result)
    set(files)
    foreach(unit ${ARGN})
        list(APPEND files ${files_of_${unit}})
    endforeach()
    set(${result} "${files}" PARENT_SCOPE)
endfunction()

set(parts "")
list(SORT plug_ins)
foreach(plug_in ${plug_ins})
    closure(needed "${plug_in}")
    list(REMOVE_ITEM needed ${model})
    files_of(files ${needed})
    hash_files(hash ${files})
    words_in(words "[.]name = \"([^\"]*)\"" ${files_of_${plug_in}})
    words_in(aliases "[.]alias = \"([^\"]*)\"" ${files_of_${plug_in}})
    if(aliases)
        string(APPEND words "|${aliases}")
    endif()
    words_in(sections "CFG_SECTION[_WHEN]*[(]([a-z0-9_]+)" ${files})
    string(APPEND parts "    {\"${plug_in}\", \"${words}\", \"${sections}\", 0x${hash}u},\n")
endforeach()

file(GLOB drivers RELATIVE "${SOURCE}" "${SOURCE}/workloads/*.c")
file(GLOB shared RELATIVE "${SOURCE}" "${SOURCE}/workloads/*.h" "${SOURCE}/include/heddle/*.h")
set(rows "")
list(SORT drivers)
foreach(driver ${drivers})
    words_in(name "[.]name = \"([^\"]*)\"" "${driver}")
    if(name STREQUAL "")
        list(APPEND shared "${driver}")
        continue()
    endif()
    hash_files(hash "${driver}")
    string(APPEND rows "    {\"${driver}\", \"${name}\", \"\", 0x${hash}u},\n")
endforeach()

files_of(model_files ${model})
list(REMOVE_ITEM defs ${registries})
hash_files(model_hash ${model_files} ${defs})
hash_files(front_hash ${front_files} ${shared})
file(WRITE "${OUT}" "/* Generated by cmake/hash_sources.cmake. */
#include \"machine/sources.h\"

static const struct sources_part parts[] = {
${parts}    {0}};
static const struct sources_part drivers[] = {
${rows}    {0}};
const struct sources sources_built = {
    .model = 0x${model_hash}u, .front_end = 0x${front_hash}u, .parts = parts, .drivers = drivers};
")
