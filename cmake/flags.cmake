# Compiler flags for every target, as one interface library; and link-time optimisation.

add_library(heddle_flags INTERFACE)

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_FLAGS_RELEASE "-O3") # without NDEBUG: assertions are on in every build

target_compile_definitions(heddle_flags INTERFACE _XOPEN_SOURCE=700)
target_compile_options(heddle_flags INTERFACE
    -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wvla
    # A fused multiply-add rounds once where two operations round twice: results would depend on
    # which machine, or which clone of a multiversioned function, computed them.
    -ffp-contract=off
    # Assertions name src/noc/router.c, wherever the source was unpacked.
    "-fmacro-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}/=")
if(HEDDLE_WERROR)
    target_compile_options(heddle_flags INTERFACE -Werror)
endif()
if(HEDDLE_NATIVE)
    target_compile_options(heddle_flags INTERFACE -march=native)
endif()
if(HEDDLE_SANITIZE)
    target_compile_options(heddle_flags INTERFACE
        -fsanitize=${HEDDLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(heddle_flags INTERFACE -fsanitize=${HEDDLE_SANITIZE})
endif()
if(HEDDLE_FUZZ)
    target_compile_options(heddle_flags INTERFACE -fsanitize=fuzzer-no-link)
    target_link_options(heddle_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(HEDDLE_COVERAGE)
    target_compile_options(heddle_flags INTERFACE --coverage -fprofile-update=atomic)
    target_link_options(heddle_flags INTERFACE --coverage)
endif()

# LTO with gcc only: its fat objects hold machine code as well, so that tests link fast and the
# installed archive is of use to any compiler.
set(heddle_lto_works OFF)
if(HEDDLE_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    include(CheckIPOSupported)
    check_ipo_supported(RESULT heddle_lto_works OUTPUT why LANGUAGES C)
    if(heddle_lto_works)
        set(CMAKE_C_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
    else()
        message(STATUS "no link-time optimisation: ${why}")
    endif()
endif()

function(heddle_use_lto)
    if(heddle_lto_works)
        set_target_properties(${ARGN} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
    endif()
endfunction()

# An archive with LTO sections can be read only by the very compiler that wrote it.
function(heddle_drop_lto_sections archive)
    if(heddle_lto_works)
        add_custom_command(TARGET ${archive} POST_BUILD VERBATIM
            COMMAND ${CMAKE_OBJCOPY} -R ".gnu.lto_*" -R ".gnu.debuglto_*" $<TARGET_FILE:${archive}>)
    endif()
endfunction()
