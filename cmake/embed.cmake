# cmake -DOUT=FILE -DSCRIPT=FILE -DSTYLE=FILE -P embed.cmake: the bytes of the report's script and style
# as C++. An empty SCRIPT gives an empty one.
function(array name file)
  set(hex "")
  if(file)
    file(READ ${file} hex HEX)
  endif()
  string(REGEX REPLACE "(................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  set(text "const unsigned char ${name}[] = {\n${bytes}0};\n")
  set(${name} "${text}" PARENT_SCOPE)
endfunction()
array(kScript "${SCRIPT}")
array(kStyle "${STYLE}")
file(WRITE ${OUT} "// Made by cmake/embed.cmake.\n#include \"report/report_page.h\"\n
namespace scrl {\nnamespace {\n\n${kScript}\n${kStyle}
std::string_view text(const unsigned char* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size - 1};  // without the zero at the end
}

}  // namespace

std::string_view report_script() { return text(kScript, sizeof kScript); }
std::string_view report_style() { return text(kStyle, sizeof kStyle); }

}  // namespace scrl
")
