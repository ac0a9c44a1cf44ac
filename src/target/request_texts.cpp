#include "target/request_texts.h"

#include "target/json_text.h"

namespace hyperscale::target {
namespace {

void append_lower_case_name(std::string& out, std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = ascii_lower(c);
  append_json_string(out, lower);
}

std::string joined_values(const Request& request, std::string_view name) {
  std::string joined;
  for (const Field& field : request.fields) {
    if (!same_ignoring_case(field.name, name)) continue;
    if (!joined.empty()) joined += ", ";
    joined += field.value;
  }
  return joined;
}

void append_headers_object(std::string& out, const Request& request) {
  out += '{';
  for (std::size_t i = 0; i < request.fields.size(); ++i) {
    const std::string_view name = request.fields[i].name;
    const auto earlier = request.fields.first(i);
    const bool repeated = std::any_of(earlier.begin(), earlier.end(),
                                      [&](const Field& field) { return same_ignoring_case(field.name, name); });
    if (repeated) continue;
    if (i > 0) out += ',';
    append_lower_case_name(out, name);
    out += ':';
    append_json_string(out, joined_values(request, name));
  }
  out += '}';
}

}  // namespace

void append_echo(std::string& out, const Request& request) {
  out += R"({"method":)";
  append_json_string(out, request.method);
  out += R"(,"target":)";
  append_json_string(out, request.target);
  out += R"(,"headers":)";
  append_headers_object(out, request);
  out += R"(,"body":)";
  append_json_string(out, request.body);
  out += "}\n";
}

void append_headers(std::string& out, const Request& request) {
  out += R"({"headers":)";
  append_headers_object(out, request);
  out += "}\n";
}

void append_cookies(std::string& out, const Request& request) {
  out += R"({"cookies":{)";
  bool first = true;
  for (const Field& field : request.fields) {
    if (!same_ignoring_case(field.name, "cookie")) continue;
    std::string_view rest = field.value;
    while (!rest.empty()) {
      std::string_view pair = rest.substr(0, rest.find(';'));
      rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
      while (!pair.empty() && pair.front() == ' ') pair.remove_prefix(1);
      const std::size_t equals = pair.find('=');
      if (equals == std::string_view::npos) continue;
      if (!first) out += ',';
      first = false;
      append_json_string(out, pair.substr(0, equals));
      out += ':';
      append_json_string(out, pair.substr(equals + 1));
    }
  }
  out += "}}\n";
}

}  // namespace hyperscale::target
