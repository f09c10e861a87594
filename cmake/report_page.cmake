# The pages of scrl report and scrl serve: TypeScript in report/ becomes a script inside the program
# for each, so that an installed program needs neither Node nor files beside it. Without esbuild
# reports have tables only, and the server has no page.
find_program(SCRL_ESBUILD esbuild)
if(NOT SCRL_ESBUILD)
  message(STATUS "no esbuild: reports will have tables and no pictures, scrl serve no page")
endif()
file(GLOB page_modules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report/src/*.ts)

# bundled(MODULE SCRIPT): report/src/MODULE.ts and what it imports; SCRIPT is empty without esbuild.
function(bundled module script)
  set(out "")
  if(SCRL_ESBUILD)
    set(out ${PROJECT_BINARY_DIR}/generated/${module}.js)
    add_custom_command(OUTPUT ${out} DEPENDS ${page_modules} VERBATIM
      COMMAND ${SCRL_ESBUILD} ${PROJECT_SOURCE_DIR}/report/src/${module}.ts --bundle --minify --target=es2020
              --format=iife --charset=utf8 --legal-comments=none --log-level=warning --outfile=${out})
  endif()
  set(${script} "${out}" PARENT_SCOPE)
endfunction()

# embedded(TARGET SOURCE HEADER function=FILE...): files as functions of a source of the target.
function(embedded target source header)
  set(out ${PROJECT_BINARY_DIR}/generated/${source})
  list(TRANSFORM ARGN REPLACE "^[^=]*=" "" OUTPUT_VARIABLE files)
  list(REMOVE_ITEM files "")
  list(JOIN ARGN "|" texts)
  add_custom_command(OUTPUT ${out} DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake VERBATIM
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DHEADER=${header} "-DTEXTS=${texts}"
            -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
  target_sources(${target} PRIVATE ${out})
endfunction()

bundled(main script)
embedded(scrl_report report_page.cc report/report_page.h
         report_script=${script} report_style=${PROJECT_SOURCE_DIR}/report/style.css)
bundled(serve script)
embedded(scrl_serve serve_page.cc serve/page.h serve_script=${script})
embedded(scrl_serve openapi_text.cc serve/page.h openapi_text=${PROJECT_SOURCE_DIR}/src/serve/openapi.json)
