// What makes a secret easy to guess. Works on the text in place: no copy of it is left behind in memory.
#include "wire/keyring.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace hyperscale::wire {
namespace {

constexpr std::size_t kDistinctMin = 6;
// Sequences and well-known words count as one character each; what is left must still be this long.
constexpr std::size_t kUnguessedMin = 10;
constexpr std::size_t kRunMin = 4;

constexpr std::array<std::string_view, 24> kWords{
    "password", "passwort", "passphrase", "passwd",   "changeme", "change",  "secret",        "letmein",
    "welcome",  "default",  "example",    "iloveyou", "dragon",   "monkey",  "administrator", "admin",
    "master",   "trustno",  "hyperscale", "mercury",  "cluster",  "replace", "token",         "test"};
constexpr std::array<std::string_view, 5> kKeyboardRows{"qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm"};

constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// "p4$$w0rd" is no better than what it stands for.
constexpr bool stands_for(char c, char letter) {
  if (lower(c) == letter) return true;
  switch (letter) {
    case 'a':
      return c == '4' || c == '@';
    case 'e':
      return c == '3';
    case 'i':
      return c == '1' || c == '!';
    case 'l':
      return c == '1';
    case 'o':
      return c == '0';
    case 's':
      return c == '5' || c == '$';
    case 't':
      return c == '7';
    default:
      return false;
  }
}

enum class Step : std::uint8_t { kSame, kUp, kDown, kRight, kLeft };

bool beside(char left, char right) {
  return std::ranges::any_of(kKeyboardRows, [&](std::string_view row) {
    const std::size_t at = row.find(left);
    return at != std::string_view::npos && at + 1 < row.size() && row[at + 1] == right;
  });
}

bool steps(char from, char to, Step step) {
  from = lower(from);
  to = lower(to);
  switch (step) {
    case Step::kSame:
      return from == to;
    case Step::kUp:
      return to == from + 1;
    case Step::kDown:
      return to == from - 1;
    case Step::kRight:
      return beside(from, to);
    case Step::kLeft:
      return beside(to, from);
  }
  return false;
}

class Guessed {
 public:
  explicit Guessed(std::string_view secret) : secret_(secret) {}

  void find_runs() {
    for (const Step step : {Step::kSame, Step::kUp, Step::kDown, Step::kRight, Step::kLeft}) {
      for (std::size_t at = 0; at < secret_.size();) {
        std::size_t end = at + 1;
        while (end < secret_.size() && steps(secret_[end - 1], secret_[end], step)) ++end;
        if (end - at >= kRunMin) cover(at, end);
        at = end;
      }
    }
  }

  void find_words() {
    for (std::size_t at = 0; at < secret_.size(); ++at) {
      for (const std::string_view word : kWords) {
        if (starts_with_word(at, word)) cover(at, at + word.size());
      }
    }
  }

  // Characters that nothing explains, and one for each stretch that something does.
  std::size_t unguessed() const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < secret_.size(); ++i) {
      if (!covered_[i] || i == 0 || !covered_[i - 1]) ++count;
    }
    return count;
  }

 private:
  bool starts_with_word(std::size_t at, std::string_view word) const {
    return secret_.size() - at >= word.size() &&
           std::equal(word.begin(), word.end(), secret_.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char letter, char c) { return stands_for(c, letter); });
  }
  void cover(std::size_t from, std::size_t end) {
    for (std::size_t i = from; i < end; ++i) covered_.set(i);
  }

  std::string_view secret_;
  std::bitset<kClusterSecretBytesMax> covered_;
};

std::size_t distinct_characters(std::string_view secret) {
  std::bitset<256> seen;
  for (const char c : secret) seen.set(static_cast<unsigned char>(c));
  return seen.count();
}

// The smallest shift by which the text repeats itself.
std::size_t period_of(std::string_view secret) {
  std::size_t period = 1;
  while (period < secret.size() && secret.substr(period) != secret.substr(0, secret.size() - period)) ++period;
  return period;
}

}  // namespace

std::optional<std::string_view> weakness_of_secret(std::string_view secret) {
  secret = secret.substr(0, kClusterSecretBytesMax);
  if (distinct_characters(secret) < kDistinctMin) return "has too few different characters";
  if (period_of(secret) < kClusterSecretBytesMin && period_of(secret) <= secret.size() / 2) {
    return "repeats a short pattern";
  }
  Guessed guessed(secret);
  guessed.find_runs();
  if (guessed.unguessed() < kUnguessedMin) return "is mostly a sequence of neighbouring characters";
  guessed.find_words();
  if (guessed.unguessed() < kUnguessedMin) return "is mostly made of words that everybody tries first";
  return std::nullopt;
}

}  // namespace hyperscale::wire
