// Header lines of an e-mail: folded at blanks (RFC 5322 2.2.3), beyond ASCII as encoded words (RFC 2047).
//
// Pure functions; any thread. No value can end its line: a control character is kInvalidArgument. So is text that is
// not UTF-8 or longer than kMailTextBytesMax.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::size_t kMailTextBytesMax = 16 * 1024;  // of a subject or a name
inline constexpr std::size_t kMailColumnsMax = 78;           // RFC 5322 2.1.1, without the line end

// kInvalidArgument unless the text may be part of a header; `what` names it in the message.
Status check_mail_text(std::string_view what, std::string_view text);

// The pieces that a text becomes: words with their blanks as they are, or encoded words. Between two of them a line may
// be folded. REQUIRES: check_mail_text.
std::vector<std::string> mail_text_pieces(std::string_view text);
// "=?UTF-8?B?...?=", each within 64 columns and with whole characters. REQUIRES: valid UTF-8, not empty.
std::vector<std::string> encoded_words(std::string_view text);

// "Name: piece piece\r\n", continued on the next line where a piece does not fit.
std::string folded_header(std::string_view name, const std::vector<std::string>& pieces);

}  // namespace hyperscale::plan
