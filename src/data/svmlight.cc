#include "data/svmlight.h"

#include <algorithm>
#include <cmath>

#include "data/credible.h"
#include "io/fields.h"

namespace scrl {
namespace {

struct Cell {
  Index column;
  float value;
};

bool parse_cell(std::string_view token, Cell& cell) {
  const std::size_t colon = token.find(':');
  return colon != token.npos && parse_int(token.substr(0, colon), cell.column) &&
         parse_float(token.substr(colon + 1), cell.value);
}

Cell read_cell(std::string_view token, Index columns, const LineReader& reader) {
  Cell cell = {};
  if (!parse_cell(token, cell) || !std::isfinite(cell.value)) {
    reader.fail("expected column:value with a finite value, found ", shown(token));
  }
  if (cell.column < 0 || cell.column >= columns) {
    reader.fail("column: expected 0..", columns - 1, ", found ", cell.column);
  }
  return cell;
}

}  // namespace

FeatureRows read_svmlight_features(std::unique_ptr<ByteStream> stream, Index columns) {
  LineReader reader(std::move(stream));
  Fields fields(Separator::kSpace);
  FeatureRows rows;
  Csr& out = rows.values;
  std::vector<Cell> cells;
  Index widest_line = 0;
  while (reader.next()) {
    reader.refuse_gap("a row of features");
    const auto& tokens = fields.split(reader);
    Cell first = {};
    if (out.rows == 0) rows.keyed = !parse_cell(tokens[0], first);
    if (rows.keyed) check_name(tokens[0], "id", reader, reader.line_number());
    if (rows.keyed && rows.ids.add(tokens[0]) != out.rows) {
      reader.fail("id: node ", shown(tokens[0]),
                  " has a row already (the first token of a row is a node id, not a class)");
    }
    cells.clear();
    for (std::size_t i = rows.keyed ? 1 : 0; i < tokens.size() && tokens[i][0] != '#'; ++i) {
      cells.push_back(read_cell(tokens[i], columns, reader));
    }
    std::sort(cells.begin(), cells.end(),
              [](const Cell& a, const Cell& b) { return a.column < b.column; });
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (i > 0 && cells[i].column == cells[i - 1].column) {
        reader.fail("column ", cells[i].column, " is given twice");
      }
      if (cells[i].column >= out.cols) {
        out.cols = cells[i].column + 1;
        widest_line = reader.line_number();
      }
      if (cells[i].value == 0) continue;
      out.col.push_back(static_cast<NodeId>(cells[i].column));
      out.val.push_back(cells[i].value);
    }
    if (++out.rows > kMaxNodes) reader.fail("more than ", kMaxNodes, " rows");
    out.row_ptr.push_back(out.nnz());
  }
  if (out.rows == 0) fail(ErrorKind::kData, reader.name(), ": expected rows, found none");
  check_credible(out.cols, "columns", out.nnz(), cat(reader.name(), ":", widest_line));
  return rows;
}

}  // namespace scrl
