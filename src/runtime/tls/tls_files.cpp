#include "runtime/tls/tls_files.h"

#include "base/errno_text.h"
#include "base/owned_fd.h"
#include "runtime/secret/wiping_allocator.h"
#include "runtime/tls/tls_context.h"

#include <cerrno>
#include <string_view>
#include <utility>

#include <boost/asio/buffer.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509err.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::runtime {
namespace {

using Context = asio::ssl::context;
using FileBytes = WipingVector<char>;  // one of the files is a private key

constexpr const char* kCiphersTls12 = "ECDHE+AESGCM:ECDHE+CHACHA20";

// Others must not read a key. The group may read it: that is how a host shares keys with services (group
// ssl-cert, or fsGroup in Kubernetes).
bool too_open_for_a_key(mode_t mode) {
  return (mode & (S_IRWXO | S_IWGRP)) != 0;
}

Result<FileBytes> read_pem(const std::string& path, std::string_view what, bool is_key) {
  const OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return invalid(fmt::format("cannot read {} {}: {}", what, path, errno_text(errno)));
  struct stat info{};
  if (::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode))
    return invalid(fmt::format("cannot read {} {}: not a regular file", what, path));
  if (is_key && too_open_for_a_key(info.st_mode))
    return invalid(fmt::format("{} {} can be read by others; run: chmod 600 {}", what, path, path));
  if (static_cast<std::size_t>(info.st_size) > kTlsFileBytesMax)
    return invalid(fmt::format("{} {} is larger than {} bytes", what, path, kTlsFileBytesMax));
  FileBytes bytes(static_cast<std::size_t>(info.st_size));
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return invalid(fmt::format("cannot read {} {}: {}", what, path, errno_text(errno)));
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

std::string explain(const boost::system::error_code& error) {
  const auto code = static_cast<unsigned long>(static_cast<unsigned>(error.value()));
  const char* reason = ::ERR_reason_error_string(code);
  return reason != nullptr ? reason : error.message();
}

bool has_reason(const boost::system::error_code& error, int library, int reason) {
  const auto code = static_cast<unsigned long>(static_cast<unsigned>(error.value()));
  return ERR_GET_LIB(code) == library && ERR_GET_REASON(code) == reason;
}

std::string no_passphrase(std::size_t, Context::password_purpose) {
  return {};
}

}  // namespace

Status use_policy(Context& context) {
  SSL_CTX* const native = context.native_handle();
  ::SSL_CTX_set_options(native, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                                    SSL_OP_PRIORITIZE_CHACHA);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  if (SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION) != 1 ||
      ::SSL_CTX_set_cipher_list(native, kCiphersTls12) != 1)
    return fail(ErrorCode::kInternal, "the TLS library refuses TLS 1.2 with forward secrecy");
  return {};
}

Status use_certificate(Context& context, const std::string& path) {
  const auto pem = read_pem(path, "certificate file", false);
  if (!pem) return fail(pem.error());
  boost::system::error_code error;
  context.use_certificate_chain(asio::buffer(*pem), error);
  if (!error) return {};
  if (std::string_view(pem->data(), pem->size()).find("CERTIFICATE-----") == std::string_view::npos)
    return invalid(fmt::format("certificate file {} holds no certificate in PEM form", path));
  return invalid(fmt::format("certificate file {} is damaged: {}", path, explain(error)));
}

Status use_key(Context& context, const std::string& path, const std::string& cert_file) {
  const auto pem = read_pem(path, "key file", true);
  if (!pem) return fail(pem.error());
  // Without a callback the library would ask for a passphrase on the terminal.
  context.set_password_callback(no_passphrase);
  boost::system::error_code error;
  context.use_private_key(asio::buffer(*pem), Context::pem, error);
  const bool mismatch = has_reason(error, ERR_LIB_X509, X509_R_KEY_VALUES_MISMATCH) ||
                        has_reason(error, ERR_LIB_X509, X509_R_KEY_TYPE_MISMATCH);
  if (mismatch || (!error && ::SSL_CTX_check_private_key(context.native_handle()) != 1)) {
    ::ERR_clear_error();
    return invalid(fmt::format("key file {} does not belong to the certificate in {}", path, cert_file));
  }
  if (!error) return {};
  const std::string_view text(pem->data(), pem->size());
  if (text.find("ENCRYPTED") != std::string_view::npos)
    return invalid(
        fmt::format("key file {} has a passphrase; remove it with: openssl pkey -in {} -out <new file>", path, path));
  return invalid(fmt::format("key file {} holds no private key in PEM form ({})", path, explain(error)));
}

Status use_authority(Context& context, const std::string& path) {
  const auto pem = read_pem(path, "CA file", false);
  if (!pem) return fail(pem.error());
  // The library accepts a file without any certificate as an empty list.
  if (std::string_view(pem->data(), pem->size()).find("CERTIFICATE-----") == std::string_view::npos)
    return invalid(fmt::format("CA file {} holds no certificate in PEM form", path));
  boost::system::error_code error;
  context.add_certificate_authority(asio::buffer(*pem), error);
  if (error) return invalid(fmt::format("CA file {} is damaged: {}", path, explain(error)));
  return {};
}

Status use_groups(Context& context, const std::string& groups) {
  if (groups.empty() || SSL_CTX_set1_groups_list(context.native_handle(), groups.c_str()) == 1) return {};
  // The library does not say which name it rejected, so each is tried alone.
  std::string_view rest = groups;
  while (true) {
    const std::size_t end = rest.find(':');
    const std::string group(rest.substr(0, end));
    ::ERR_clear_error();
    if (group.empty() || SSL_CTX_set1_groups_list(context.native_handle(), group.c_str()) != 1) {
      ::ERR_clear_error();
      return invalid(
          fmt::format("key-exchange group '{}' is not known to {}", group, ::OpenSSL_version(OPENSSL_VERSION)));
    }
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return invalid(fmt::format("the key-exchange groups '{}' cannot be used together", groups));
}

}  // namespace hyperscale::runtime
