#include "plan/arguments/email.h"

#include "plan/arguments/auth.h"
#include "plan/arguments/mail_header.h"
#include "plan/arguments/mime_part.h"
#include "plan/arguments/utf8.h"
#include "plan/limits.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

EmailValue a_mail() {
  EmailValue mail;
  mail.from = {.name = "Ada", .address = "ada@example.org"};
  mail.to = {{.name = "", .address = "bob@example.org"}};
  mail.subject = "Hello";
  mail.text = "Hi\n";
  mail.date = WallTime::from_ns(1'794'805'272'000'000'000);
  mail.message_id = "<1.2@example.org>";
  return mail;
}

std::string message_of(EmailValue mail) {
  Email email(std::move(mail));
  const Status optimised = email.optimise();
  return optimised ? email.prepared().message : optimised.error().context;
}

TEST(Email, IsAMessageOfRfc5322) {
  EXPECT_EQ(message_of(a_mail()),
            "Date: Mon, 16 Nov 2026 05:01:12 +0000\r\n"
            "From: Ada <ada@example.org>\r\n"
            "To: bob@example.org\r\n"
            "Message-ID: <1.2@example.org>\r\n"
            "Subject: Hello\r\n"
            "MIME-Version: 1.0\r\n"
            "Content-Type: text/plain; charset=utf-8\r\n"
            "Content-Transfer-Encoding: base64\r\n"
            "\r\n" +
                base64("Hi\r\n") + "\r\n");
}

TEST(Email, EnvelopeHasEverybodyOnceAndHeadersNoBcc) {
  EmailValue mail = a_mail();
  mail.cc = {{.name = "C", .address = "c@example.org"}, {.name = "", .address = "bob@example.org"}};
  mail.bcc = {{.name = "Secret", .address = "hidden@example.org"}, {.name = "", .address = "c@example.org"}};
  const auto prepared = prepare_email(mail);
  ASSERT_TRUE(prepared);
  EXPECT_EQ(prepared->sender, "ada@example.org");
  EXPECT_THAT(prepared->recipients, ElementsAre("bob@example.org", "c@example.org", "hidden@example.org"));
  EXPECT_THAT(prepared->message, HasSubstr("Cc: C <c@example.org>, bob@example.org\r\n"));
  EXPECT_THAT(prepared->message, Not(HasSubstr("hidden")));
  EXPECT_THAT(prepared->message, Not(HasSubstr("Secret")));
  EXPECT_THAT(prepared->message, Not(HasSubstr("Bcc")));
}

TEST(Email, TextAndHtmlAreAlternatives) {
  EmailValue mail = a_mail();
  mail.html = "<p>Hi";
  const std::string message = message_of(mail);
  const std::size_t at = message.find("boundary=\"") + 10;
  const std::string boundary = message.substr(at, message.find('"', at) - at);
  EXPECT_THAT(message, HasSubstr("Content-Type: multipart/alternative;\r\n boundary=\""));
  EXPECT_THAT(
      message,
      EndsWith(
          "\r\n\r\n--" + boundary +
          "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nSGkNCg==\r\n\r\n--" +
          boundary + "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
          base64("<p>Hi") + "\r\n\r\n--" + boundary + "--\r\n"));
  EXPECT_EQ(message_of(mail), message) << "equal mails have equal bytes";
  mail.text.clear();
  EXPECT_THAT(message_of(mail), Not(HasSubstr("multipart")));
  EXPECT_THAT(message_of(mail), HasSubstr("text/html"));
}

TEST(Email, AttachmentsFollowTheText) {
  EmailValue mail = a_mail();
  mail.html = "<p>Hi";
  mail.attachments = {{.path = "dir/a b.json", .content = "{}"},
                      {.path = "\xc3\xa4.bin", .content = std::string(100, '\xff')}};
  const std::string message = message_of(mail);
  EXPECT_THAT(message, HasSubstr("Content-Type: multipart/mixed;"));
  EXPECT_THAT(message, HasSubstr("Content-Type: multipart/alternative;"));
  EXPECT_LT(message.find("multipart/alternative"), message.find("application/json"));
  EXPECT_THAT(message, HasSubstr("Content-Type: application/json\r\nContent-Transfer-Encoding: base64\r\n"
                                 "Content-Disposition: attachment;\r\n filename=\"a b.json\"\r\n\r\ne30=\r\n"));
  EXPECT_THAT(message, HasSubstr("filename*=UTF-8''%C3%A4.bin\r\n"));
  EXPECT_THAT(message, HasSubstr(std::string(76, '/') + "\r\n" + "////")) << "lines of 76 columns";
}

TEST(Email, ABoundaryIsInNoPart) {
  const auto boundary_of = [](const MimePart& part) { return part.body.substr(2, part.body.find('\r') - 2); };
  const MimePart leaf{.headers = "X: 1\r\n", .body = "b\r\n"};
  const MimePart inner = multipart("alternative", {leaf, leaf});
  const std::string outer = boundary_of(multipart("mixed", {inner, leaf}));
  EXPECT_NE(outer, boundary_of(inner));
  EXPECT_EQ((inner.headers + inner.body).find(outer), std::string::npos);
  EXPECT_EQ(outer, boundary_of(multipart("mixed", {inner, leaf}))) << "it follows from the parts";
  EXPECT_EQ(base64_lines("anything").find('_'), std::string::npos) << "so no body of base64 can hold one";
  EXPECT_NE(outer.find('_'), std::string::npos);
}

TEST(Email, BeyondAsciiIsEncoded) {
  EmailValue mail = a_mail();
  mail.subject =
      "Gr\xc3\xbc\xc3\x9f"
      "e";
  mail.from.name = "J\xc3\xb6rg";
  mail.to.front().name = "Smith, \"Joe\"";
  const std::string message = message_of(mail);
  EXPECT_THAT(message, HasSubstr("Subject: =?UTF-8?B?R3LDvMOfZQ==?=\r\n"));
  EXPECT_THAT(message, HasSubstr("From: =?UTF-8?B?SsO2cmc=?= <ada@example.org>\r\n"));
  EXPECT_THAT(message, HasSubstr("To: \"Smith, \\\"Joe\\\"\" <bob@example.org>\r\n"));
  mail.to.front().name = std::string(50, '"');
  EXPECT_THAT(message_of(mail), HasSubstr("To: =?UTF-8?B?")) << "too long in quotes";
  mail.subject = "=?UTF-8?Q?not_encoded?=";
  EXPECT_THAT(message_of(mail), HasSubstr("Subject: =?UTF-8?B?")) << "or it would be decoded";
}

TEST(Email, LongHeadersAreFolded) {
  EmailValue mail = a_mail();
  mail.subject = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
  EXPECT_THAT(message_of(mail), HasSubstr("Subject: one two three four five six seven eight nine ten eleven twelve\r\n"
                                          " thirteen fourteen fifteen sixteen\r\n"));
  mail.to.clear();
  for (int i = 0; i < 50; ++i) mail.to.push_back({.name = "", .address = "user" + std::to_string(i) + "@example.org"});
  EXPECT_THAT(message_of(mail), HasSubstr(",\r\n user"));
}

TEST(Email, NothingAddsAHeader) {
  const auto refused = [](auto change) {
    EmailValue mail = a_mail();
    change(mail);
    const auto prepared = prepare_email(mail);
    return prepared ? "accepted" : prepared.error().context;
  };
  EXPECT_THAT(refused([](EmailValue& m) { m.subject = "a\r\nBcc: x@y.z"; }), HasSubstr("the subject has a line break"));
  EXPECT_THAT(refused([](EmailValue& m) { m.subject = "a\nb"; }), HasSubstr("line break"));
  EXPECT_THAT(refused([](EmailValue& m) { m.from.name = "a\rb"; }),
              HasSubstr("name of a mail address has a line break"));
  EXPECT_THAT(refused([](EmailValue& m) { m.to.front().name = std::string("a\0", 2); }),
              HasSubstr("control character"));
  EXPECT_THAT(refused([](EmailValue& m) { m.bcc = {{.name = "", .address = "a@b\r\nX: y"}}; }), HasSubstr("\\r\\n"));
  EXPECT_THAT(refused([](EmailValue& m) { m.message_id = "<a@b>\r\nX: y"; }), HasSubstr("message id"));
  EXPECT_THAT(refused([](EmailValue& m) { m.attachments = {{.path = "a\r\nX: y", .content = ""}}; }),
              HasSubstr("name of an attachment has a line break"));
  EXPECT_THAT(refused([](EmailValue& m) { m.subject = "\xff"; }), HasSubstr("the subject is not UTF-8"));
  EXPECT_THAT(refused([](EmailValue& m) { m.html = "\xff"; }), HasSubstr("text of the mail is not UTF-8"));
  EXPECT_THAT(refused([](EmailValue& m) { m.to.clear(); }), HasSubstr("no recipient"));
  EXPECT_THAT(refused([](EmailValue& m) { m.attachments = {{.path = "a/", .content = ""}}; }),
              HasSubstr("not the name"));
  EXPECT_THAT(refused([](EmailValue& m) { m.subject.assign(kMailTextBytesMax + 1, 's'); }),
              HasSubstr("more than 16384"));
  EXPECT_THAT(refused([](EmailValue& m) { m.text.assign(kBodyBytesMax, 't'); }), HasSubstr("more than 67108864"));
  EXPECT_THAT(refused([](EmailValue& m) {
                for (std::size_t i = 0; i <= kRecipientsMax; ++i)
                  m.cc.push_back({.name = "", .address = std::to_string(i) + "@x.y"});
              }),
              HasSubstr("more than 1000 recipients"));
  EXPECT_EQ(refused([](EmailValue& m) {
              m.to.clear();
              m.bcc = {{.name = "", .address = "x@y.z"}};
              m.message_id.clear();
              m.text.clear();
            }),
            "accepted");
}

TEST(Email, Addresses) {
  const auto good = [](std::string address) {
    return check_mail_address({.name = "", .address = std::move(address)}).has_value();
  };
  for (const char* address : {"a@b", "first.last+tag@sub.example.org", "x_1@[192.0.2.1]", "x@[IPv6:2001:db8::1]"}) {
    EXPECT_TRUE(good(address)) << address;
  }
  for (const char* address : {"", "a", "@b", "a@", ".a@b", "a.@b", "a..b@c", "a b@c", "a@b c", "a@-b", "a@b..c", "a@b>",
                              "<a@b>", "a@b,c@d", "\xc3\xa4@b", "a@[]", "a@b@c"}) {
    EXPECT_FALSE(good(address)) << address;
  }
  EXPECT_FALSE(good(std::string(65, 'a') + "@b"));
  EXPECT_FALSE(good("a@" + std::string(254, 'b')));
}

TEST(Email, MessageIds) {
  for (const char* bad : {"a@b", "<a>", "<@b>", "<a@>", "<a@b@c>", "<a b@c>", "<<a@b>", "<>", "<a@b"}) {
    EmailValue mail = a_mail();
    mail.message_id = bad;
    EXPECT_THAT(message_of(mail), HasSubstr("message id")) << bad;
  }
}

TEST(Email, Dates) {
  EXPECT_EQ(mail_date(WallTime::from_ns(0)), "Thu, 01 Jan 1970 00:00:00 +0000");
  EXPECT_EQ(mail_date(WallTime::from_ns(951'827'696'999'999'999)), "Tue, 29 Feb 2000 12:34:56 +0000");
  EXPECT_EQ(mail_date(WallTime::from_ns(-1)), "Wed, 31 Dec 1969 23:59:59 +0000");
}

TEST(MimePart, LineEndsOfTextAreCanonical) {
  EXPECT_EQ(text_part("plain", "a\nb\r\nc\rd\r").body, base64("a\r\nb\r\nc\r\nd\r\n") + "\r\n");
  EXPECT_EQ(base64_lines(""), "");
  EXPECT_EQ(base64_lines(std::string(57, 'x')).size(), 78U);
  EXPECT_EQ(base64_lines(std::string(58, 'x')).size(), 78U + 6);
}

std::string random_text() {
  std::string text;
  for (int i = *rc::gen::inRange(0, 120); i > 0; --i) {
    text += *rc::gen::element<std::string>("a", "b", " ", "  ", "word", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
                                           "=?", "\"", ",", "<", "a-rather-long-word-without-any-blank-in-it");
  }
  return text;
}

std::string decoded(std::string_view words) {
  std::string text;
  int bits = 0;
  std::uint32_t group = 0;
  for (const char c : words) {
    const std::size_t digit =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/").find(c);
    if (digit == std::string_view::npos) continue;
    group = group << 6 | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    text += static_cast<char>(group >> bits & 0xff);
  }
  return text;
}

RC_GTEST_PROP(MailHeader, EveryTextSurvivesWithinTheColumns, ()) {
  const std::string text = random_text();
  const std::vector<std::string> pieces = mail_text_pieces(text);
  const std::string header = folded_header("Subject", pieces);
  std::string_view left = header;
  while (!left.empty()) {
    const std::size_t end = left.find("\r\n");
    RC_ASSERT(end != std::string_view::npos);
    RC_ASSERT(end <= kMailColumnsMax);
    left.remove_prefix(end + 2);
    RC_ASSERT((left.empty() || left.starts_with(' ')));
  }
  std::string read;
  for (const std::string& piece : pieces) {
    if (piece.starts_with("=?UTF-8?B?")) {
      const std::string part = decoded(std::string_view(piece).substr(10, piece.size() - 12));
      RC_ASSERT(is_utf8(part));
      read += part;
    } else {
      read += (read.empty() ? "" : " ") + piece;
    }
  }
  RC_ASSERT(read == text);
}

RC_GTEST_PROP(Email, EveryLineIsShortAndEndsWithCrlf, ()) {
  EmailValue mail = a_mail();
  mail.subject = random_text();
  mail.from.name = random_text();
  mail.text = random_text();
  mail.html = random_text();
  mail.attachments = {{.path = "x", .content = *rc::gen::arbitrary<std::string>()}};
  const auto prepared = prepare_email(mail);
  RC_ASSERT(prepared.has_value());
  std::string_view left = prepared->message;
  while (!left.empty()) {
    const std::size_t end = left.find("\r\n");
    RC_ASSERT(end != std::string_view::npos);
    RC_ASSERT(end <= kMailColumnsMax);
    RC_ASSERT(left.substr(0, end).find_first_of("\r\n") == std::string_view::npos);
    left.remove_prefix(end + 2);
  }
}

}  // namespace
}  // namespace hyperscale::plan
