# What `make install` puts where; all paths are relative to the prefix, so DESTDIR works.

install(TARGETS heddle heddle_static heddle_shared
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

foreach(data networks machines studies)
    if(IS_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/${data}")
        install(DIRECTORY ${data} DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle
            FILES_MATCHING PATTERN "*.yaml")
    endif()
endforeach()

# What `heddle cost --validate` compares with, and what it is.
install(DIRECTORY reference DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle
    FILES_MATCHING PATTERN "*.csv" PATTERN "README.md")

install(DIRECTORY kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle
    FILES_MATCHING PATTERN "*.h" PATTERN "*.cu")

# The Python package, where Debian's interpreter looks: its packages have one folder for all versions, what is
# installed beside them one for each.
set(HEDDLE_PYTHON_DIR "" CACHE STRING "Folder for the Python package, from the prefix; empty: as Debian has it")
set(heddle_python_dir "${HEDDLE_PYTHON_DIR}")
if(NOT heddle_python_dir)
    set(heddle_python_version "3")
    if(NOT CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /usr/bin/python3)
        execute_process(COMMAND /usr/bin/python3 -c "import sys; print('%d.%d' % sys.version_info[:2])"
            OUTPUT_VARIABLE heddle_python_version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    endif()
    set(heddle_python_dir "lib/python${heddle_python_version}/dist-packages")
endif()
install(DIRECTORY python/heddle DESTINATION ${heddle_python_dir} FILES_MATCHING PATTERN "*.py"
    PATTERN "__pycache__" EXCLUDE)

# The .pc file finds its prefix from its own place, so that a tree installed with DESTDIR can be
# used, and moved, as it is.
file(RELATIVE_PATH heddle_pc_to_prefix
    "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" heddle_pc_to_prefix "${heddle_pc_to_prefix}")
configure_file(packaging/heddle.pc.in heddle.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/heddle.pc"
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(FILES packaging/heddle.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heddle)
install(FILES packaging/heddle.zsh
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _heddle)
install(FILES packaging/heddle.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The manual page, of what the program itself says.
add_custom_command(OUTPUT heddle.1 VERBATIM
    COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/packaging/man.sh" $<TARGET_FILE:heddle> > heddle.1.new
    COMMAND ${CMAKE_COMMAND} -E rename heddle.1.new heddle.1
    DEPENDS heddle packaging/man.sh)
add_custom_target(man ALL DEPENDS heddle.1)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/heddle.1" DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

install(FILES README.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL)
