// Redactor: replaces secrets by "***" in texts that leave the process, in plain form and as encoded in requests:
// percent-encoded, in base64 (also as a part of something longer), escaped for JSON.
//
// Immutable after construction; any thread. A text that was cut in the middle of a secret loses the beginning of it
// too. Texts without secrets come back unchanged. A secret shorter than kSecretTextBytesMin is not replaced: it would
// match everywhere.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale {

inline constexpr std::size_t kSecretTextBytesMin = 4;

class Redactor {
 public:
  Redactor() = default;
  explicit Redactor(const std::vector<std::string>& secrets);

  bool empty() const { return patterns_.empty(); }
  std::string operator()(std::string text) const;
  void apply(std::string& text) const {
    if (!empty()) text = (*this)(std::move(text));
  }

 private:
  void add(std::string pattern);

  std::vector<std::string> patterns_;  // longest first
};

}  // namespace hyperscale
