// io/paths.h: questions to the file system that have an answer for every path. What cannot be told,
// for want of permission or because the path is none, counts as not there; whoever opens the file
// then hears the reason. std::filesystem throws exceptions of its own here.
#pragma once
#include <string>
#include <system_error>
#include <vector>

#include "base/function_ref.h"

namespace scrl {

bool exists(const std::string& path);
bool is_folder(const std::string& path);
bool is_file(const std::string& path);  // a regular one, or a link to one

// Calls visit(name) for what is in a folder, in any order. (The iterators of std::filesystem end
// the process when memory runs out.)
std::error_code visit_names(const std::string& folder, FunctionRef<void(const std::string&)> visit);

// Names of what is in a folder, sorted; none where there is no folder.
std::vector<std::string> names_in(const std::string& folder);

// From the root, without "." and "..".
std::string absolute_path(const std::string& path);

// The file behind a symbolic link; any other path as it is.
std::string behind_link(const std::string& path);

// A file or an empty folder; not there is fine. Throws Error(kRun) "PATH: cannot remove: reason".
void remove_file(const std::string& path);

}  // namespace scrl
