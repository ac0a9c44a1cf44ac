// The media type of a file by its extension. Pure; any thread.
#pragma once

#include <string_view>

namespace hyperscale::plan {

// "application/octet-stream" for an unknown extension. Case is ignored.
std::string_view media_type_of(std::string_view file_name);

}  // namespace hyperscale::plan
