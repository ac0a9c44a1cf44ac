// The native half of js/encoding.js, js/url.js and js/web.js: UTF-8, percent escapes, host names, hashes; and bodies of
// GraphQL requests. Independent of the runtime and its users.
#include "plan/arguments/graphql.h"
#include "plan/ascii.h"
#include "plan/idna.h"
#include "workflow/script/native_call.h"
#include "workflow/script/natives.h"
#include "workflow/script/utf16.h"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace hyperscale::workflow {
namespace {

const EVP_MD* digest_of(std::string_view algorithm) {
  if (algorithm == "md5") return EVP_md5();
  if (algorithm == "sha1") return EVP_sha1();
  if (algorithm == "sha256") return EVP_sha256();
  return algorithm == "sha512" ? EVP_sha512() : nullptr;
}

Answer no_digest(const std::string& algorithm) {
  return refuse(fmt::format("there is no hash \"{}\"; there are md5, sha1, sha256 and sha512", algorithm));
}

Answer hash(const Arguments& in) {
  const EVP_MD* digest = digest_of(in.text(0));
  if (digest == nullptr) return no_digest(in.text(0));
  std::array<unsigned char, EVP_MAX_MD_SIZE> result{};
  unsigned size = 0;
  const std::string_view bytes = in.bytes(1);
  EVP_Digest(bytes.data(), bytes.size(), result.data(), &size, digest, nullptr);
  return make_bytes(in.context(), {reinterpret_cast<const char*>(result.data()), size});
}

Answer hmac(const Arguments& in) {
  const EVP_MD* digest = digest_of(in.text(0));
  if (digest == nullptr) return no_digest(in.text(0));
  std::array<unsigned char, EVP_MAX_MD_SIZE> result{};
  unsigned size = 0;
  const std::string_view key = in.bytes(1);
  const std::string_view bytes = in.bytes(2);
  HMAC(digest, key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(bytes.data()),
       bytes.size(), result.data(), &size);
  return make_bytes(in.context(), {reinterpret_cast<const char*>(result.data()), size});
}

Answer encode_text(const Arguments& in) {
  return make_bytes(in.context(), in.text(0));
}

// The text; or, if it must be free of errors and is not, the offset after the first error.
Answer decode_text(const Arguments& in) {
  const DecodedUtf8 decoded = decode_utf8(in.bytes(0));
  if (in.flag(1) && decoded.first_error)
    return JSValueMakeNumber(in.context(), static_cast<double>(*decoded.first_error));
  return jsc::make_text(in.context(), decoded.units);
}

// Unlike plan::percent_decode this keeps broken escapes, as the URL Standard does.
Answer percent_decode(const Arguments& in) {
  const std::string text = in.text(0);
  std::string bytes;
  bytes.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape =
        text[i] == '%' && i + 2 < text.size() && plan::is_hex_digit(text[i + 1]) && plan::is_hex_digit(text[i + 2]);
    if (escape) {
      bytes += static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16));
      i += 2;
    } else {
      bytes += text[i];
    }
  }
  return jsc::make_text(in.context(), decode_utf8(bytes).units);
}

Answer graphql_body(const Arguments& in) {
  const auto prepared = plan::prepare_query_or_mutation(
      {.document = in.text(0), .operation_name = in.text_if_given(1), .variables = in.text_if_given(2)});
  if (!prepared) return refuse(prepared.error().context);
  return jsc::make_text(in.context(), prepared->body);
}

Answer domain_to_ascii(const Arguments& in) {
  const Result<std::string> ascii = plan::domain_to_ascii(in.text(0));
  if (ascii) return jsc::make_text(in.context(), *ascii);
  if (ascii.error().code == ErrorCode::kInternal) return refuse(ascii.error().context);
  return JSValueMakeNull(in.context());
}

template <Answer (*function)(const Arguments&)>
JSValueRef native(JSContextRef context, JSObjectRef, JSObjectRef, std::size_t count, const JSValueRef arguments[],
                  JSValueRef* exception) {
  return give(context, function(Arguments(context, count, arguments)), exception);
}

}  // namespace

void add_web_natives(OpaqueJSContext* context, ObjectRef natives) {
  add_native(context, natives, "hash", native<hash>);
  add_native(context, natives, "hmac", native<hmac>);
  add_native(context, natives, "encodeUtf8", native<encode_text>);
  add_native(context, natives, "decodeUtf8", native<decode_text>);
  add_native(context, natives, "percentDecode", native<percent_decode>);
  add_native(context, natives, "domainToAscii", native<domain_to_ascii>);
  add_native(context, natives, "graphqlBody", native<graphql_body>);
}

}  // namespace hyperscale::workflow
