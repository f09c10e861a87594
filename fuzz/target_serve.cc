// What anybody may send to scrl serve.
#include "data/id_map.h"
#include "serve/json_reader.h"
#include "serve/predict_request.h"
#include "serve/router.h"
#include "targets.h"
#include "tensor/csr.h"

namespace scrl::fuzz {
namespace {

constexpr Index kNodes = 50, kColumns = 100;

const IdMap& named() {
  static const IdMap ids = [] {
    IdMap out;
    for (Index i = 0; i < kNodes; ++i) out.add(cat("n00", i));
    return out;
  }();
  return ids;
}

// What is written is read back as it was.
void write_and_read(const std::string& text) {
  std::string json;
  append_json_text(json, text);
  JsonReader in(json);
  if (in.text() != text) throw Finding("a text that changed");
  in.end();
}

}  // namespace

// Parts "body" of POST /v1/predict, and "target", a line with a method and an address.
void use_request(const Bundle& bundle) {
  if (const Part* body = find_part(bundle, "body"))
    for (const IdMap& ids : {named(), IdMap::numbers(kNodes)})
      accepts({ErrorKind::kData}, [&] {
        const PredictRequest r = parse_predict_request(body->content, {ids, kColumns});
        validate(r.features, "features");
        validate(r.edges, "edges");
        if (r.nodes() > kMaxRequestNodes || r.features.rows != std::ssize(r.new_ids) ||
            r.edges.rows != std::ssize(r.new_ids) || r.features.cols != kColumns ||
            r.edges.cols != kNodes)
          throw Finding("a request that does not fit together");
        for (const std::string& id : r.new_ids) write_and_read(id);
      });
  if (const Part* target = find_part(bundle, "target")) {
    const std::string_view line = target->content;
    const std::size_t space = std::min(line.find(' '), line.size());
    const std::string_view address = line.substr(std::min(space + 1, line.size()));
    accepts({ErrorKind::kData}, [&] {
      const auto t = route_of(line.substr(0, space), address);
      if (t.route != route_of_path(address)) throw Finding("two routes for one address");
      write_and_read(t.id);
    });
  }
}

}  // namespace scrl::fuzz
