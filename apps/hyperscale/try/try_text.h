// An exchange as readable text: request, answer, time of each phase, connection.
//
// Pure; any thread. Foreign text cannot move the cursor or change colours. Values of Authorization, Proxy-Authorization
// and Cookie are not shown.
#pragma once

#include "base/glyphs.h"
#include "load/single_try.h"

#include <cstddef>
#include <span>
#include <string>

namespace hyperscale::app {

inline constexpr std::size_t kShownBodyBytesMax = 2048;

std::string try_text(std::span<const load::TriedExchange> exchanges, Glyphs glyphs);

}  // namespace hyperscale::app
