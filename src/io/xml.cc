#include "io/xml.h"

#include <expat.h>

#include <exception>
#include <new>

namespace scrl {
namespace {

constexpr int kMaxDepth = 64;
constexpr int kChunk = 1 << 16;
constexpr Index kMaxPending = Index{16} << 20;  // of one tag

std::string_view without_prefix(std::string_view name) {
  return name.substr(name.rfind(':') + 1);  // npos + 1 is 0
}

}  // namespace

struct XmlReader::State {
  explicit State(std::unique_ptr<ByteStream> s)
      : stream(std::move(s)), parser(XML_ParserCreate(nullptr)) {
    if (!parser) scrl::fail(ErrorKind::kResource, stream->name(), ": not enough memory to read it");
  }
  ~State() { XML_ParserFree(parser); }

  // An exception must not pass through the C library: it is kept until the parser has stopped.
  template <class Step>
  static void guarded(void* user, Step step) {
    State& self = *static_cast<State*>(user);
    if (self.failure) return;
    try {
      step(self);
    } catch (...) {
      self.failure = std::current_exception();
      XML_StopParser(self.parser, XML_FALSE);
    }
  }

  [[noreturn]] void refuse(std::string_view what) const {
    scrl::fail(ErrorKind::kData, stream->name(), ":",
               static_cast<Index>(XML_GetCurrentLineNumber(parser)), ": ", what);
  }

  static void on_begin(void* user, const char* name, const char** attributes) {
    guarded(user, [&](State& self) {
      if (++self.depth > kMaxDepth) self.refuse("expected at most 64 levels of tags, found more");
      self.attributes.clear();
      for (; *attributes; attributes += 2)
        self.attributes.emplace_back(without_prefix(attributes[0]), attributes[1]);
      self.handler->begin(without_prefix(name), self.attributes);
    });
  }
  static void on_end(void* user, const char* name) {
    guarded(user, [&](State& self) {
      --self.depth;
      self.handler->end(without_prefix(name));
    });
  }
  static void on_text(void* user, const char* text, int length) {
    guarded(user, [&](State& self) {
      self.handler->text({text, static_cast<std::size_t>(length)});
    });
  }
  static void on_doctype(void* user, const char*, const char*, const char*, int) {
    guarded(user, [&](State& self) {
      self.refuse("expected no <!DOCTYPE ...>: definitions of one's own are not read; remove it");
    });
  }

  void parse(const char* bytes, int count, bool last) {
    const XML_Status status = XML_Parse(parser, bytes, count, last);
    if (failure) std::rethrow_exception(failure);
    if (status == XML_STATUS_OK) return;
    if (XML_GetErrorCode(parser) == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    refuse(cat("expected XML, found an error: ", XML_ErrorString(XML_GetErrorCode(parser))));
  }

  std::unique_ptr<ByteStream> stream;
  XML_Parser parser;
  XmlHandler* handler = nullptr;
  XmlAttributes attributes;
  int depth = 0;
  std::exception_ptr failure;
};

XmlReader::XmlReader(std::unique_ptr<ByteStream> stream)
    : state_(std::make_unique<State>(std::move(stream))) {}

XmlReader::~XmlReader() = default;

void XmlReader::read(XmlHandler& handler) {
  State& s = *state_;
  s.handler = &handler;
  XML_SetUserData(s.parser, &s);
  XML_SetElementHandler(s.parser, State::on_begin, State::on_end);
  XML_SetCharacterDataHandler(s.parser, State::on_text);
  XML_SetStartDoctypeDeclHandler(s.parser, State::on_doctype);
  std::vector<char> buffer(kChunk);
  for (Index fed = 0;;) {
    const std::size_t got = s.stream->read(buffer);
    s.parse(buffer.data(), static_cast<int>(got), got == 0);
    if (got == 0) return;
    fed += static_cast<Index>(got);
    // The parser looks at what is pending again with every chunk.
    if (fed - static_cast<Index>(XML_GetCurrentByteIndex(s.parser)) > kMaxPending)
      s.refuse("expected tags of at most 16 MB, found a longer one");
  }
}

const std::string& XmlReader::name() const { return state_->stream->name(); }
Index XmlReader::line() const {
  return static_cast<Index>(XML_GetCurrentLineNumber(state_->parser));
}
Index XmlReader::stored_bytes() const { return state_->stream->stored_bytes(); }

}  // namespace scrl
