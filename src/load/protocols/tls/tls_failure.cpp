#include "load/protocols/tls/tls_failure.h"

#include "load/protocols/tls/certificate_text.h"
#include "load/protocols/tls/tls_server.h"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <openssl/err.h>
#include <openssl/sslerr.h>

namespace hyperscale::load {
namespace {

constexpr std::size_t kNamesShownMax = 5;
constexpr int kFirstAlertReason = SSL_AD_REASON_OFFSET;
constexpr int kLastAlertReason = SSL_AD_REASON_OFFSET + 255;

std::string names_text(const X509* certificate) {
  std::vector<std::string> names = names_of(certificate);
  if (names.empty()) return "no name at all";
  const std::size_t more = names.size() > kNamesShownMax ? names.size() - kNamesShownMax : 0;
  names.resize(names.size() - more);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (more > 0) text += fmt::format(" and {} more", more);
  return text;
}

std::string signer_text(const X509* certificate) {
  const X509_NAME* issuer = X509_get_issuer_name(certificate);
  const std::string name = common_name(issuer);
  return name.empty() ? name_text(issuer) : name;
}

std::string certificate_problem(int error, const X509* certificate, const std::string& server) {
  if (certificate == nullptr) return fmt::format("certificate not accepted: {}", X509_verify_cert_error_string(error));
  switch (error) {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return fmt::format("certificate of {} expired on {}", names_text(certificate),
                         time_text(X509_get0_notAfter(certificate)));
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return fmt::format("certificate of {} is not valid before {}", names_text(certificate),
                         time_text(X509_get0_notBefore(certificate)));
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return fmt::format("certificate is for {}, not for {}", names_text(certificate), server);
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
      return fmt::format("certificate of {} is signed by itself and not trusted", server);
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return fmt::format("certificate of {} is signed by an unknown authority: {}", server, signer_text(certificate));
    default:
      return fmt::format("certificate of {} not accepted: {}", server, X509_verify_cert_error_string(error));
  }
}

std::string alert_text(int reason, const char* words) {
  const std::string_view name = SSL_alert_desc_string_long(reason - kFirstAlertReason);
  // "unknown" for alerts newer than that table; the error's own text starts with the version that introduced it.
  if (name != "unknown") return std::string(name);
  std::string_view text = words != nullptr ? words : "unknown alert";
  const auto at = text.find("alert ");
  return std::string(at == std::string_view::npos ? text : text.substr(at + 6));
}

}  // namespace

int tls_server_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

int tls_note_index() {
  static const int index = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
  return index;
}

int note_bad_certificate(int verified, X509_STORE_CTX* store) {
  if (verified == 1) return 1;
  const auto* ssl = static_cast<SSL*>(X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx()));
  auto* note = static_cast<std::string*>(SSL_get_ex_data(ssl, tls_note_index()));
  const auto* server = static_cast<TlsServer*>(SSL_get_ex_data(ssl, tls_server_index()));
  if (note != nullptr && server != nullptr)
    *note =
        certificate_problem(X509_STORE_CTX_get_error(store), X509_STORE_CTX_get_current_cert(store), server->name());
  return 0;
}

std::string describe_tls_failure(bool handshaking, const std::string& note) {
  const unsigned long code = ERR_peek_error();
  const int reason = ERR_GET_REASON(code);
  const char* words = ERR_reason_error_string(code);
  const std::string text = words != nullptr ? words : "no reason given";
  const std::string alert =
      reason >= kFirstAlertReason && reason <= kLastAlertReason ? alert_text(reason, words) : std::string();
  ERR_clear_error();
  if (!note.empty()) return note;
  if (!alert.empty())
    return fmt::format("{}: {}", handshaking ? "the server refused the handshake" : "the server ended the connection",
                       alert);
  if (handshaking && (reason == SSL_R_WRONG_VERSION_NUMBER || reason == SSL_R_HTTP_REQUEST))
    return "the server does not speak TLS on this port";
  return fmt::format("{}: {}", handshaking ? "the handshake failed" : "the server sent a bad record", text);
}

}  // namespace hyperscale::load
