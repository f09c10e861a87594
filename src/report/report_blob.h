// report/report_blob.h: the arrays of a report, one behind the other, to be packed into the page.
//
// What refers to an array in the JSON of the page is {"type": "u16", "at": byte, "count": n};
// arrays start at multiples of 8 bytes and are little endian, as every browser's machine is.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "config/json.h"

namespace scrl {

class ReportBlob {
 public:
  template <class T>
  Json add(const std::vector<T>& values) {
    static_assert(std::is_unsigned_v<T> || std::is_same_v<T, float>);
    const char* type = std::is_same_v<T, float> ? "f32"
                       : sizeof(T) == 1         ? "u8"
                       : sizeof(T) == 2         ? "u16"
                                                : "u32";
    return add(type, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)},
               values.size());
  }
  // UTF-8, for texts that are many.
  Json add_text(const std::string& text) { return add("text", text, text.size()); }

  // Packed and in base64, for a script element.
  std::string base64_text() const;

 private:
  Json add(const char* type, std::string_view bytes, std::size_t count);
  std::string bytes_;
};

}  // namespace scrl
