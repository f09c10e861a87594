# The settings of --profile paper are a TOML file that becomes part of the program.
set(settings_in ${PROJECT_SOURCE_DIR}/src/paper/settings.toml)
set(settings_out ${PROJECT_BINARY_DIR}/generated/settings_text.cc)
add_custom_command(OUTPUT ${settings_out} VERBATIM
  DEPENDS ${settings_in} ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
  COMMAND ${CMAKE_COMMAND} -DIN=${settings_in} -DOUT=${settings_out} -DHEADER=paper/settings_text.h
          -DNAME=settings_text -P ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake)
target_sources(scrl_paper PRIVATE ${settings_out})
