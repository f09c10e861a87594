// Manual pages as roff (man(7)), from the tables of options.
#include <algorithm>

#include "base/error.h"
#include "describe.h"
#include "version.h"

namespace scrl::cli {
namespace {

constexpr std::pair<int, const char*> kExitCodes[] = {
    {0, "done"},
    {1, "failed for another reason; of scrl diff: the runs differ"},
    {2, "wrong usage: unknown command or option, value out of range"},
    {3, "bad data: a file is malformed, missing, or does not fit the others"},
    {4, "a model or checkpoint is damaged or of another version"},
    {5, "refused or stopped for want of memory or disk"},
    {6, "training diverged: the loss is no longer a number"},
    {130, "interrupted by SIGINT; what was done so far is kept"},
    {143, "ended by SIGTERM; the same"},
};

constexpr std::pair<const char*, const char*> kEnvironment[] = {
    {"SCRL_DATA", "folder in which data sets are looked up by name"},
    {"SCRL_CACHE", "where copies of read data are kept; off: nowhere"},
    {"SCRL_SIMD", "scalar, sse4, avx2 or avx512: forces the instruction set"},
    {"NO_COLOR", "no colour"},
};

// Plain text as roff reads it; a line that starts with a dot or quote would be a request.
std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else
      out += c;
  }
  return out;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; });
  return text;
}

std::string head(const std::string& name, std::string_view summary) {
  return cat(".TH ", upper(name), " 1 \"\" \"scrl ", SCRL_VERSION,
             "\" \"User Commands\"\n.SH NAME\n", roff(name), " \\- ", roff(summary), "\n");
}

// A description: lines that are indented in --help stay as they are.
std::string prose(const std::string& text) {
  std::string out;
  bool verbatim = false;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const bool indented = line.starts_with("  ");
    if (indented != verbatim) out += indented ? ".PP\n.nf\n" : ".fi\n";
    verbatim = indented;
    if (line.empty())
      out += rest.starts_with("  ") ? "" : ".PP\n";
    else
      out += roff(line) + "\n";
  }
  return out + (verbatim ? ".fi\n" : "");
}

std::string option_list(const std::vector<OptionText>& options) {
  std::string out;
  for (const OptionText& o : options) {
    out += ".TP\n";
    if (o.letter) out += cat("\\fB\\-", o.letter, "\\fR, ");
    out += cat("\\fB\\-\\-", roff(o.name), "\\fR");
    if (!o.value.empty()) out += cat(" \\fI", o.value, "\\fR");
    out += cat("\n", roff(o.help), o.notes.empty() ? "" : cat(" (", roff(o.notes), ")"), "\n");
  }
  return out;
}

std::string exit_codes() {
  std::string out = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : kExitCodes)
    out += cat(".TP\n.B ", code, "\n", roff(meaning), "\n");
  return out;
}

}  // namespace

std::string manual_page(const CommandText& c) {
  std::string out = head("scrl-" + c.name, c.summary);
  out += cat(".SH SYNOPSIS\n.B ", roff(c.usage), "\n.SH DESCRIPTION\n", prose(c.what));
  out += ".SH OPTIONS\n" + option_list(c.options);
  if (!c.settings.empty())
    out +=
        ".SH SETTINGS\nAlso as \\fB\\-\\-set\\fR \\fIKEY=VALUE\\fR, or as a line of the file that "
        "\\fB\\-\\-config\\fR names.\n" +
        option_list(c.settings);
  return out + exit_codes() + ".SH SEE ALSO\n.BR scrl (1)\n";
}

std::string manual_page(const std::vector<CommandText>& commands) {
  std::string out =
      head("scrl", "node classification and embeddings on attributed graphs with few labels");
  out +=
      ".SH SYNOPSIS\n.B scrl\n.I COMMAND\n.RI [ OPTIONS ]\n.SH DESCRIPTION\n"
      "Trains models that classify the nodes of a graph from features, edges and few labels, and "
      "says what they are worth. Every command has a page of its own, scrl\\-COMMAND(1), and "
      "\\fB\\-\\-help\\fR.\n.SH COMMANDS\n";
  for (const CommandText& c : commands)
    out += cat(".TP\n.BR scrl\\-", roff(c.name), " (1)\n", roff(c.summary), "\n");
  out += ".SH ENVIRONMENT\n";
  for (const auto& [name, meaning] : kEnvironment)
    out += cat(".TP\n.B ", name, "\n", roff(meaning), "\n");
  out += exit_codes() + ".SH EXAMPLES\n.nf\n";
  out += roff("scrl demo\nscrl train DATA -l 20 -o RUN\nscrl predict RUN\n");
  return out + ".fi\n";
}

}  // namespace scrl::cli
