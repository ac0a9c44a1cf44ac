// Email: a message formatted once (RFC 5322, MIME of RFC 2045 to 2047) and the envelope that carries it.
//
// Pure functions; any thread. Equal values give equal bytes: time and message id are part of the value. Bodies are
// base64, so that no line is too long and nothing in them can look like a boundary or the end of the message. The SMTP
// sender doubles dots at the start of a line.
//
// kInvalidArgument without a recipient, on a wrong address or id, on text that is not UTF-8, on anything that would add
// a header, on more than kRecipientsMax recipients and on a message beyond kBodyBytesMax.
#pragma once

#include "base/time.h"
#include "plan/arguments/argument.h"
#include "plan/arguments/file.h"
#include "plan/arguments/mail_address.h"

#include <string>
#include <vector>

namespace hyperscale::plan {

inline constexpr std::size_t kRecipientsMax = 1'000;
inline constexpr std::size_t kAttachmentsMax = 1'000;

struct EmailValue {
  MailAddress from;
  std::vector<MailAddress> to, cc;
  std::vector<MailAddress> bcc;  // in the envelope only
  std::string subject;
  std::string text;  // with html too: the alternative for readers without HTML
  std::string html;
  std::vector<FileValue> attachments;
  WallTime date;
  std::string message_id;  // "<7.1@example.org>"; may be empty
};

struct PreparedEmail {
  std::string sender;                   // of the envelope
  std::vector<std::string> recipients;  // of the envelope, each once, in the order to, cc, bcc
  std::string message;                  // every line ends with CRLF
};

Result<PreparedEmail> prepare_email(const EmailValue& value);
using Email = Argument<EmailValue, PreparedEmail, prepare_email>;

// "Mon, 16 Nov 2026 05:01:12 +0000"
std::string mail_date(WallTime time);

}  // namespace hyperscale::plan
