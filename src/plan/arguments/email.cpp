#include "plan/arguments/email.h"

#include "plan/arguments/mail_header.h"
#include "plan/arguments/mime_part.h"
#include "plan/arguments/utf8.h"
#include "plan/ascii.h"
#include "plan/limits.h"

#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

namespace hyperscale::plan {
namespace {

constexpr std::size_t kMessageIdBytesMax = 250;

Status check_message_id(std::string_view id) {
  const bool bracketed = id.size() > 2 && id.front() == '<' && id.back() == '>';
  const std::string_view inner = bracketed ? id.substr(1, id.size() - 2) : std::string_view();
  const bool good = std::ranges::all_of(inner, [](char c) { return is_visible(c) && c != '<' && c != '>'; }) &&
                    std::ranges::count(inner, '@') == 1 && !inner.starts_with('@') && !inner.ends_with('@');
  if (id.empty() || (good && bracketed && id.size() <= kMessageIdBytesMax)) return {};
  return invalid("the message id is not of the form <left@right>");
}

Status check_texts(const EmailValue& value) {
  if (Status subject = check_mail_text("the subject", value.subject); !subject) return subject;
  if (!is_utf8(value.text) || !is_utf8(value.html)) return invalid("the text of the mail is not UTF-8");
  return check_message_id(value.message_id);
}

Status add_recipients(const std::vector<MailAddress>& addresses, std::vector<std::string>& recipients) {
  for (const MailAddress& address : addresses) {
    if (Status checked = check_mail_address(address); !checked) return checked;
    if (std::ranges::find(recipients, address.address) == recipients.end()) recipients.push_back(address.address);
    if (recipients.size() > kRecipientsMax) return invalid(fmt::format("more than {} recipients", kRecipientsMax));
  }
  return {};
}

Result<std::vector<std::string>> recipients_of(const EmailValue& value) {
  std::vector<std::string> recipients;
  for (const auto* addresses : {&value.to, &value.cc, &value.bcc}) {
    if (Status added = add_recipients(*addresses, recipients); !added) return fail(added.error());
  }
  if (recipients.empty()) return invalid("the mail has no recipient");
  return recipients;
}

std::string headers_of(const EmailValue& value) {
  std::string headers = folded_header("Date", {mail_date(value.date)});
  headers += address_header("From", {value.from});
  if (!value.to.empty()) headers += address_header("To", value.to);
  if (!value.cc.empty()) headers += address_header("Cc", value.cc);
  if (!value.message_id.empty()) headers += folded_header("Message-ID", {value.message_id});
  if (!value.subject.empty()) headers += folded_header("Subject", mail_text_pieces(value.subject));
  return headers + "MIME-Version: 1.0\r\n";
}

MimePart readable_part(const EmailValue& value) {
  if (value.html.empty()) return text_part("plain", value.text);
  if (value.text.empty()) return text_part("html", value.html);
  // The last one that a reader understands is shown (RFC 2046 5.1.4).
  return multipart("alternative", {text_part("plain", value.text), text_part("html", value.html)});
}

Result<MimePart> content_of(const EmailValue& value) {
  if (value.attachments.empty()) return readable_part(value);
  if (value.attachments.size() > kAttachmentsMax)
    return invalid(fmt::format("more than {} attachments", kAttachmentsMax));
  std::vector<MimePart> parts{readable_part(value)};
  std::size_t bytes = parts.front().body.size();
  for (const FileValue& attachment : value.attachments) {
    const Result<PreparedFile> file = prepare_file(attachment);
    if (!file) return fail(file.error());
    if (Status name = check_mail_text("the name of an attachment", file->name); !name) return fail(name.error());
    parts.push_back(attachment_part(*file));
    bytes += parts.back().body.size();
    if (bytes > kBodyBytesMax) return invalid(fmt::format("a mail of more than {} bytes", kBodyBytesMax));
  }
  return multipart("mixed", parts);
}

}  // namespace

std::string mail_date(WallTime time) {
  constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(time.ns()));
  const auto days = std::chrono::floor<std::chrono::days>(seconds);
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  const std::chrono::weekday weekday{std::chrono::sys_days(days)};
  const std::chrono::hh_mm_ss clock(seconds - days);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} +0000", kDays[weekday.c_encoding()], unsigned(date.day()),
                     kMonths[unsigned(date.month()) - 1], int(date.year()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count());
}

Result<PreparedEmail> prepare_email(const EmailValue& value) {
  if (Status from = check_mail_address(value.from); !from) return fail(from.error());
  if (Status texts = check_texts(value); !texts) return fail(texts.error());
  Result<std::vector<std::string>> recipients = recipients_of(value);
  if (!recipients) return fail(recipients.error());
  const Result<MimePart> content = content_of(value);
  if (!content) return fail(content.error());
  PreparedEmail email{.sender = value.from.address,
                      .recipients = std::move(*recipients),
                      .message = fmt::format("{}{}\r\n{}", headers_of(value), content->headers, content->body)};
  if (email.message.size() > kBodyBytesMax) return invalid(fmt::format("a mail of more than {} bytes", kBodyBytesMax));
  return email;
}

}  // namespace hyperscale::plan
