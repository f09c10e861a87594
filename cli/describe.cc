#include "describe.h"

#include <algorithm>

#include "base/option_text.h"
#include "models/registry.h"

namespace scrl::cli {
namespace {

CommandText* taking_note = nullptr;

std::vector<std::string> methods() {
  std::vector<std::string> out = {kAuto};
  for (const MethodInfo& m : method_list()) out.push_back(m.name);
  return out;
}

std::vector<OptionText> texts_of(const OptionSet& set) {
  std::vector<OptionText> out;
  for (const OptionSet::Entry& e : set.entries()) {
    if (e.fixed) continue;
    OptionText o{.name = e.key,
                 .letter = e.letter,
                 .value = e.flag ? "" : option_type(e),
                 .choices = e.range.choices,
                 .help = e.help,
                 .notes = option_notes(e)};
    std::ranges::replace(o.name, '_', '-');
    if (e.key == "method") o.choices = methods();
    out.push_back(std::move(o));
  }
  return out;
}

}  // namespace

Describing::Describing(CommandText& text) { taking_note = &text; }
Describing::~Describing() { taking_note = nullptr; }

bool described(const OptionSet& set, std::string_view what, std::string_view usage,
               const OptionSet* settings) {
  if (!taking_note) return false;
  taking_note->what = what;
  taking_note->usage = usage;
  taking_note->options = texts_of(set);
  if (settings) taking_note->settings = texts_of(*settings);
  return true;
}

}  // namespace scrl::cli
