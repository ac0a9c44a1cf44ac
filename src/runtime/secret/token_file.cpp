#include "runtime/secret/token_file.h"

#include "base/errno_text.h"
#include "base/owned_fd.h"
#include "runtime/secret/wiping_allocator.h"

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

tl::unexpected<Error> failed(const std::string& path) {
  return fail(ErrorCode::kUnavailable, fmt::format("cannot make the token file {}: {}", path, errno_text(errno)));
}

Result<WipingVector<char>> random_digits(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::array<std::uint8_t, kTokenRandomBytes> bytes{};
  // Up to 256 bytes come whole once the kernel's generator has been seeded.
  while (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    if (errno != EINTR) return failed(path);
  }
  WipingVector<char> digits;
  digits.reserve(2 * bytes.size() + 1);
  for (const std::uint8_t byte : bytes) {
    digits.push_back(kDigits[byte >> 4]);
    digits.push_back(kDigits[byte & 0xf]);
  }
  ::explicit_bzero(bytes.data(), bytes.size());
  digits.push_back('\n');
  return digits;
}

Result<struct stat> write_new(const std::string& path, const WipingVector<char>& text) {
  ::unlink(path.c_str());
  OwnedFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file.valid()) return failed(path);
  struct stat info{};
  const ssize_t written = ::write(file.get(), text.data(), text.size());
  const bool whole = written == static_cast<ssize_t>(text.size()) && ::fstat(file.get(), &info) == 0;
  if (!whole && written >= 0) errno = ENOSPC;
  if (!file.close() || !whole) return failed(path);
  return info;
}

}  // namespace

Result<std::unique_ptr<TokenFile>> TokenFile::make(std::string path) {
  auto text = random_digits(path);
  if (!text) return fail(text.error());
  const std::string unnamed = path + ".new";
  Result<struct stat> written = write_new(unnamed, *text);
  if (written && ::rename(unnamed.c_str(), path.c_str()) != 0) written = failed(path);
  if (!written) {
    ::unlink(unnamed.c_str());
    return fail(written.error());
  }
  SecretHandle token = Secret::take(text->data(), text->size() - 1);
  return std::unique_ptr<TokenFile>(new TokenFile(std::move(path), std::move(token), written->st_dev, written->st_ino));
}

TokenFile::~TokenFile() {
  struct stat info{};
  const bool ours = ::lstat(path_.c_str(), &info) == 0 && info.st_dev == device_ && info.st_ino == number_;
  if (ours) ::unlink(path_.c_str());
}

}  // namespace hyperscale::runtime
