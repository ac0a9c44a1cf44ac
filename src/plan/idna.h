// Host names beyond ASCII in the form that is looked up and sent: "bücher.example" to "xn--bcher-kva.example". UTS 46
// with the parameters of the URL Standard ("domain to ASCII"): not transitional, joiners and directions checked,
// hyphens, lengths and STD 3 rules not.
//
// The library for the conversion (libicuuc) is loaded at the first call: most programs never need it (decision 0011).
// Any thread.
#pragma once

#include "base/result.h"

#include <string>
#include <string_view>

namespace hyperscale::plan {

// The name is UTF-8. kInvalidArgument: it has no such form. kInternal: the library cannot be loaded; the message names
// the package.
Result<std::string> domain_to_ascii(std::string_view name);

}  // namespace hyperscale::plan
