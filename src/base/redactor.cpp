#include "base/redactor.h"

#include <algorithm>
#include <utility>

namespace hyperscale {
namespace {

constexpr std::string_view kMark = "***";
// Of a base64 text that may stand for other bytes as well; fewer characters prove nothing.
constexpr std::size_t kBase64CharactersMin = 5;

constexpr std::string_view kBase64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kBase64Url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~").find(c) != std::string_view::npos;
}

// As encodeURIComponent and forms do it; `more` are characters that one of them leaves alone.
std::string percent_encoded(std::string_view text, std::string_view more, std::string_view digits, char blank) {
  std::string out;
  for (const char c : text) {
    if (c == ' ' && blank != ' ') {
      out += blank;
    } else if (is_unreserved(c) || more.find(c) != std::string_view::npos) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += digits[byte >> 4];
      out += digits[byte & 15];
    }
  }
  return out;
}

std::string json_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

// The characters of a base64 text that depend on `secret` alone when `before` bytes (of any value) precede it in its
// group of three.
std::string base64_core(std::string_view secret, std::size_t before, std::string_view alphabet) {
  const std::size_t first_bit = before * 8;
  const std::size_t last_bit = first_bit + secret.size() * 8;
  std::string out;
  for (std::size_t bit = (first_bit + 5) / 6 * 6; bit + 6 <= last_bit; bit += 6) {
    unsigned value = 0;
    for (std::size_t i = bit; i < bit + 6; ++i) {
      const auto byte = static_cast<unsigned char>(secret[i / 8 - before]);
      value = value << 1 | (byte >> (7 - i % 8) & 1U);
    }
    out += alphabet[value];
  }
  return out;
}

}  // namespace

Redactor::Redactor(const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (secret.size() < kSecretTextBytesMin) continue;
    add(secret);
    add(json_escaped(secret));
    for (const std::string_view digits : {"0123456789ABCDEF", "0123456789abcdef"}) {
      add(percent_encoded(secret, "", digits, ' '));
      add(percent_encoded(secret, "", digits, '+'));
      add(percent_encoded(secret, "!'()*", digits, ' '));             // encodeURIComponent
      add(percent_encoded(secret, "!'()*;/?:@&=+$,#", digits, ' '));  // encodeURI
    }
    for (const std::string_view alphabet : {kBase64, kBase64Url}) {
      for (std::size_t before = 0; before < 3; ++before) {
        std::string core = base64_core(secret, before, alphabet);
        if (core.size() >= kBase64CharactersMin) add(std::move(core));
      }
    }
  }
  std::ranges::sort(patterns_, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  patterns_.erase(std::ranges::unique(patterns_).begin(), patterns_.end());
}

void Redactor::add(std::string pattern) {
  patterns_.push_back(std::move(pattern));
}

std::string Redactor::operator()(std::string text) const {
  for (const std::string& pattern : patterns_) {
    for (std::size_t at = text.find(pattern); at != std::string::npos; at = text.find(pattern, at + kMark.size()))
      text.replace(at, pattern.size(), kMark);
  }
  for (const std::string& pattern : patterns_) {
    for (std::size_t size = std::min(pattern.size() - 1, text.size()); size >= kSecretTextBytesMin; --size) {
      if (!text.ends_with(std::string_view(pattern).substr(0, size))) continue;
      text.replace(text.size() - size, size, kMark);
      break;
    }
  }
  return text;
}

}  // namespace hyperscale
