#include "plan/script_urls.h"

#include "plan/host.h"
#include "plan/url.h"

#include <algorithm>
#include <string_view>

namespace hyperscale::plan {
namespace {

constexpr std::string_view kHostBytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]";

void add_url(std::string_view text, std::vector<std::string>& into) {
  const std::size_t host = text.find("://") + 3;
  const std::size_t end = std::min(text.find_first_not_of(kHostBytes, host), text.size());
  // "http://${host}/" and "http://api-" + name are known only at run time.
  const bool whole = end == text.size() || text[end] == '/' || text[end] == '?' || text[end] == '#';
  std::string url(text.substr(0, end));
  if (!whole || !plan::parse_target_url(url)) return;
  if (std::ranges::find(into, url) == into.end()) into.push_back(std::move(url));
}

void add_urls(std::string_view text, std::vector<std::string>& into) {
  for (const std::string_view scheme : {"http://", "https://", "tcp://", "tls://", "udp://"})
    for (std::size_t at = text.find(scheme); at != std::string_view::npos; at = text.find(scheme, at + 1))
      add_url(text.substr(at), into);
}

// Returns quoted texts, without comments. A quote in a regular expression is misread up to the end of the line, not
// further, unless it is a backtick.
std::vector<std::string_view> quoted_texts(std::string_view code) {
  std::vector<std::string_view> texts;
  std::size_t at = 0;
  while (at < code.size()) {
    const char byte = code[at];
    if (code.substr(at, 2) == "//") {
      at = std::min(code.find('\n', at), code.size());
    } else if (code.substr(at, 2) == "/*") {
      at = std::min(code.find("*/", at + 2), code.size() - 2) + 2;
    } else if (byte == '\'' || byte == '"' || byte == '`') {
      const std::size_t begin = ++at;
      while (at < code.size() && code[at] != byte && (byte == '`' || code[at] != '\n')) at += code[at] == '\\' ? 2 : 1;
      texts.push_back(code.substr(begin, std::min(at, code.size()) - begin));
      ++at;
    } else {
      ++at;
    }
  }
  return texts;
}

}  // namespace

std::vector<std::string> urls_in_script(const plan::Script& script) {
  std::vector<std::string> urls;
  for (const plan::Blob& file : script.files) {
    if (!file.name.ends_with("js")) continue;
    for (const std::string_view text : quoted_texts(file.content)) add_urls(text, urls);
  }
  for (const plan::Tag& variable : script.env) add_urls(variable.value, urls);
  return urls;
}

}  // namespace hyperscale::plan
