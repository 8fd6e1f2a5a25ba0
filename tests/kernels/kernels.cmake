# tests/kernels/*.cu, compiled to PTX for the tests: kernels/O0/<name>.ptx and kernels/O3/<name>.ptx
# by clang, kernels/nvcc/<name>.ptx where there is an nvcc.

find_program(HEDDLE_NVCC nvcc HINTS /usr/local/cuda/bin ENV CUDA_HOME PATH_SUFFIXES bin)

file(GLOB test_kernel_files CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.cu")
set(test_kernel_dir "${CMAKE_CURRENT_BINARY_DIR}/kernels")
set(test_kernel_ptx)

function(add_test_kernel ptx file)
    cmake_path(GET ptx PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    file(GLOB used CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/kernels/*.def"
        "${PROJECT_SOURCE_DIR}/kernels/*.h")
    add_custom_command(OUTPUT "${ptx}" VERBATIM DEPENDS "${file}" ${used}
        COMMAND ${ARGN} "${file}" -o "${ptx}")
endfunction()

foreach(file ${test_kernel_files})
    get_filename_component(name "${file}" NAME_WE)
    foreach(level O0 O3)
        set(ptx "${test_kernel_dir}/${level}/${name}.ptx")
        add_test_kernel("${ptx}" "${file}" "${HEDDLE_CLANG}" ${heddle_kernel_flags} -${level} -S)
        list(APPEND test_kernel_ptx "${ptx}")
    endforeach()
    if(HEDDLE_NVCC)
        set(ptx "${test_kernel_dir}/nvcc/${name}.ptx")
        add_test_kernel("${ptx}" "${file}" "${HEDDLE_NVCC}" -arch=sm_75 -fmad=false -ptx)
        list(APPEND test_kernel_ptx "${ptx}")
    endif()
endforeach()
add_custom_target(test_kernels DEPENDS ${test_kernel_ptx})
