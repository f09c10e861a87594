# The page of scrl report: TypeScript in report/ becomes one script inside the program, so that an
# installed program needs neither Node nor files beside it. Without esbuild reports have tables only.
find_program(SCRL_ESBUILD esbuild)
set(page_source ${PROJECT_BINARY_DIR}/generated/report_page.cc)
set(page_style ${PROJECT_SOURCE_DIR}/report/style.css)
set(page_script "")
if(SCRL_ESBUILD)
  set(page_script ${PROJECT_BINARY_DIR}/generated/report.js)
  file(GLOB page_modules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report/src/*.ts)
  add_custom_command(OUTPUT ${page_script} DEPENDS ${page_modules} VERBATIM
    COMMAND ${SCRL_ESBUILD} ${PROJECT_SOURCE_DIR}/report/src/main.ts --bundle --minify --target=es2020
            --format=iife --charset=utf8 --legal-comments=none --log-level=warning --outfile=${page_script})
else()
  message(STATUS "no esbuild: reports will have tables and no pictures")
endif()
add_custom_command(OUTPUT ${page_source} VERBATIM
  DEPENDS ${page_script} ${page_style} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMAND ${CMAKE_COMMAND} -DOUT=${page_source} -DSCRIPT=${page_script} -DSTYLE=${page_style}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake)
target_sources(scrl_report PRIVATE ${page_source})
