# kernels/*.cu, compiled to PTX by clang and built into the library.
#
#   <build>/kernels/<name>.ptx   what `heddle run --kernels <build>/kernels` can be given
#   heddle_kernel_sources        C with the PTX as strings, and the table of workloads/kernels.h
#
# No CUDA toolkit is used, also where there is one: --cuda-path names a folder without.  Strings in
# C, rather than .incbin, mean the same to every compiler, to LTO and to sanitizers.

set(kernel_dir "${CMAKE_CURRENT_BINARY_DIR}/kernels")
set(no_cuda_dir "${CMAKE_CURRENT_BINARY_DIR}/no-cuda")
file(MAKE_DIRECTORY "${kernel_dir}" "${no_cuda_dir}")

set(heddle_kernel_flags -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib
    "--cuda-path=${no_cuda_dir}" -Xclang -target-feature -Xclang +ptx63 -ffp-contract=off
    -Wall -Wextra)
if(HEDDLE_WERROR)
    list(APPEND heddle_kernel_flags -Werror)
endif()

# --- a clang that can write PTX ----------------------------------------------------------------

# Sets `result` to whether the program `clang` compiles kernels.
function(heddle_clang_writes_ptx result clang)
    file(WRITE "${no_cuda_dir}/probe.cu" "__attribute__((global)) void probe(float *x) { *x = 1; }\n")
    execute_process(COMMAND "${clang}" ${heddle_kernel_flags} -S "${no_cuda_dir}/probe.cu"
        -o "${no_cuda_dir}/probe.ptx" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
        set(${result} ON PARENT_SCOPE)
    else()
        set(${result} OFF PARENT_SCOPE)
    endif()
endfunction()

if(NOT HEDDLE_CLANG)
    foreach(name clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19 clang-20 clang-21)
        unset(found)
        find_program(found ${name} NO_CACHE)
        if(found)
            heddle_clang_writes_ptx(works "${found}")
            if(works)
                set(HEDDLE_CLANG "${found}" CACHE FILEPATH "The clang that compiles kernels/*.cu")
                break()
            endif()
        endif()
    endforeach()
endif()
if(NOT HEDDLE_CLANG)
    message(FATAL_ERROR "no clang with the NVPTX target found; give one with -DHEDDLE_CLANG=")
endif()

# --- .cu -> .ptx -> .c -------------------------------------------------------------------------

file(GLOB kernel_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.cu")
set(kernel_names)
set(kernel_ptx)
foreach(file ${kernel_files})
    get_filename_component(name "${file}" NAME_WE)
    set(ptx "${kernel_dir}/${name}.ptx")
    add_custom_command(OUTPUT "${ptx}" VERBATIM DEPFILE "${ptx}.d" DEPENDS "${file}"
        COMMENT "Compiling kernels/${name}.cu to PTX"
        COMMAND "${HEDDLE_CLANG}" ${heddle_kernel_flags} -O3 -MD -MF "${ptx}.d" -MT "${ptx}"
            -S "${file}" -o "${ptx}")
    list(APPEND kernel_names "${name}")
    list(APPEND kernel_ptx "${ptx}")
endforeach()

set(heddle_kernel_sources "${kernel_dir}/kernels.c")
set(embed "${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed_kernels.cmake")
add_custom_command(OUTPUT ${heddle_kernel_sources} VERBATIM DEPENDS ${kernel_ptx} "${embed}"
    COMMENT "Embedding the kernels' PTX"
    COMMAND "${CMAKE_COMMAND}" "-Dnames=${kernel_names}" "-Ddir=${kernel_dir}"
        "-Dout=${heddle_kernel_sources}" -P "${embed}")
set_source_files_properties(${heddle_kernel_sources} PROPERTIES
    INCLUDE_DIRECTORIES "${CMAKE_CURRENT_SOURCE_DIR}/workloads")
