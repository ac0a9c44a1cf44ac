#include "load/protocols/tls/certificate_text.h"

#include "load/protocols/tls/openssl_owner.h"

#include <array>
#include <ctime>

#include <arpa/inet.h>
#include <fmt/format.h>

namespace hyperscale::load {
namespace {

std::string contents(BIO* memory) {
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory, &text);
  return size > 0 ? std::string(text, static_cast<std::size_t>(size)) : std::string();
}

std::string printable(const ASN1_STRING* text) {
  const BioOwner memory(BIO_new(BIO_s_mem()));
  ASN1_STRING_print_ex(memory.get(), text, ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_ESC_MSB | ASN1_STRFLGS_UTF8_CONVERT);
  return contents(memory.get());
}

std::string address_text(const ASN1_STRING* address) {
  const int size = ASN1_STRING_length(address);
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = size == 16 ? AF_INET6 : AF_INET;
  if (size != 4 && size != 16) return "an address of a strange size";
  return ::inet_ntop(family, ASN1_STRING_get0_data(address), text.data(), text.size()) != nullptr ? text.data() : "";
}

}  // namespace

std::string name_text(const X509_NAME* name) {
  const BioOwner memory(BIO_new(BIO_s_mem()));
  X509_NAME_print_ex(memory.get(), name, 0, XN_FLAG_RFC2253);
  return contents(memory.get());
}

std::string common_name(const X509_NAME* name) {
  const int at = X509_NAME_get_index_by_NID(name, NID_commonName, -1);
  if (at < 0) return {};
  return printable(X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, at)));
}

std::string time_text(const ASN1_TIME* time) {
  std::tm parts{};
  if (ASN1_TIME_to_tm(time, &parts) != 1) return "an unreadable date";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::vector<std::string> names_of(const X509* certificate) {
  std::vector<std::string> names;
  const NamesOwner alternatives(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
  for (int i = 0; alternatives && i < sk_GENERAL_NAME_num(alternatives.get()); ++i) {
    const GENERAL_NAME* name = sk_GENERAL_NAME_value(alternatives.get(), i);
    if (name->type == GEN_DNS) names.push_back(printable(name->d.dNSName));
    if (name->type == GEN_IPADD) names.push_back(address_text(name->d.iPAddress));
  }
  if (names.empty()) {
    if (std::string name = common_name(X509_get_subject_name(certificate)); !name.empty())
      names.push_back(std::move(name));
  }
  return names;
}

}  // namespace hyperscale::load
