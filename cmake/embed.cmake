# cmake -DOUT=FILE -DHEADER=a/b.h "-DTEXTS=function=FILE|function=FILE" -P embed.cmake: the bytes of
# files as C++ functions that return them. A function without a file returns nothing.
set(source "// Made by cmake/embed.cmake.\n#include \"${HEADER}\"\n\nnamespace scrl {\n")
string(REPLACE "|" ";" texts "${TEXTS}")
foreach(text ${texts})
  string(REGEX MATCH "^([^=]*)=(.*)$" parts "${text}")
  set(name ${CMAKE_MATCH_1})
  set(hex "")
  if(CMAKE_MATCH_2)
    file(READ ${CMAKE_MATCH_2} hex HEX)
  endif()
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND source "
std::string_view ${name}() {
  static const unsigned char bytes[] = {\n${bytes}0};
  return {reinterpret_cast<const char*>(bytes), sizeof bytes - 1};  // without the zero at the end
}
")
endforeach()
file(WRITE ${OUT} "${source}\n}  // namespace scrl\n")
