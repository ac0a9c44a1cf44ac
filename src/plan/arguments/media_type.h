// The media type of a file by the end of its name. Pure; any thread.
#pragma once

#include <string_view>

namespace hyperscale::plan {

// "application/octet-stream" when the ending says nothing. Capitals do not matter.
std::string_view media_type_of(std::string_view file_name);

}  // namespace hyperscale::plan
