# The PTX lexer and parser: re2c and lemon write C into <build>/generated.
#
# Sets heddle_generated_sources, for the library, and heddle_generated_dir, for its include path.

find_program(RE2C re2c REQUIRED)
find_program(LEMON lemon REQUIRED)
find_file(LEMON_TEMPLATE lempar.c PATHS /usr/share/lemon /usr/local/share/lemon REQUIRED)

set(heddle_generated_dir "${CMAKE_CURRENT_BINARY_DIR}/generated")
set(ptx_dir "${CMAKE_CURRENT_SOURCE_DIR}/src/ptx")
file(MAKE_DIRECTORY "${heddle_generated_dir}")

add_custom_command(
    OUTPUT "${heddle_generated_dir}/grammar.c" "${heddle_generated_dir}/grammar.h"
    COMMAND ${LEMON} -q -l "-T${LEMON_TEMPLATE}" "-d${heddle_generated_dir}" "${ptx_dir}/grammar.y"
    DEPENDS "${ptx_dir}/grammar.y" "${LEMON_TEMPLATE}"
    COMMENT "lemon grammar.y" VERBATIM)
add_custom_command(
    OUTPUT "${heddle_generated_dir}/lexer.c"
    COMMAND ${RE2C} -W -Werror -i --no-generation-date -o "${heddle_generated_dir}/lexer.c"
        "${ptx_dir}/lexer.re"
    DEPENDS "${ptx_dir}/lexer.re"
    COMMENT "re2c lexer.re" VERBATIM)

set(heddle_generated_sources
    "${heddle_generated_dir}/grammar.c" "${heddle_generated_dir}/lexer.c")
# The lexer includes the parser's token numbers.
set_source_files_properties("${heddle_generated_dir}/lexer.c" PROPERTIES
    OBJECT_DEPENDS "${heddle_generated_dir}/grammar.h")
# lemon's template has unused names and functions without prototypes.
set_source_files_properties("${heddle_generated_dir}/grammar.c" PROPERTIES COMPILE_OPTIONS
    "-Wno-missing-prototypes;-Wno-unused-variable;-Wno-unused-parameter")
