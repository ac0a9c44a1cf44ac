// TokenFile: a bearer token made for one process, in a file that only its user may read (mode 0600).
//
// The token has 256 bits from the kernel, written as 64 hexadecimal digits and a line feed. The file appears whole or
// not at all and replaces one that a killed process left. The destructor removes it, unless another process has
// replaced it. Any thread; blocking file calls.
#pragma once

#include "base/result.h"
#include "runtime/secret/secret.h"

#include <memory>
#include <string>
#include <utility>

#include <sys/types.h>

namespace hyperscale::runtime {

inline constexpr std::size_t kTokenRandomBytes = 32;

class TokenFile {
 public:
  // REQUIRES: the folder of `path` exists and no other user can write to it.
  static Result<std::unique_ptr<TokenFile>> make(std::string path);
  ~TokenFile();
  TokenFile(const TokenFile&) = delete;
  TokenFile& operator=(const TokenFile&) = delete;

  const std::string& path() const { return path_; }
  const SecretHandle& token() const { return token_; }

 private:
  TokenFile(std::string path, SecretHandle token, dev_t device, ino_t number)
      : path_(std::move(path)), token_(std::move(token)), device_(device), number_(number) {}

  std::string path_;
  SecretHandle token_;
  dev_t device_;
  ino_t number_;
};

}  // namespace hyperscale::runtime
