// io/inflate.h: unpacks gzip and raw deflate streams with zlib.
#pragma once
#include <memory>

#include "io/byte_stream.h"

namespace scrl {

// What `packed` delivers, unpacked if it starts with the two magic bytes of gzip, unchanged if not.
// Concatenated gzip members give their joint content; each CRC is checked.
std::unique_ptr<ByteStream> unpack_if_gzip(std::unique_ptr<ByteStream> packed);

// The content of a raw deflate stream, which must end exactly where `packed` ends.
std::unique_ptr<ByteStream> unpack_deflate(std::unique_ptr<ByteStream> packed);

}  // namespace scrl
