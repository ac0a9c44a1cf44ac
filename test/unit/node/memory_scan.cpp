#include "memory_scan.h"

#include <array>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>
#include <vector>

#include <openssl/sha.h>
#include <string.h>

namespace hyperscale::node {
namespace {

constexpr char kMask = 0x5A;
constexpr const char* kDigits = "0123456789abcdef";

struct Mapping {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  std::string line;
};

std::vector<Mapping> writable_mappings() {
  std::vector<Mapping> all;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream fields(line);
    Mapping mapping;
    char dash = 0;
    std::string access;
    fields >> std::hex >> mapping.begin >> dash >> mapping.end >> access;
    mapping.line = line;
    if (access.starts_with("rw")) all.push_back(mapping);
  }
  return all;
}

}  // namespace

MaskedText::MaskedText(std::size_t size) {
  std::random_device random;
  for (std::size_t i = 0; i < size; ++i) masked_.push_back(static_cast<char>(kDigits[random() % 16] ^ kMask));
}

MaskedText MaskedText::digest() const {
  std::vector<char> plain(masked_.size());
  reveal(plain.data());
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash;
  ::SHA256(reinterpret_cast<const unsigned char*>(plain.data()), plain.size(), hash.data());
  ::explicit_bzero(plain.data(), plain.size());
  MaskedText text;
  for (const unsigned char byte : hash) {
    text.masked_.push_back(static_cast<char>(kDigits[byte >> 4] ^ kMask));
    text.masked_.push_back(static_cast<char>(kDigits[byte & 0xF] ^ kMask));
  }
  return text;
}

void MaskedText::reveal(char* out) const {
  for (std::size_t i = 0; i < masked_.size(); ++i) out[i] = static_cast<char>(masked_[i] ^ kMask);
}

char MaskedText::first() const {
  return static_cast<char>(masked_[0] ^ kMask);
}

bool MaskedText::is_at(const char* memory) const {
  for (std::size_t i = 0; i < masked_.size(); ++i) {
    if ((memory[i] ^ kMask) != masked_[i]) return false;
  }
  return true;
}

MemoryScan scan_memory(const MaskedText& text) {
  MemoryScan scan;
  for (const Mapping& mapping : writable_mappings()) {
    const char* const begin = reinterpret_cast<const char*>(mapping.begin);
    const std::size_t size = mapping.end - mapping.begin;
    scan.bytes += size;
    const char* const last = begin + size - text.size();
    for (const char* at = begin; at <= last; ++at) {
      at = static_cast<const char*>(std::memchr(at, text.first(), static_cast<std::size_t>(last - at) + 1));
      if (at == nullptr) break;
      if (!text.is_at(at)) continue;
      ++scan.found;
      scan.where += mapping.line + "\n";
    }
  }
  return scan;
}

}  // namespace hyperscale::node
