// The style sheet of the HTML report: light and dark by the reader's preference, and light on paper.
//
// A constant. Text has a contrast of at least 4.5 to 1 on its background in both schemes.
#pragma once

#include <string_view>

namespace hyperscale::report {

extern const std::string_view kHtmlStyle;

}  // namespace hyperscale::report
