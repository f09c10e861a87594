// The three ways in which old pickles spell texts and bytes.
#include <charconv>

#include "io/pickle_machine.h"

namespace scrl::pickle {

// STRING, as Python's repr() writes byte strings.
void Machine::quoted_text(std::string_view source) {
  if (source.size() < 2 || source.front() != source.back() ||
      (source.front() != '\'' && source.front() != '"')) {
    refuse("expected a quoted text");
  }
  source = source.substr(1, source.size() - 2);
  std::string& text = store_.texts.emplace_back();
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\\') {
      text += source[i];
      continue;
    }
    const char c = ++i < source.size() ? source[i] : '\0';
    if (c == 'x') {
      unsigned byte = 0;
      const char* digits = source.data() + i + 1;
      if (source.size() - i < 3 ||
          std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) {
        refuse("bad escape in a text");
      }
      text += static_cast<char>(byte);
      i += 2;
    } else {
      constexpr std::string_view kFrom = "ntr\\'\"", kTo = "\n\t\r\\'\"";
      const auto which = kFrom.find(c);
      if (which == kFrom.npos || c == '\0') refuse("bad escape in a text");
      text += kTo[which];
    }
  }
  push_text(text);
}

// UNICODE: one byte per letter below 256, except those written as \uNNNN. Kept as UTF-8, like the
// texts of later protocols.
void Machine::escaped_text(std::string_view source) {
  std::string& text = store_.texts.emplace_back();
  for (std::size_t i = 0; i < source.size(); ++i) {
    unsigned letter = static_cast<unsigned char>(source[i]);
    if (source.substr(i, 2) == "\\u") {
      const char* digits = source.data() + i + 2;
      if (source.size() - i < 6 ||
          std::from_chars(digits, digits + 4, letter, 16).ptr != digits + 4 || letter > 255) {
        refuse("bad escape in a text");
      }
      i += 5;
    }
    if (letter < 0x80) {
      text += static_cast<char>(letter);
    } else {
      text += static_cast<char>(0xc0 | letter >> 6);
      text += static_cast<char>(0x80 | (letter & 0x3f));
    }
  }
  push_text(text);
}

// Python 3 writes bytes for protocols 0 to 2 as a text of the letters 0..255 to be encoded.
void Machine::encode_latin1(std::string_view utf8) {
  spend(utf8.size());
  std::string& out = store_.texts.emplace_back();
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto c = static_cast<unsigned char>(utf8[i]);
    if (c < 0x80) {
      out += static_cast<char>(c);
    } else if ((c == 0xc2 || c == 0xc3) && i + 1 < utf8.size()) {
      const auto next = static_cast<unsigned char>(utf8[++i]);
      out += static_cast<char>((c & 3) << 6 | (next & 0x3f));
    } else {
      refuse("expected a latin1 text");
    }
  }
  push_text(out);
}

}  // namespace scrl::pickle
