// io/deflate.h: bytes packed with zlib, and bytes as base64 text: how binary data gets into a page.
#pragma once
#include <string>
#include <string_view>

namespace scrl {

// A zlib stream (RFC 1950); browsers unpack it as "deflate".
std::string deflated(std::string_view bytes);
// The same without header and checksum (RFC 1951), as zip archives hold it.
std::string raw_deflated(std::string_view bytes);

// RFC 4648 with padding, one line.
std::string base64(std::string_view bytes);

}  // namespace scrl
