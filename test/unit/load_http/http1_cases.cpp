#include "http1_cases.h"

#include "load/protocols/http1/response_parser.h"

namespace hyperscale::load {
namespace {

using std::string_literals::operator""s;
using Cases = std::vector<Http1Case>;

const std::string kOk = "HTTP/1.1 200 OK\r\n";
const std::string kHello = "Content-Length: 5\r\n\r\nhello";
const std::string kChunked = kOk + "Transfer-Encoding: chunked\r\n\r\n";
const std::string kLast = "0\r\n\r\n";

// Read to its end; the connection is used again.
Http1Case good(std::string name, std::string answer, std::string body = "hello", std::uint16_t status = 200,
               Ask ask = Ask::kGet) {
  return {.name = std::move(name), .answer = std::move(answer), .status = status, .body = std::move(body), .ask = ask};
}

// Read to its end; the connection is not used again.
Http1Case last(std::string name, std::string answer, std::string body = "hello", Ends ends = Ends::kStaysOpen,
               std::uint16_t status = 200, Ask ask = Ask::kGet) {
  return {.name = std::move(name),
          .answer = std::move(answer),
          .next = Next::kNewConnection,
          .status = status,
          .body = std::move(body),
          .ends = ends,
          .ask = ask};
}

// Read to its end; there is more than one answer.
Http1Case stray(std::string name, std::string answer, std::string body = "hello", std::uint16_t status = 200,
                Ask ask = Ask::kGet) {
  Http1Case made = last(std::move(name), std::move(answer), std::move(body), Ends::kStaysOpen, status, ask);
  made.extra = Extra::kStray;
  return made;
}

Http1Case failed(std::string name, std::string answer, Fate fate, Ends ends = Ends::kStaysOpen) {
  return {
      .name = std::move(name), .answer = std::move(answer), .fate = fate, .next = Next::kNewConnection, .ends = ends};
}

Http1Case wrong(std::string name, std::string answer) {
  return failed(std::move(name), std::move(answer), Fate::kProtocol);
}

std::string length(const std::string& value) {
  return kOk + "Content-Length: " + value + "\r\n\r\nhello";
}

std::string coding(const std::string& value) {
  return kOk + "Transfer-Encoding: " + value + "\r\n\r\n5\r\nhello\r\n" + kLast;
}

// Section 6.2 and rules 5, 6 and 8 of section 6.3.
Cases lengths() {
  return {
      good("Length", kOk + kHello),
      good("LengthZero", length("0").substr(0, length("0").size() - 5), ""),
      good("LengthNameInAnyCase", kOk + "cOnTeNt-LeNgTh:5\r\n\r\nhello"),
      good("LengthWithBlanksAround", length(" \t5\t ")),
      good("LengthWithLeadingZeros", length("0005")),
      good("LengthTwiceTheSame", kOk + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
      good("LengthAsListOfTheSame", length("5, 5")),
      wrong("LengthsThatDiffer", kOk + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
      wrong("LengthAsListThatDiffers", length("5, 6")),
      wrong("LengthNegative", length("-5")),
      wrong("LengthWithPlus", length("+5")),
      wrong("LengthHexadecimal", length("0x5")),
      wrong("LengthEmpty", length("")),
      wrong("LengthWithBlankInside", length("5 5")),
      wrong("LengthAbove64Bits", length("18446744073709551616")),
      failed("BodyTooShortAndOpen", length("6"), Fate::kWaits),
      failed("BodyTooShortThenClose", length("6"), Fate::kClosed, Ends::kCloses),
      failed("BodyTooShortThenReset", length("6"), Fate::kReset, Ends::kResets),
      last("NoLengthUntilClose", kOk + "\r\nhello", "hello", Ends::kCloses),
      last("NoLengthNothingUntilClose", kOk + "\r\n", "", Ends::kCloses),
      failed("NoLengthThenReset", kOk + "\r\nhello", Fate::kReset, Ends::kResets),
      failed("NoLengthAndOpen", kOk + "\r\nhello", Fate::kWaits),
  };
}

// Section 7.1.
Cases chunks() {
  const std::string hello = "5\r\nhello\r\n";
  return {
      good("ChunkOne", kChunked + hello + kLast),
      good("ChunksSeveral", kChunked + "1\r\nh\r\n2\r\nel\r\n002\r\nlo\r\n" + kLast),
      good("ChunkSizeInBothCases", kChunked + "A\r\n0123456789\r\na\r\n0123456789\r\n" + kLast, "01234567890123456789"),
      good("ChunkExtension", kChunked + "5;a=b ; c\r\nhello\r\n0;d\r\n\r\n"),
      good("ChunkExtensionQuoted", kChunked + "5;a=\";\xe9 \"\r\nhello\r\n" + kLast),
      good("ChunkHoldsCrlf", kChunked + "4\r\n\r\n\r\n\r\n" + kLast, "\r\n\r\n"),
      good("ChunkOnlyTheLast", kChunked + kLast, ""),
      good("Trailer", kChunked + hello + "0\r\nA: b\r\n\r\n"),
      good("TrailerWithLengthAndClose", kChunked + hello + "0\r\nContent-Length: 9\r\nConnection: close\r\n\r\n"),
      wrong("TrailerWithoutColon", kChunked + hello + "0\r\nnothing\r\n\r\n"),
      wrong("ChunkSizeNotHexadecimal", kChunked + "g\r\nhello\r\n" + kLast),
      wrong("ChunkSizeEmpty", kChunked + "\r\nhello\r\n" + kLast),
      wrong("ChunkSizeNegative", kChunked + "-5\r\nhello\r\n" + kLast),
      wrong("ChunkSizeWith0x", kChunked + "0x5\r\nhello\r\n" + kLast),
      wrong("ChunkSizeAbove64Bits", kChunked + "10000000000000005\r\nhello\r\n" + kLast),
      wrong("ChunkLongerThanItsSize", kChunked + "4\r\nhello\r\n" + kLast),
      wrong("ChunkShorterThanItsSize", kChunked + "6\r\nhello\r\n" + kLast),
      wrong("ChunkLineEndsInLf", kChunked + "5\nhello\r\n" + kLast),
      wrong("ChunkEndsInLf", kChunked + "5\r\nhello\n" + kLast),
      wrong("ChunkLineWithBareCr", kChunked + "5;a\rb\r\nhello\r\n" + kLast),
      failed("ChunksWithoutLastThenClose", kChunked + hello, Fate::kClosed, Ends::kCloses),
      failed("ChunksCutInsideThenClose", kChunked + "5\r\nhel", Fate::kClosed, Ends::kCloses),
      failed("TrailersCutThenClose", kChunked + hello + "0\r\nA: b\r\n", Fate::kClosed, Ends::kCloses),
      failed("ChunksWithoutLastAndOpen", kChunked + hello, Fate::kWaits),
  };
}

// Section 6.1 and rules 3 and 4 of section 6.3.
Cases codings() {
  const std::string raw = "5\r\nhello\r\n" + kLast;
  return {
      good("CodingInAnyCase", coding("ChUnKeD")),
      good("CodingGzipThenChunked", coding("gzip, chunked")),
      good("CodingsInTwoFields", kOk + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n" + raw),
      wrong("CodingAndLength", kOk + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + raw),
      wrong("LengthAndCoding", kOk + "Content-Length: 5\r\nTransfer-Encoding: gzip, chunked\r\n\r\n" + raw),
      wrong("CodingChunkedTwice", coding("chunked, chunked")),
      wrong("CodingEmpty", coding("")),
      wrong("CodingWithParameters", coding("chunked;a=b")),
      last("CodingNotChunkedLast", coding("chunked, gzip"), raw, Ends::kCloses),
      last("CodingUnknown", coding("xchunked"), raw, Ends::kCloses),
      last("CodingIdentity", coding("identity"), raw, Ends::kCloses),
      last("CodingInHttp10", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n" + raw,
           "hello"),
  };
}

// Rule 1 of section 6.3.
Cases without_body() {
  const std::string both = "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n";
  return {
      good("HeadWithLength", kOk + "Content-Length: 5\r\n\r\n", "", 200, Ask::kHead),
      good("HeadChunked", kChunked, "", 200, Ask::kHead),
      good("HeadWithoutLength", kOk + "\r\n", "", 200, Ask::kHead),
      good("HeadWithCodingAndLength", kOk + both, "", 200, Ask::kHead),
      stray("HeadWithBody", kOk + kHello, "", 200, Ask::kHead),
      good("NoContent", "HTTP/1.1 204 No Content\r\n\r\n", "", 204),
      good("NoContentWithLength", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", "", 204),
      stray("NoContentWithBody", "HTTP/1.1 204 No Content\r\n" + kHello, "", 204),
      good("NotModifiedWithLength", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "", 304),
      good("NotModifiedWithTwoLengths", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
           "", 304),
      good("ResetContent", "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n", "", 205),
  };
}

// RFC 9110, section 15.2.
Cases interim() {
  const std::string going_on = "HTTP/1.1 100 Continue\r\n\r\n";
  return {
      good("ContinueThenAnswer", going_on + kOk + kHello),
      good("InterimSeveral", going_on + "HTTP/1.1 102 x\r\n\r\nHTTP/1.1 103 x\r\nLink: </a>\r\n\r\n" + kOk + kHello),
      good("InterimWithLength", "HTTP/1.1 103 x\r\nContent-Length: 9\r\n\r\n" + kOk + kHello),
      good("InterimWithWrongLength", "HTTP/1.1 103 x\r\nContent-Length: x\r\n\r\n" + kOk + kHello),
      good("InterimWithClose", "HTTP/1.1 103 x\r\nConnection: close\r\n\r\n" + kOk + kHello),
      failed("InterimThenClose", going_on, Fate::kClosed, Ends::kCloses),
      failed("InterimThenReset", going_on, Fate::kReset, Ends::kResets),
      failed("InterimAndOpen", going_on, Fate::kWaits),
      stray("InterimAfterAnswer", kOk + kHello + going_on),
      wrong("SwitchingNotAskedFor", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
      wrong("SwitchingNotAskedForAfterContinue", going_on + "HTTP/1.1 101 Switching Protocols\r\n\r\n"),
      last("SwitchingAskedFor", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "", Ends::kStaysOpen, 101,
           Ask::kUpgrade),
      good("SwitchingAskedForAndRefused", kOk + kHello, "hello", 200, Ask::kUpgrade),
  };
}

// Section 5.2.
Cases folds() {
  return {
      good("FoldWithSpace", kOk + "A: b\r\n c\r\n" + kHello),
      good("FoldWithTab", kOk + "A: b\r\n\tc\r\n" + kHello),
      good("FoldOverSeveralLines", kOk + "A: b\r\n c\r\n  d\r\n\te\r\n" + kHello),
      good("FoldOfBlanksOnly", kOk + "A: b\r\n  \r\n" + kHello),
      good("FoldOfLastField", kOk + "Content-Length: 5\r\nA: b\r\n c\r\n\r\nhello"),
      good("FoldedLength", kOk + "Content-Length:\r\n 5\r\n\r\nhello"),
      good("FoldedCoding", kOk + "Transfer-Encoding:\r\n\tchunked\r\n\r\n5\r\nhello\r\n" + kLast),
      last("FoldedClose", kOk + "Connection: a,\r\n close\r\n" + kHello),
      good("FoldWithBareLf", kOk + "A: b\n c\n" + kHello),
      good("FoldInTrailer", kChunked + "5\r\nhello\r\n0\r\nA: b\r\n c\r\n\r\n"),
      good("FoldInInterim", "HTTP/1.1 103 x\r\nA: b\r\n c\r\n\r\n" + kOk + kHello),
      wrong("FoldBeforeFirstField", kOk + " A: b\r\n" + kHello),
      wrong("FoldedLengthsThatDiffer", kOk + "Content-Length: 5,\r\n 6\r\n\r\nhello"),
      failed("FoldCutThenClose", kOk + "A: b\r\n c", Fate::kClosed, Ends::kCloses),
  };
}

// Section 2.2 and RFC 9110, section 5.5.
Cases line_ends() {
  return {
      good("BareLfEverywhere", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"),
      good("BareLfInPlaces", "HTTP/1.1 200 OK\nA: b\r\nContent-Length: 5\n\r\nhello"),
      good("BareLfInTrailer", kChunked + "5\r\nhello\r\n0\r\nA: b\n\n"),
      wrong("BareCrInValue", kOk + "A: b\rc\r\n" + kHello),
      wrong("BareCrInStatusLine", "HTTP/1.1 200 O\rK\r\n" + kHello),
      wrong("BareCrBeforeCrlf", kOk + "A: b\r\r\n" + kHello),
      wrong("NulInValue", kOk + "A: b\0c\r\n"s + kHello),
      wrong("ControlInReason", "HTTP/1.1 200 O\x01K\r\n" + kHello),
      good("EmptyLineBefore", "\r\n" + kOk + kHello),
      wrong("EmptyLinesBefore", "\r\n\r\n" + kOk + kHello),
  };
}

// Sections 4 and 5.1.
Cases lines() {
  return {
      good("ReasonEmpty", "HTTP/1.1 200 \r\n" + kHello),
      good("ReasonAndSpaceMissing", "HTTP/1.1 200\r\n" + kHello),
      good("ReasonOfObsText", "HTTP/1.1 200 \xe9\xff\r\n" + kHello),
      good("StatusUnknown", "HTTP/1.1 299 x\r\n" + kHello, "hello", 299),
      good("StatusAbove599", "HTTP/1.1 600 x\r\n" + kHello, "hello", 600),
      wrong("StatusOfTwoDigits", "HTTP/1.1 20 OK\r\n" + kHello),
      wrong("StatusOfFourDigits", "HTTP/1.1 2000 OK\r\n" + kHello),
      wrong("StatusMissing", "HTTP/1.1 OK\r\n" + kHello),
      good("MinorVersionLater", "HTTP/1.2 200 OK\r\n" + kHello),
      wrong("VersionTwo", "HTTP/2.0 200 OK\r\n" + kHello),
      wrong("VersionInLowerCase", "http/1.1 200 OK\r\n" + kHello),
      wrong("VersionMissing", "200 OK\r\n" + kHello),
      wrong("AnotherProtocol", "SSH-2.0-OpenSSH_9.2\r\n"),
      wrong("TlsAlert", "\x15\x03\x03\x00\x02\x02\x28"s),
      good("FieldsEmptyAndObsText", kOk + "A:\r\nB: \x80\xff\r\n" + kHello),
      wrong("FieldWithBlankBeforeColon", kOk + "Content-Length : 5\r\n\r\nhello"),
      wrong("FieldWithoutColon", kOk + "nothing\r\n" + kHello),
      wrong("FieldWithoutName", kOk + ": x\r\n" + kHello),
      wrong("FieldNameWithBlank", kOk + "A B: x\r\n" + kHello),
      wrong("HeadAboveLimit", kOk + "A: " + std::string(kHeadBytesMax, 'x') + "\r\n" + kHello),
  };
}

// Sections 9.3 to 9.6, and what comes behind an answer.
Cases persistence() {
  const auto with = [](const std::string& field) { return kOk + field + "\r\n" + kHello; };
  return {
      last("CloseSaid", with("Connection: close")),
      last("CloseInAnyCaseOfAList", with("Connection: x , CLOSE")),
      last("CloseInSecondField", with("Connection: x\r\nConnection: close")),
      last("CloseAndKeepAlive", with("Connection: keep-alive, close")),
      good("KeepAliveSaid", with("Connection: keep-alive")),
      good("ProxyConnectionMeansNothing", with("Proxy-Connection: close")),
      last("Http10", "HTTP/1.0 200 OK\r\n" + kHello),
      good("Http10KeepAlive", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + kHello),
      last("AnswerThenClose", kOk + kHello, "hello", Ends::kCloses),
      last("AnswerThenReset", kOk + kHello, "hello", Ends::kResets),
      last("CloseSaidThenClose", with("Connection: close"), "hello", Ends::kCloses),
      stray("StrayCrlf", kOk + kHello + "\r\n"),
      stray("StrayGarbage", kOk + kHello + "GARBAGE"),
      stray("StraySecondAnswer", kOk + kHello + kOk + kHello),
      stray("StrayNul", kOk + kHello + "\0"s),
      stray("StrayAfterChunks", kChunked + "5\r\nhello\r\n" + kLast + "\r\n"),
      stray("StrayAfterCloseSaid", with("Connection: close") + "GARBAGE"),
      failed("NothingThenClose", "", Fate::kClosed, Ends::kCloses),
      failed("NothingThenReset", "", Fate::kReset, Ends::kResets),
      failed("NothingAndOpen", "", Fate::kWaits),
      failed("StatusLineCutThenClose", "HTTP/1.1 20", Fate::kClosed, Ends::kCloses),
      failed("HeadCutThenClose", kOk + "A: b\r\n", Fate::kClosed, Ends::kCloses),
      failed("HeadCutThenReset", kOk + "A: b\r\n", Fate::kReset, Ends::kResets),
  };
}

}  // namespace

std::vector<Http1Case> all_http1_cases() {
  Cases all;
  for (const Cases& part :
       {lengths(), chunks(), codings(), without_body(), interim(), folds(), line_ends(), lines(), persistence()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace hyperscale::load
