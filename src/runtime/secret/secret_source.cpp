#include "runtime/secret/secret_source.h"

#include "base/errno_text.h"
#include "base/owned_fd.h"
#include "runtime/secret/wiping_allocator.h"

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

Status check_length(std::size_t size, std::string_view source) {
  if (size >= kSecretBytesMin && size <= kSecretBytesMax) return {};
  return fail(ErrorCode::kInvalidArgument, fmt::format("the secret in {} has {} characters; it needs {} to {}", source,
                                                       size, kSecretBytesMin, kSecretBytesMax));
}

// The text without surrounding white space, as offset and length.
std::pair<std::size_t, std::size_t> trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {0, 0};
  return {first, text.find_last_not_of(kBlank) - first + 1};
}

}  // namespace

Result<SecretHandle> read_secret_file(const std::string& path) {
  const OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid())
    return fail(ErrorCode::kInvalidArgument, fmt::format("cannot read secret file {}: {}", path, errno_text(errno)));
  struct stat info{};
  ::fstat(file.get(), &info);
  if ((info.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail(ErrorCode::kInvalidArgument,
                fmt::format("secret file {} can be read by others; run: chmod 600 {}", path, path));
  }
  WipingVector<char> buffer(kSecretBytesMax + 2);
  std::size_t filled = 0;
  for (ssize_t got = 0; filled < buffer.size(); filled += static_cast<std::size_t>(got)) {
    got = ::read(file.get(), buffer.data() + filled, buffer.size() - filled);
    if (got < 0 && errno == EINTR)
      got = 0;
    else if (got <= 0)
      break;
  }
  const auto [offset, size] = trimmed({buffer.data(), filled});
  if (auto length = check_length(size, path); !length) return fail(length.error());
  return Secret::take(buffer.data() + offset, size);
}

Result<SecretHandle> take_secret_from_environment(const char* variable) {
  char* value = ::getenv(variable);  // NOLINT(concurrency-mt-unsafe): see the header, there are no threads yet
  if (value == nullptr) return SecretHandle{};
  const std::size_t size = ::strlen(value);
  auto length = check_length(size, variable);
  SecretHandle secret;
  if (length)
    secret = Secret::take(value, size);
  else
    ::explicit_bzero(value, size);
  ::unsetenv(variable);  // NOLINT(concurrency-mt-unsafe): as above
  if (!length) return fail(length.error());
  return secret;
}

}  // namespace hyperscale::runtime
