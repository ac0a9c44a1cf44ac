#include "intake/run_credentials.h"

#include "base/redactor.h"
#include "base/trimmed.h"
#include "intake/file_content.h"
#include "plan/arguments/auth.h"
#include "plan/option_values.h"
#include "plan/url.h"

#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>
#include <strings.h>

namespace hyperscale::intake {
namespace {

constexpr std::string_view kFromEnvironment = "env:";
constexpr std::string_view kBearer = "bearer:";
constexpr std::string_view kBlank = " \t\r\n";

// Erases the variable, also from the environment shown in /proc.
Result<std::string> taken_from_environment(std::string_view option, const std::string& name) {
  char* const value = std::getenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): see the header
  if (value == nullptr) return plan::wrong_option(option, fmt::format("there is no environment variable {}", name));
  std::string taken = value;
  ::explicit_bzero(value, taken.size());
  ::unsetenv(name.c_str());  // NOLINT(concurrency-mt-unsafe): as above
  return taken;
}

// The content of the file or variable; nullopt if the text names neither.
Result<std::optional<std::string>> indirect(std::string_view option, const std::string& text) {
  if (text.starts_with('@') && text.size() > 1) {
    auto content = read_whole_file(text.substr(1), kCredentialsBytesMax);
    if (!content) return plan::wrong_option(option, content.error().context);
    return std::string(trimmed(*content, kBlank));
  }
  if (text.starts_with(kFromEnvironment)) {
    auto value = taken_from_environment(option, text.substr(kFromEnvironment.size()));
    if (!value) return fail(value.error());
    return std::string(trimmed(*value, kBlank));
  }
  return std::nullopt;
}

class Taking {
 public:
  explicit Taking(RunOptions& options) : options_(options) {}

  Status take() {
    for (const Status& done : {take_auth(), take_headers(), take_proxy(), take_secrets()})
      if (!done) return done;
    note_url(options_.request.url);
    return {};
  }

  std::vector<std::string> secrets() { return std::move(secrets_); }

 private:
  Status take_auth() {
    const auto value = indirect("--auth", options_.request.auth);
    if (!value) return fail(value.error());
    if (*value) options_.request.auth = **value;
    const std::string_view auth = options_.request.auth;
    if (auth.starts_with(kBearer)) {
      note(auth.substr(kBearer.size()));
    } else if (const std::size_t colon = auth.find(':'); colon != std::string_view::npos) {
      note_pair(auth.substr(0, colon), auth.substr(colon + 1));
    }
    return {};
  }

  // A file may contain several headers, one per line.
  Status take_headers() {
    std::vector<std::string> headers;
    for (const std::string& text : options_.request.headers) {
      const auto value = indirect("--header", text);
      if (!value) return fail(value.error());
      if (!*value) {
        note_authorization(text);
        headers.push_back(text);
        continue;
      }
      for (std::string_view left = **value; !left.empty();) {
        const std::size_t end = std::min(left.find('\n'), left.size());
        const std::string_view line = trimmed(left.substr(0, end), kBlank);
        left.remove_prefix(std::min(end + 1, left.size()));
        if (line.empty() || line.starts_with('#')) continue;
        note(value_of(line));
        headers.emplace_back(line);
      }
    }
    options_.request.headers = std::move(headers);
    return {};
  }

  Status take_proxy() {
    const auto value = indirect("--proxy", options_.network.proxy);
    if (!value) return fail(value.error());
    if (*value) options_.network.proxy = **value;
    note_url(options_.network.proxy);
    return {};
  }

  Status take_secrets() {
    for (std::string& text : options_.secrets) {
      const std::size_t equals = text.find('=');
      if (equals == std::string::npos && !text.empty()) {
        auto value = taken_from_environment("--secret", text);
        if (!value) return fail(value.error().code, fmt::format("{}; write {}=VALUE", value.error().context, text));
        text += "=" + *value;
      }
      const std::size_t at = text.find('=');
      const std::string_view value =
          at == std::string::npos ? std::string_view() : std::string_view(text).substr(at + 1);
      if (value.size() < kSecretTextBytesMin)
        return plan::wrong_option(
            "--secret",
            fmt::format("{} has {} characters; a secret needs at least {}, or it cannot be told "
                        "from other text; use --env for what is not secret",
                        plan::shown(text.substr(0, std::min(at, text.size()))), value.size(), kSecretTextBytesMin));
      note(value);
    }
    return {};
  }

  void note(std::string_view secret) {
    if (secret.size() >= kSecretTextBytesMin) secrets_.emplace_back(secret);
  }
  // Basic authentication sends both in one text.
  void note_pair(std::string_view user, std::string_view password) {
    note(password);
    if (!password.empty()) note(fmt::format("{}:{}", user, password));
  }
  void note_url(const std::string& text) {
    const auto url = plan::parse_url(text);
    if (!url || url->user_info.empty()) return;
    if (const auto auth = plan::auth_from_user_info(url->user_info)) note_pair(auth->user, auth->password);
  }
  void note_authorization(std::string_view header) {
    const std::string name(trimmed(header.substr(0, header.find(':')), kBlank));
    if (::strcasecmp(name.c_str(), "authorization") == 0 || ::strcasecmp(name.c_str(), "proxy-authorization") == 0)
      note(value_of(header));
  }
  // Without the scheme: of "Bearer abc" the secret is "abc".
  static std::string_view value_of(std::string_view header) {
    const std::size_t colon = header.find(':');
    const std::string_view value = colon == std::string_view::npos ? header : trimmed(header.substr(colon + 1), kBlank);
    const std::size_t blank = value.rfind(' ');
    return blank == std::string_view::npos ? value : value.substr(blank + 1);
  }

  RunOptions& options_;
  std::vector<std::string> secrets_;
};

}  // namespace

Result<std::vector<std::string>> take_credentials(RunOptions& options) {
  Taking taking(options);
  if (Status taken = taking.take(); !taken) return fail(taken.error());
  return taking.secrets();
}

}  // namespace hyperscale::intake
