#include "load/graphql_errors.h"

#include <string>

#include <simdjson.h>

namespace hyperscale::load {

bool has_graphql_errors(std::string_view body) {
  thread_local simdjson::ondemand::parser parser;
  thread_local std::string padded;  // the parser reads a little beyond the end
  if (padded.capacity() < body.size() + simdjson::SIMDJSON_PADDING)
    padded.reserve(body.size() + simdjson::SIMDJSON_PADDING);
  padded.assign(body);
  simdjson::ondemand::document document;
  const simdjson::padded_string_view text(padded.data(), padded.size(), padded.capacity());
  if (parser.iterate(text).get(document) != simdjson::SUCCESS) return false;
  simdjson::ondemand::value errors;
  if (document["errors"].get(errors) != simdjson::SUCCESS) return false;
  simdjson::ondemand::json_type type{};
  if (errors.type().get(type) != simdjson::SUCCESS) return false;
  if (type != simdjson::ondemand::json_type::array) return type != simdjson::ondemand::json_type::null;
  simdjson::ondemand::array list;
  bool is_empty = true;
  if (errors.get_array().get(list) != simdjson::SUCCESS) return false;
  return list.is_empty().get(is_empty) == simdjson::SUCCESS && !is_empty;
}

}  // namespace hyperscale::load
