# cmake -DIN=FILE -DOUT=FILE -DHEADER=a/b.h -DNAME=function -P embed_text.cmake: a text file as a C++
# function that returns it.
file(READ ${IN} text)
file(WRITE ${OUT} "// Made by cmake/embed_text.cmake.\n#include \"${HEADER}\"\n
namespace scrl {\n
std::string_view ${NAME}() {\n  return R\"toml(${text})toml\";\n}\n
}  // namespace scrl\n")
