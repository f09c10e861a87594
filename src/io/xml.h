// io/xml.h: XML as a stream of tags and texts, with the limits that files from anyone need.
//
// Leaves out, by refusing it: document types and with them entities of one's own, more than 64
// levels, a tag or a text beyond kMaxXmlText. Prefixes of names ("g:node") are dropped.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "io/byte_stream.h"

namespace scrl {

inline constexpr std::size_t kMaxXmlText = std::size_t{256} << 20;

using XmlAttributes = std::vector<std::pair<std::string_view, std::string_view>>;

// What a document is made of, in its order. All views are valid during the call alone.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual void begin(std::string_view name, const XmlAttributes& attributes) = 0;
  virtual void text(std::string_view piece) = 0;  // a text may come in several pieces
  virtual void end(std::string_view name) = 0;
};

class XmlReader {
 public:
  explicit XmlReader(std::unique_ptr<ByteStream> stream);
  ~XmlReader();
  XmlReader(const XmlReader&) = delete;
  XmlReader& operator=(const XmlReader&) = delete;

  // The whole document; the handler may throw. Throws Error(kData) "NAME:LINE: ...".
  void read(XmlHandler& handler);

  const std::string& name() const;
  Index line() const;
  Index stored_bytes() const;
  template <class... Parts>
  [[noreturn]] void fail(const Parts&... parts) const {
    scrl::fail(ErrorKind::kData, name(), ":", line(), ": ", parts...);
  }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scrl
