// io/markup.h: text as content or quoted attribute of HTML and XML.
#pragma once
#include <string>
#include <string_view>

namespace scrl {

// & < > " ' as entities: safe between tags and inside quoted attributes.
std::string escaped(std::string_view text);

}  // namespace scrl
