// io/quoted.h: names as they are written into text files, so that io/fields.h reads them back.
#pragma once
#include <string>

namespace scrl {

// In quotes, those inside doubled.
std::string in_quotes(const std::string& text);

// Quoted where a reader would take it for something else: commas, quotes, line breaks, blanks at an
// end, and the '#' or '%' with which a comment begins.
std::string csv_field(const std::string& text);

// The same for a file of one name per line, in which commas need no quotes.
std::string id_line(const std::string& id);

}  // namespace scrl
