#include "explained_difference.h"

#include "load/protocols/http1/status_line.h"

#include <algorithm>
#include <initializer_list>

namespace hyperscale::load::fuzz {
namespace {

// Whether a chunk line has something behind its size.
bool has_chunk_extension(std::string_view stream) {
  const std::size_t body = stream.find("\r\n\r\n");
  return body != std::string_view::npos && stream.find_first_of("; \t", body) != std::string_view::npos;
}

bool one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  return lower;
}

bool has_field(std::string_view stream, std::string_view lower_name) {
  return in_lower_case(stream).find("\n" + std::string(lower_name) + ":") != std::string::npos;
}

bool has_folded_line(std::string_view stream) {
  return stream.find("\n ") != std::string_view::npos || stream.find("\n\t") != std::string_view::npos;
}

bool has_bare_line_feed(std::string_view stream) {
  for (std::size_t at = stream.find('\n'); at != std::string_view::npos; at = stream.find('\n', at + 1)) {
    if (at == 0 || stream[at - 1] != '\r') return true;
  }
  return false;
}

bool has_bare_cr(std::string_view stream) {
  for (std::size_t at = stream.find('\r'); at != std::string_view::npos; at = stream.find('\r', at + 1)) {
    if (at + 1 == stream.size() || stream[at + 1] != '\n') return true;
  }
  return false;
}

bool has_cr_before_status_line(std::string_view stream) {
  for (std::size_t at = stream.find("HTTP/"); at != std::string_view::npos; at = stream.find("HTTP/", at + 1)) {
    const std::size_t before = stream.find_last_not_of("\r\n", at == 0 ? 0 : at - 1);
    const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    if (has_bare_cr(stream.substr(begin, at - begin))) return true;
  }
  return false;
}

bool has_empty_element(std::string_view list) {
  char last = ',';
  for (const char c : list) {
    if (c == ',' && last == ',') return true;
    if (c != ' ' && c != '\t' && c != '\r') last = c;
  }
  return last == ',';
}

// Whether a peer sees other codings than there are in one of the Transfer-Encoding fields:
// - RFC 9110, section 5.6.1: empty elements of a list are skipped. The peers take one after chunked for another coding,
// and
//   http-parser one before it as well.
// - RFC 9110, section 5.6.6: a parameter may be a quoted string, and a comma in it separates nothing. The peers do not
// look
//   for quotes.
// - RFC 9110, section 5.6.3: a tab is white space. The peers want a space after chunked or nothing.
// - http-parser takes every name that begins with Transfer-Encoding for that field.
bool sees_other_codings(Peer peer, std::string_view stream) {
  const std::string lower = in_lower_case(stream);
  constexpr std::string_view kName = "\ntransfer-encoding";
  for (std::size_t at = lower.find(kName); at != std::string::npos; at = lower.find(kName, at + 1)) {
    const std::string_view rest = std::string_view(lower).substr(at + kName.size());
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (peer == Peer::kHttpParser && !line.starts_with(':')) return true;
    if (!line.starts_with(':')) continue;
    if (has_empty_element(line.substr(1)) || line.find_first_of("\"\t") != std::string_view::npos) return true;
  }
  return false;
}

// Whether an element of a list begins with something that no token is made of (RFC 9110, section 5.6.2), as http-parser
// sees it: it makes letters small by setting a bit, which turns an underscore into a control character.
bool has_element_that_is_no_token(std::string_view list) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^`|~ \t\r";
  bool begins = true;
  for (const char c : list) {
    const bool letter_or_digit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    const bool fits = letter_or_digit || kMarks.find(c) != std::string_view::npos;
    if (begins && c != ',' && !fits) return true;
    if (c != ' ' && c != '\t') begins = c == ',';
  }
  return false;
}

// Whether an element that is the beginning of an option of Connection ends in a comma. http-parser takes that comma for
// a part of the element and does not see that another one follows.
bool has_cut_option(std::string_view lower_list) {
  for (std::size_t comma = lower_list.find(','); comma != std::string_view::npos; comma = lower_list.find(',')) {
    std::string_view element = lower_list.substr(0, comma);
    element.remove_prefix(std::min(element.find_first_not_of(' '), element.size()));
    for (const std::string_view option : {"close", "keep-alive", "upgrade"})
      if (!element.empty() && element != option && option.starts_with(element)) return true;
    lower_list.remove_prefix(comma + 1);
  }
  return false;
}

// The same rules for the options of Connection: empty elements and tabs. The peers lose the option beside them. After
// an element that begins with no character of a token http-parser looks at no other.
bool sees_other_options(Peer peer, std::string_view stream) {
  const std::string lower = in_lower_case(stream);
  constexpr std::string_view kName = "\nconnection:";
  for (std::size_t at = lower.find(kName); at != std::string::npos; at = lower.find(kName, at + 1)) {
    const std::string_view rest = std::string_view(lower).substr(at + kName.size());
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (has_empty_element(line) || line.find('\t') != std::string_view::npos) return true;
    if (peer == Peer::kHttpParser && (has_element_that_is_no_token(line) || has_cut_option(line))) return true;
  }
  return false;
}

// Whether a head that ends its message whatever lengths it names is among those read.
bool has_bodiless_status(std::string_view stream, const Reading& ours) {
  if (ours.status == 101 || ours.status == 204 || ours.status == 304) return true;
  for (std::size_t at = stream.find("HTTP/1."); at != std::string_view::npos; at = stream.find("HTTP/1.", at + 1)) {
    if (stream.size() > at + 9 && stream[at + 9] == '1') return true;
  }
  return false;
}

// http-parser takes every name that begins with Transfer-Encoding for that field.
bool has_coding(Peer peer, std::string_view stream) {
  if (peer == Peer::kLlhttp) return has_field(stream, "transfer-encoding");
  return in_lower_case(stream).find("\ntransfer-encoding") != std::string::npos;
}

bool names_a_length(Peer peer, std::string_view stream) {
  return has_field(stream, "content-length") || has_coding(peer, stream);
}

// Several lengths: in several fields or as a list in one.
bool has_repeated_length(std::string_view stream) {
  const std::string lower = in_lower_case(stream);
  const std::string_view name = "\ncontent-length:";
  const std::size_t first = lower.find(name);
  if (first == std::string::npos) return false;
  const std::size_t end = lower.find('\n', first + 1);
  return lower.find(',', first) < end || lower.find(name, first + 1) != std::string::npos;
}

bool has_tab_in_length(std::string_view stream) {
  const std::string lower = in_lower_case(stream);
  const std::size_t first = lower.find("\ncontent-length:");
  return first != std::string::npos && lower.find('\t', first) < lower.find('\n', first + 1);
}

// A field that the peers obey in trailers too.
bool has_framing_in_trailers(std::string_view stream) {
  const std::size_t last_chunk = stream.find("\n0");
  if (last_chunk == std::string_view::npos) return false;
  const std::string_view trailers = stream.substr(last_chunk + 1);
  return has_field(trailers, "connection") || has_field(trailers, "content-length") ||
         has_field(trailers, "proxy-connection") || has_coding(Peer::kHttpParser, trailers);
}

const char* why_only_they_accept(Peer peer, const Reading& ours, std::string_view stream) {
  // RFC 9110, section 15: a status is three digits from 100 on. Both peers accept 0xx and fewer digits.
  if (one_of(ours.error, {"a status that is not a number from 100 to 999", "a status line without a status"}))
    return "status";
  // RFC 9112, section 2.3: this is HTTP/1. llhttp also accepts 0.9 and 2.0, http-parser any digits.
  if (ours.error == kNotHttp1) return "version";
  // RFC 9112, section 2.2 speaks of one empty line, before a request. Both peers skip any number.
  if (ours.error == "more than one empty line before the status line") return "empty lines";
  // RFC 9112, section 2.2: white space before the first field is refused. Both peers take it for an obs-fold.
  if (ours.error == "white space before the first field") return "white space first";
  // RFC 9110, section 7.8: nobody asked for another protocol.
  if (ours.error == "101 Switching Protocols without a request for it") return "switching protocols";
  // RFC 9112, sections 6.1 and 7: the grammar of codings, chunked once and without parameters. The peers look for the
  // word chunked at the end and take everything else for another coding.
  if (one_of(ours.error,
             {"a malformed Transfer-Encoding", "a Transfer-Encoding that names no coding",
              "a Transfer-Encoding that is chunked twice", "a chunked Transfer-Encoding with parameters"})) {
    return "codings";
  }
  // RFC 9112, section 4: a reason has no control characters. Both peers accept any byte there.
  if (one_of(ours.error, {"a NUL in the head", "a control character in the head"})) return "control characters";
  // Then the body is not chunked for them, and there is nothing to refuse in it.
  if (ours.head_complete && sees_other_codings(peer, stream)) return "codings";
  // RFC 9112, section 6.3, rule 1: no body whatever the fields say. Both peers read one when a length is named.
  if (has_bodiless_status(stream, ours) && names_a_length(peer, stream)) return "length without body";
  // RFC 9110, section 5.1: a name is a token, which is not empty. llhttp accepts ": value".
  if (peer == Peer::kLlhttp && ours.error == "a field without a name") return "empty name";
  // RFC 9112, section 2.2: a bare CR is invalid. llhttp skips any CR and LF before the status line.
  if (peer == Peer::kLlhttp && ours.error == "a CR that no LF follows" && has_cr_before_status_line(stream))
    return "empty lines";
  if (peer == Peer::kLlhttp) return nullptr;
  // The library of http-parser that Debian ships is built without HTTP_PARSER_STRICT: it accepts any byte for the LF
  // after a CR, spaces in names, lines without a colon before the end, and what follows a chunk and its size.
  if (one_of(ours.error, {"white space between a field name and its colon", "a CR that no LF follows",
                          "a field name with a character that may not be in it", "a field line without a colon",
                          "a chunk line that does not end in CRLF", "a chunk that is not followed by CRLF",
                          "a chunk size that is not a hexadecimal number"})) {
    return "not strict";
  }
  if (one_of(ours.error, {"closed inside the head", "closed inside the body"}) && has_bare_cr(stream))
    return "not strict";
  return nullptr;
}

const char* why_only_we_accept(Peer peer, Expect expect, const Reading& ours, const PeerReading& theirs,
                               std::string_view stream) {
  const bool tunnel = expect == Expect::kTunnel && ours.status / 100 == 2;
  const bool about_length = one_of(theirs.error, {"HPE_INVALID_CONTENT_LENGTH", "HPE_UNEXPECTED_CONTENT_LENGTH"});
  // RFC 9110, section 9.3.6: the lengths in a 2xx answer to CONNECT are ignored, also wrong ones.
  if (tunnel && about_length) return "tunnel";
  // RFC 9112, section 6.3, rule 1: an answer to HEAD ends with its head, regardless of its fields.
  if (expect == Expect::kNoBody && about_length) return "length without body";
  // RFC 9110, section 5.6.3: a tab around a value is white space. The peers know spaces only.
  if (about_length && has_tab_in_length(stream)) return "tab";
  // RFC 9112, section 6.3, rule 5: the same length several times is one length. Both peers refuse a second one.
  if (about_length && has_repeated_length(stream)) return "repeated length";
  if (has_bodiless_status(stream, ours) && names_a_length(peer, stream)) return "length without body";
  if (sees_other_codings(peer, stream)) return "codings";
  // RFC 9110, section 6.5.1: fields in trailers do not change the framing. Both peers judge lengths there.
  if (has_coding(peer, stream) && has_framing_in_trailers(stream)) return "trailers";
  // RFC 9112, section 7.1.1: white space may stand before the semicolon of an extension, and one that is not understood
  // is ignored, whatever its form. The peers want a semicolon right behind the size, llhttp also checks what follows.
  if (theirs.error == "HPE_INVALID_CHUNK_SIZE" && has_chunk_extension(stream)) return "chunk extension";
  // Lengths up to 2^64 - 1 are numbers to us; http-parser stops a little below.
  const bool nearly_too_long = stream.find("184467440737095516") != std::string_view::npos;
  if (theirs.error == "HPE_INVALID_CONTENT_LENGTH" && nearly_too_long) return "length";
  if (peer == Peer::kHttpParser) return nullptr;
  // RFC 9112, section 2.2: LF alone may end a line. llhttp accepts it in some places only.
  if (has_bare_line_feed(stream.substr(0, ours.consumed))) return "bare LF";
  // RFC 9112, section 7.1.1: extensions that are not understood are ignored. llhttp checks their grammar.
  if (theirs.error == "HPE_STRICT" && stream.find(';') != std::string_view::npos) return "chunk extension";
  // RFC 9110, section 2.5: a higher minor version is read as the highest one that is known.
  if (theirs.error == "HPE_INVALID_VERSION") return "minor version";
  return nullptr;
}

const char* why_both_accept_differently(Peer peer, const Reading& ours, const PeerReading& theirs,
                                        std::string_view stream) {
  if (has_bodiless_status(stream, ours) && names_a_length(peer, stream)) return "length without body";
  if (sees_other_codings(peer, stream)) return "codings";
  if (ours.status != theirs.status || ours.consumed != theirs.consumed || ours.body != theirs.body) return nullptr;
  // RFC 9110, section 6.5.1: fields in trailers do not change the framing. Both peers obey Connection there.
  if (has_coding(peer, stream) && has_framing_in_trailers(stream)) return "trailers";
  if (sees_other_options(peer, stream)) return "options";
  // RFC 9112, section C.2.2: Proxy-Connection is not to be obeyed. Both peers take it for Connection.
  if (has_field(stream, "proxy-connection")) return "Proxy-Connection";
  // RFC 9112, section 6.1: HTTP/1.0 with Transfer-Encoding is not trusted with a second message.
  if (ours.minor_version == 0 && !ours.keep_alive && has_coding(peer, stream)) return "coding in HTTP/1.0";
  // RFC 9112, section 9.3: close decides, whatever else Connection says. With HTTP/1.0 llhttp lets keep-alive decide.
  const std::string lower = in_lower_case(stream);
  const bool both = lower.find("close") != std::string::npos && lower.find("keep-alive") != std::string::npos;
  if (ours.minor_version == 0 && !ours.keep_alive && both) return "close and keep-alive";
  return nullptr;
}

}  // namespace

const char* explained_difference(Peer peer, Expect expect, const Reading& ours, const PeerReading& theirs,
                                 std::string_view stream) {
  // RFC 9112, section 5.2: a line that begins with white space continues the one before it, also in a field that frames
  // the message. The peers know that for some fields and refuse or misread others.
  if (has_folded_line(stream)) return "obs-fold";
  if (!ours.accepted) return why_only_they_accept(peer, ours, stream);
  if (!theirs.accepted) return why_only_we_accept(peer, expect, ours, theirs, stream);
  return why_both_accept_differently(peer, ours, theirs, stream);
}

}  // namespace hyperscale::load::fuzz
