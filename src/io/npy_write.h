// io/npy_write.h: arrays as complete .npy files, little endian, for archives that numpy.load reads.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace scrl {

class ByteStream;

std::string npy_of(std::span<const NodeId> values);
std::string npy_of(std::span<const Index> values);
std::string npy_of(std::span<const float> values);
// Two rows of the same length.
std::string npy_of_pairs(std::span<const NodeId> first, std::span<const NodeId> second);
// Texts of fixed length, '<U12'. REQUIRES: UTF-8 without zero bytes.
std::string npy_of_texts(const std::vector<std::string>& texts);
// One text of single bytes, '|S3': what scipy stores as `format`.
std::string npy_of_word(std::string_view word);

// Whether the array is of Python objects, which are not read. Takes the first bytes of the stream.
bool npy_of_objects(ByteStream& stream);

}  // namespace scrl
