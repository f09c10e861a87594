#include "report/report_blob.h"

#include "io/deflate.h"

namespace scrl {

Json ReportBlob::add(const char* type, std::string_view bytes, std::size_t count) {
  bytes_.resize((bytes_.size() + 7) / 8 * 8, '\0');
  const std::size_t at = bytes_.size();
  bytes_ += bytes;
  return {{"type", type}, {"at", at}, {"count", count}};
}

std::string ReportBlob::base64_text() const { return base64(deflated(bytes_)); }

}  // namespace scrl
