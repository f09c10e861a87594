#include "experiments/compare_files.h"

#include "base/error.h"
#include "experiments/figures.h"
#include "experiments/time_tables.h"
#include "run/outputs.h"

namespace scrl {
namespace {

std::string number(const std::optional<double>& value) { return value ? cat(*value) : ""; }

Json json_number(const std::optional<double>& value) { return value ? Json(*value) : Json(); }

std::optional<double> mean(const std::optional<MeanStd>& m) {
  return m ? std::optional(m->mean) : std::nullopt;
}
std::optional<double> deviation(const std::optional<MeanStd>& m) {
  return m ? std::optional(m->std) : std::nullopt;
}

std::optional<double> paper_accuracy(const CompareRow& row) {
  return row.paper ? std::optional(row.paper->accuracy) : std::nullopt;
}
std::optional<double> paper_f1(const CompareRow& row) {
  return row.paper ? row.paper->macro_f1 : std::nullopt;
}

std::string joined_caption(const Comparison& c) {
  std::string out;
  for (const std::string& line : caption(c)) out += cat(out.empty() ? "" : " ", line);
  return out;
}

Json json_of(const CompareRow& row, const Comparison& c) {
  const CompareCell& cell = c.plan.cells[row.cell];
  Json j = {
      {"dataset", row.dataset},
      {"data", c.plan.data[row.data].given},
      {"fingerprint", c.plan.data[row.data].fingerprint},
      {"labels_per_class", row.rate},
      {"method", row.method},
      {"variant", row.label},
      {"protocol", name_of(row.protocol)},
      {"chosen_on", chosen_on(row.protocol, row.method)},
      {"diagnostic", row.protocol == Protocol::kOracle},
      {"status", status_text(row.status)},
      {"seeds", row.seeds.size()},
      {"accuracy",
       {{"mean", json_number(mean(row.accuracy))}, {"std", json_number(deviation(row.accuracy))}}},
      {"macro_f1",
       {{"mean", json_number(mean(row.macro_f1))}, {"std", json_number(deviation(row.macro_f1))}}},
      {"best", row.best},
      {"p_value", json_number(row.p_value)},
      {"seconds", json_number(row.seconds)},
      {"peak_mb", json_number(row.peak_mb)},
      {"result_hash", row.result_hash.empty() ? Json() : Json(row.result_hash)},
      {"build", row.build.empty() ? Json() : Json(row.build)},
      {"failure", row.failure.empty() ? Json() : Json(row.failure)}};
  if (!c.plan.table.empty())
    j["paper"] = {{"accuracy", json_number(paper_accuracy(row))},
                  {"macro_f1", json_number(paper_f1(row))}};
  j["per_seed"] = Json::array();
  for (std::size_t i = 0; i < row.accuracies.size(); ++i)
    j["per_seed"].push_back(
        {{"seed", row.seeds[i]}, {"accuracy", row.accuracies[i]}, {"macro_f1", row.macro_f1s[i]}});
  j["settings"] = cell.key.at("settings");
  return j;
}

}  // namespace

std::string latex_text(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.compare(i, 2, "±") == 0) {
      out += "$\\pm$";
      ++i;
    } else if (text.compare(i, 3, "†") == 0) {
      out += "$^\\dagger$";
      i += 2;
    } else if (c == '\\') {
      out += "\\textbackslash{}";
    } else if (c == '~' || c == '^') {
      out += cat("\\", c, "{}");
    } else if (c == '<' || c == '>') {
      out += cat("$", c, "$");
    } else if (c == '-' && text.compare(i, 2, "--") == 0) {
      out += "-{}";  // two dashes would become one long one
    } else if (c == '|') {
      out += "\\textbar{}";
    } else {
      if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) out += '\\';
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

std::string markdown_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_[]<>|#").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string comparison_csv(const Comparison& c) {
  if (c.plan.bench_epochs > 0) return times_csv(c);
  std::string out =
      "dataset,labels_per_class,method,variant,protocol,chosen_on,status,seeds,accuracy_mean,"
      "accuracy_std,macro_f1_mean,macro_f1_std,paper_accuracy,paper_macro_f1,best,p_value,seconds,"
      "peak_mb,result_hash,build,failure\n";
  for (const CompareRow& r : compare_rows(c))
    out += cat(csv_field(r.dataset), ",", r.rate, ",", csv_field(r.method), ",", csv_field(r.label),
               ",", name_of(r.protocol), ",", csv_field(chosen_on(r.protocol, r.method)), ",",
               status_text(r.status), ",", r.seeds.size(), ",", number(mean(r.accuracy)), ",",
               number(deviation(r.accuracy)), ",", number(mean(r.macro_f1)), ",",
               number(deviation(r.macro_f1)), ",", number(paper_accuracy(r)), ",",
               number(paper_f1(r)), ",", r.best, ",", number(r.p_value), ",", number(r.seconds),
               ",", number(r.peak_mb), ",", r.result_hash, ",", csv_field(r.build), ",",
               r.failure.empty() ? "" : csv_field(r.failure), "\n");
  return out;
}

std::string comparison_markdown(const Comparison& c) {
  std::string out =
      c.plan.table.empty() ? "# Comparison\n\n" : cat("# ", markdown_text(c.plan.title), "\n\n");
  for (const std::string& line : caption(c)) out += cat("- ", markdown_text(line), "\n");
  for (const CompareTable& t : all_tables(c)) {
    out += cat("\n## ", markdown_text(t.title), "\n\n|");
    for (const std::string& h : t.header) out += cat(" ", markdown_text(h), " |");
    out += "\n|";
    for (std::size_t i = 0; i < t.header.size(); ++i) out += i == 0 ? "---|" : "---:|";
    out += '\n';
    for (const auto& row : t.rows) {
      out += '|';
      for (const auto& field : row) {
        const std::string text = markdown_text(field.text);
        out += field.best ? cat(" **", text, "** |") : cat(" ", text, " |");
      }
      out += '\n';
    }
    if (!t.notes.empty()) out += '\n';
    for (const std::string& note : t.notes) out += cat("- ", markdown_text(note), "\n");
  }
  return out;
}

std::string comparison_latex(const Comparison& c) {
  std::string out = "% \\usepackage{booktabs}\n";
  const std::string common = joined_caption(c);
  for (const CompareTable& t : all_tables(c)) {
    std::string text = cat(t.title, ". ", common);
    for (const std::string& note : t.notes) text += cat(" ", note, ".");
    out += cat("\n\\begin{table}\n\\centering\n\\caption{", latex_text(text),
               "}\n\\begin{tabular}{l", std::string(t.header.size() - 1, 'r'), "}\n\\toprule\n");
    for (std::size_t i = 0; i < t.header.size(); ++i)
      out += cat(i == 0 ? "" : " & ", latex_text(t.header[i]));
    out += " \\\\\n\\midrule\n";
    for (const auto& row : t.rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        const std::string field = row[i].text == "-" ? "--" : latex_text(row[i].text);
        out += i == 0 ? "" : " & ";
        out += row[i].best ? cat("\\textbf{", field, "}") : field;
      }
      out += " \\\\\n";
    }
    out += "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
  }
  return out;
}

Json comparison_json(const Comparison& c) {
  const CompareCell& first = c.plan.cells.front();
  Json j = {{"schema", 1},
            {"program", first.key.at("program")},
            {"simd", first.key.at("simd")},
            {"caption", caption(c)},
            {"rows", c.plan.bench_epochs > 0 ? times_json(c) : Json::array()}};
  if (!c.plan.table.empty()) j["table"] = c.plan.table;
  if (c.plan.bench_epochs > 0) return j;
  for (const CompareRow& row : compare_rows(c)) j["rows"].push_back(json_of(row, c));
  return j;
}

void write_comparison(const Comparison& c, const CompareStore& store) {
  const std::string stem = c.plan.table.empty() ? "results" : c.plan.table;
  store.write(stem + ".csv", comparison_csv(c));
  store.write(stem + ".md", comparison_markdown(c));
  store.write(stem + ".tex", comparison_latex(c));
  store.write(stem + ".json", json_text(comparison_json(c)));
  for (const Figure& f : figures_of(c, store)) store.write(f.name + ".svg", draw(f));
}

}  // namespace scrl
