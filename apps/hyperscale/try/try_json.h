// Tried exchanges as JSON, for scripts: an object with `exchanges`, described in docs/formats/try.md.
//
// Pure; any thread. Omits the same secrets as try_text.h.
#pragma once

#include "base/json_writer.h"
#include "load/tried_exchange.h"

#include <span>
#include <string>

namespace hyperscale::app {

std::string try_json(std::span<const load::TriedExchange> exchanges);
void write_exchange(JsonWriter& json, const load::TriedExchange& exchange);

}  // namespace hyperscale::app
