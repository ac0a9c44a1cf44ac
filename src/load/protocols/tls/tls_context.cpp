#include "load/protocols/tls/tls_context.h"

#include "base/check.h"
#include "load/protocols/tls/tls_failure.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

namespace hyperscale::load {
namespace {

constexpr std::size_t kFolderBytesMax = std::size_t{8} << 20;  // of all certificates in a folder

tl::unexpected<Error> invalid(std::string context) {
  ERR_clear_error();
  return fail(ErrorCode::kInvalidArgument, std::move(context));
}

BioOwner reader_of(std::string_view text) {
  return BioOwner(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

// Without a callback the library would prompt on the terminal.
int no_passphrase(char*, int, int, void*) {
  return 0;
}

std::string last_reason() {
  const char* reason = ERR_reason_error_string(ERR_peek_last_error());
  return reason != nullptr ? reason : "unknown error";
}

// Every certificate of a PEM text. Fails unless parsing reaches the end of the text.
Result<std::vector<CertificateOwner>> certificates_in(std::string_view pem, std::string_view what) {
  std::vector<CertificateOwner> certificates;
  const BioOwner reader = reader_of(pem);
  ERR_clear_error();
  while (X509* certificate = PEM_read_bio_X509(reader.get(), nullptr, no_passphrase, nullptr))
    certificates.emplace_back(certificate);
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  if (!at_end) return invalid(fmt::format("the {} is damaged: {}", what, last_reason()));
  if (certificates.empty()) return invalid(fmt::format("the {} holds no certificate in PEM form", what));
  ERR_clear_error();
  return certificates;
}

Status trust(SSL_CTX* context, std::string_view pem) {
  auto authorities = certificates_in(pem, "CA certificate");
  if (!authorities) return fail(authorities.error());
  for (const CertificateOwner& authority : *authorities)
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority.get());
  return {};
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return std::move(content).str();
}

// The path in an environment variable, or the default of the library's build.
std::string place_of(const char* variable, const char* otherwise) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  const char* named = std::getenv(variable);
  return named != nullptr ? named : otherwise;
}

// The text of keep_system_authorities(), for all contexts of this process.
std::string& kept_authorities() {
  static std::string text;
  return text;
}

// Empty when the system does not keep them in one file.
std::string system_authorities() {
  if (!kept_authorities().empty()) return kept_authorities();
  return content_of(place_of(X509_get_default_cert_file_env(), X509_get_default_cert_file()));
}

// Certificates of a folder, one per file; the library itself would read it only during verification.
std::string authorities_in_folder(const std::string& folder) {
  std::string text;
  std::error_code unknown;
  for (const auto& entry : std::filesystem::directory_iterator(folder, unknown)) {
    // Each certificate is present under its hash and under its name.
    if (entry.is_symlink(unknown) && entry.path().extension() == ".0") continue;
    const std::string content = entry.is_regular_file(unknown) ? content_of(entry.path()) : std::string();
    if (content.find("BEGIN CERTIFICATE") == std::string::npos || text.size() > kFolderBytesMax) continue;
    text += content;
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

Status use_authorities(SSL_CTX* context, const plan::Tls& tls) {
  if (tls.insecure) return {};
  if (!tls.ca_pem.empty()) return trust(context, tls.ca_pem);
  if (!kept_authorities().empty()) return trust(context, kept_authorities());
  if (SSL_CTX_set_default_verify_paths(context) != 1)
    return fail(ErrorCode::kInternal, "the system's CA certificates cannot be used");
  return {};
}

Status use_key(SSL_CTX* context, std::string_view pem) {
  const BioOwner reader = reader_of(pem);
  ERR_clear_error();
  const KeyOwner key(PEM_read_bio_PrivateKey(reader.get(), nullptr, no_passphrase, nullptr));
  if (!key) {
    if (pem.find("ENCRYPTED") != std::string_view::npos)
      return invalid("the client key has a passphrase; remove it with: openssl pkey -in <key> -out <new key>");
    return invalid("the client key holds no private key in PEM form");
  }
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 || SSL_CTX_check_private_key(context) != 1)
    return invalid("the client key does not belong to the client certificate");
  return {};
}

Status use_client_certificate(SSL_CTX* context, const plan::Tls& tls) {
  if (tls.certificate_pem.empty() && tls.key_pem.empty()) return {};
  if (tls.certificate_pem.empty()) return invalid("there is a client key and no client certificate");
  if (tls.key_pem.empty()) return invalid("there is a client certificate and no client key");
  auto chain = certificates_in(tls.certificate_pem, "client certificate");
  if (!chain) return fail(chain.error());
  if (SSL_CTX_use_certificate(context, chain->front().get()) != 1)
    return invalid(fmt::format("the client certificate cannot be used: {}", last_reason()));
  for (std::size_t i = 1; i < chain->size(); ++i) SSL_CTX_add1_chain_cert(context, (*chain)[i].get());
  return use_key(context, tls.key_pem);
}

// In ALPN's format: each name after its length, in order of preference.
std::string_view protocols_for(plan::HttpVersion version) {
  switch (version) {
    case plan::HttpVersion::kHttp1:
      return "\x08http/1.1";
    case plan::HttpVersion::kHttp2:
      return "\x02h2";
    case plan::HttpVersion::kAuto:
      break;
  }
  return "\x02h2\x08http/1.1";
}

int keep_session(SSL* ssl, SSL_SESSION* session) {
  auto* server = static_cast<TlsServer*>(SSL_get_ex_data(ssl, tls_server_index()));
  server->keep(SslSessionOwner(session));
  return 1;
}

}  // namespace

void keep_system_authorities() {
  OPENSSL_init_ssl(0, nullptr);  // reads its settings
  std::string text = system_authorities();
  if (text.empty())
    text = authorities_in_folder(place_of(X509_get_default_cert_dir_env(), X509_get_default_cert_dir()));
  kept_authorities() = std::move(text);
}

Result<std::shared_ptr<TlsContext>> TlsContext::make(const plan::Tls& tls, plan::HttpVersion version,
                                                     SystemAuthorities authorities) {
  SslContextOwner context(SSL_CTX_new(TLS_client_method()));
  if (!context) return fail(ErrorCode::kInternal, "the TLS library could not be started");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_verify(context.get(), tls.insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER,
                     tls.insecure ? nullptr : note_bad_certificate);
  const bool wait = authorities == SystemAuthorities::kReadWhenNeeded && !tls.insecure && tls.ca_pem.empty();
  std::string unread = wait ? system_authorities() : std::string();
  if (unread.empty()) {
    if (auto done = use_authorities(context.get(), tls); !done) return fail(done.error());
  }
  if (auto done = use_client_certificate(context.get(), tls); !done) return fail(done.error());
  const std::string_view protocols = protocols_for(version);
  CHECK(SSL_CTX_set_alpn_protos(context.get(), reinterpret_cast<const unsigned char*>(protocols.data()),
                                static_cast<unsigned>(protocols.size())) == 0);
  if (tls.resume) {
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_sess_set_new_cb(context.get(), keep_session);
  } else {
    SSL_CTX_set_session_cache_mode(context.get(), SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(context.get(), SSL_OP_NO_TICKET);
  }
  auto made = std::make_shared<TlsContext>(tls, std::move(context));
  made->unread_authorities_ = std::move(unread);
  return made;
}

TlsContext::TlsContext(const plan::Tls& tls, SslContextOwner context)
    : context_(std::move(context)),
      server_name_(tls.server_name),
      verify_(!tls.insecure),
      resume_(tls.resume),
      plaintext_(kTlsRecordBytesMax) {
  spare_.reserve(kTlsSpareBuffersMax);
}

TlsServer& TlsContext::server(const std::string& host, std::uint16_t port) {
  for (const auto& known : servers_)
    if (known->is(host, port)) return *known;
  return *servers_.emplace_back(std::make_unique<TlsServer>(host, port, server_name_.empty() ? host : server_name_));
}

SslOwner TlsContext::new_connection(TlsServer& server) {
  // A damaged file counts as one without certificates: the handshake fails with an unknown authority.
  if (!unread_authorities_.empty()) (void)trust(context_.get(), std::exchange(unread_authorities_, {}));
  SslOwner ssl(SSL_new(context_.get()));
  CHECK(ssl != nullptr, "out of memory");
  SSL_set_connect_state(ssl.get());
  SSL_set_ex_data(ssl.get(), tls_server_index(), &server);
  const char* name = server.name().c_str();
  if (!server.is_address()) SSL_set_tlsext_host_name(ssl.get(), name);
  if (verify_) {
    X509_VERIFY_PARAM* rules = SSL_get0_param(ssl.get());
    X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    const int set = server.is_address() ? X509_VERIFY_PARAM_set1_ip_asc(rules, name)
                                        : X509_VERIFY_PARAM_set1_host(rules, name, server.name().size());
    CHECK(set == 1, "no name to verify");
  }
  if (SSL_SESSION* session = resume_ ? server.next_session() : nullptr) SSL_set_session(ssl.get(), session);
  return ssl;
}

std::vector<std::uint8_t> TlsContext::take_buffer() {
  if (spare_.empty()) return {};
  std::vector<std::uint8_t> buffer = std::move(spare_.back());
  spare_.pop_back();
  return buffer;
}

void TlsContext::give_back(std::vector<std::uint8_t> buffer) {
  if (buffer.capacity() == 0 || buffer.capacity() > kTlsSpareBufferBytesMax || spare_.size() == kTlsSpareBuffersMax)
    return;
  buffer.clear();
  spare_.push_back(std::move(buffer));
}

}  // namespace hyperscale::load
