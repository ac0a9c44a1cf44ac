// Tried exchanges as JSON, for scripts: an object with `exchanges`, described in docs/formats/try.md.
//
// Pure; any thread. What try_text.h does not show is not here either.
#pragma once

#include "load/single_try.h"

#include <span>
#include <string>

namespace hyperscale::node {

std::string try_json(std::span<const load::TriedExchange> exchanges);

}  // namespace hyperscale::node
