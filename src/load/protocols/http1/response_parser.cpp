#include "load/protocols/http1/response_parser.h"

#include "base/check.h"
#include "load/protocols/http1/chunk_line.h"
#include "load/protocols/http1/field_line.h"
#include "load/protocols/http1/known_heads.h"
#include "load/protocols/http1/line_scan.h"
#include "load/protocols/http1/status_line.h"

#include <algorithm>

namespace hyperscale::load {
namespace {

constexpr std::uint16_t kSwitchingProtocols = 101;
constexpr std::uint16_t kNoContent = 204;
constexpr std::uint16_t kNotModified = 304;
constexpr std::size_t kFirstStatusDigitAt = 9;
constexpr std::string_view kDate = "date";

}  // namespace

struct ResponseParser::Section {
  std::size_t bytes_max;
  const char* fault;  // when it is longer
};

constexpr ResponseParser::Section ResponseParser::kHead{kHeadBytesMax, "a head of more than 64 KiB"};
constexpr ResponseParser::Section ResponseParser::kChunk{kChunkLineBytesMax, "a chunk line of more than 4 KiB"};
constexpr ResponseParser::Section ResponseParser::kTrailer{kTrailerBytesMax, "trailers of more than 64 KiB"};

void ResponseParser::start(Expect expect, ResponseVisitor* visitor, Switching switching, KnownHeads* known) {
  visitor_ = visitor;
  known_ = known;
  expect_ = expect;
  switching_ = switching;
  head_complete_ = false;
  keep_alive_ = false;
  body_bytes_ = 0;
  minor_version_ = 0;
  error_ = {};
  begin_head();
}

void ResponseParser::begin_head() {
  stage_ = Stage::kStatusLine;
  framing_ = {};
  section_bytes_ = 0;
  collected_.clear();
  held_.clear();
  empty_line_skipped_ = false;
  final_ = false;
  status_ = 0;
  head_ = date_ = {};
}

// Looks up a head only at the start of a read: one that is cut, or follows a 1xx, is parsed.
bool ResponseParser::recognise_head(std::string_view& rest) {
  const KnownHeads::Found found = known_->find(rest);
  if (found.meaning == nullptr) return false;
  framing_ = found.meaning->framing;
  status_ = found.meaning->status;
  minor_version_ = found.meaning->minor_version;
  final_ = true;
  rest.remove_prefix(found.size_bytes);
  end_head();
  return true;
}

// `rest`: the input after the head.
void ResponseParser::remember_head(std::string_view rest) {
  if (head_.empty() || !final_ || status_ == kSwitchingProtocols) return;
  const std::string_view head = head_.substr(0, head_.size() - rest.size());
  const bool date_inside = date_.empty() || (date_.data() >= head.data() && date_.data() < head.data() + head.size());
  if (date_inside)
    known_->remember(head, date_, {.framing = framing_, .status = status_, .minor_version = minor_version_});
}

ResponseParser::Progress ResponseParser::consume(ByteView bytes) {
  CHECK(stage_ != Stage::kIdle && stage_ != Stage::kComplete, "start() comes before each response");
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (known_ != nullptr) {
    const bool head_begins = stage_ == Stage::kStatusLine && collected_.empty() && !empty_line_skipped_;
    head_ = head_begins && !recognise_head(rest) ? rest : std::string_view();
  }
  while (stage_ < Stage::kComplete && !rest.empty()) step(rest);
  if (stage_ == Stage::kFailed) {
    fault_at_ = bytes.size() - rest.size();
    return {State::kError, 0};
  }
  return {stage_ == Stage::kComplete ? State::kComplete : State::kMore, bytes.size() - rest.size()};
}

std::string ResponseParser::faulty_bytes(ByteView input, std::size_t bytes_max) const {
  std::string bytes = collected_.substr(0, bytes_max);
  const std::size_t before = collected_.empty() ? std::min(fault_at_, bytes_max / 2) : 0;
  const ByteView shown = input.subspan(std::min(fault_at_, input.size()) - before);
  bytes.append(reinterpret_cast<const char*>(shown.data()), std::min(shown.size(), bytes_max - bytes.size()));
  return bytes;
}

ResponseParser::State ResponseParser::finish() {
  CHECK(stage_ != Stage::kIdle, "start() comes before each response");
  if (stage_ == Stage::kBodyToClose) stage_ = Stage::kComplete;
  if (stage_ == Stage::kComplete) return State::kComplete;
  if (stage_ == Stage::kStatusLine && collected_.empty()) {
    fail("closed before the response");
  } else if (stage_ <= Stage::kFields) {
    fail("closed inside the head");
  } else if (stage_ != Stage::kFailed) {
    fail("closed inside the body");
  }
  return State::kError;
}

bool ResponseParser::begun() const {
  if (final_) return true;
  return stage_ == Stage::kStatusLine && collected_.size() > kFirstStatusDigitAt &&
         collected_[kFirstStatusDigitAt] != '1';
}

void ResponseParser::step(std::string_view& rest) {
  switch (stage_) {
    case Stage::kStatusLine:
      return read_status_line(rest);
    case Stage::kFields:
      return read_fields(rest);
    case Stage::kBodyOfLength:
      return read_counted(rest, Stage::kComplete);
    case Stage::kBodyToClose:
      return deliver(rest, rest.size());
    case Stage::kChunkLine:
      return read_chunk_line(rest);
    case Stage::kChunkData:
      return read_counted(rest, Stage::kChunkCr);
    case Stage::kChunkCr:
    case Stage::kChunkLf:
      return read_chunk_end(rest);
    case Stage::kTrailers:
      return read_trailers(rest);
    case Stage::kComplete:
    case Stage::kFailed:
    case Stage::kIdle:
      break;
  }
  UNREACHABLE("stage {}", static_cast<int>(stage_));
}

// Sets line_ to the next complete line. False when there is none: `rest` is then used up or the response has failed.
// Handles only the frequent case: a valid line that is complete in the input.
inline bool ResponseParser::take_line(std::string_view& rest, const Section& section) {
  const char* const begin = rest.data();
  const char* const end = begin + rest.size();
  const char* const stop = find_control(begin, end);
  const auto length = static_cast<std::size_t>(stop - begin);
  if (end - stop < 2 || stop[0] != '\r' || stop[1] != '\n' || !collected_.empty() ||
      length + 2 > section.bytes_max - section_bytes_) [[unlikely]] {
    return take_unusual_line(rest, section);
  }
  line_ = {begin, length};
  line_ends_in_crlf_ = true;
  section_bytes_ += length + 2;
  rest = {stop + 2, static_cast<std::size_t>(end - stop - 2)};
  return true;
}

void ResponseParser::read_status_line(std::string_view& rest) {
  if (collected_.size() < kStatusLinePrefixBytes) {
    const bool plausible = collected_.empty()
                               ? may_be_status_line(rest)
                               : may_be_status_line(collected_ + std::string(rest.substr(0, kStatusLinePrefixBytes)));
    if (!plausible) return fail(kNotHttp1);
  }
  if (!take_line(rest, kHead)) return;
  if (line_.empty()) {
    if (empty_line_skipped_) return fail("more than one empty line before the status line");
    empty_line_skipped_ = true;
    collected_.clear();
    return;
  }
  const StatusLine parsed = parse_status_line(line_);
  if (parsed.fault != nullptr) return fail(parsed.fault);
  status_ = parsed.status;
  minor_version_ = parsed.minor_version;
  if (status_ == kSwitchingProtocols && switching_ == Switching::kRefused)
    return fail("101 Switching Protocols without a request for it");
  final_ = status_ >= 200 || status_ == kSwitchingProtocols;
  stage_ = Stage::kFields;
}

void ResponseParser::read_fields(std::string_view& rest) {
  if (!take_fields(rest, kHead)) return;
  remember_head(rest);
  end_head();
}

// Fields in trailers do not change the framing (RFC 9110, section 6.5.1).
void ResponseParser::read_trailers(std::string_view& rest) {
  if (take_fields(rest, kTrailer)) stage_ = Stage::kComplete;
}

// True after the empty line that ends the fields. A field is reported when the next line has begun: until then it may
// be continued.
bool ResponseParser::take_fields(std::string_view& rest, const Section& section) {
  for (;;) {
    while (!held_.empty())
      if (!settle_held_line(rest, section)) return false;
    for (;;) {
      if (!take_line(rest, section)) return false;
      if (line_.empty()) return true;
      const FieldLine field = parse_field_line(line_);
      if (field.fault != nullptr) {
        fail(field.fault);
        return false;
      }
      if (rest.empty() || is_space(rest.front())) [[unlikely]] {
        held_.assign(line_);
        break;
      }
      report_field(field);
    }
  }
}

// Reports the held line when the next line begins a new field, or appends the next line to it (RFC 9112, section 5.2: a
// user agent reads the line break of an obs-fold as a space). False when there is no next line yet.
bool ResponseParser::settle_held_line(std::string_view& rest, const Section& section) {
  const bool inside_line = !collected_.empty() && collected_.back() != '\n';
  if (!inside_line && !rest.empty() && !is_space(rest.front())) {
    report_field(parse_field_line(held_));
    held_.clear();
    return true;
  }
  if (!take_line(rest, section)) return false;
  held_.resize(held_.find_last_not_of(" \t") + 1);
  held_ += ' ';
  held_ += without_surrounding_space(line_);
  return true;
}

inline void ResponseParser::report_field(const FieldLine& field) {
  if (stage_ == Stage::kFields) framing_.note(field.name, field.value);
  if (field.name.size() == kDate.size() && is_same_token(field.name, kDate)) date_ = field.value;
  if (visitor_ != nullptr && final_) visitor_->on_field(field.name, field.value);
}

void ResponseParser::end_head() {
  const bool tunnel = expect_ == Expect::kTunnel && status_ / 100 == 2;
  const bool ends_here = tunnel || is_bodiless();
  // RFC 9112, section 6.3, rules 1 and 2: such an answer ends here; its lengths, also wrong ones, are ignored.
  if (!ends_here && framing_.fault() != nullptr) return fail(framing_.fault());
  if (!final_) return begin_head();
  head_complete_ = true;
  const bool persistent =
      minor_version_ >= 1 ? !framing_.says_close() : framing_.says_keep_alive() && !framing_.says_close();
  const bool old_chunks = minor_version_ == 0 && framing_.transfer_encoded();
  stage_ = ends_here ? Stage::kComplete : stage_of_body();
  keep_alive_ = persistent && !old_chunks && !tunnel && status_ != kSwitchingProtocols && stage_ != Stage::kBodyToClose;
  remaining_ = framing_.length();
  section_bytes_ = 0;
}

bool ResponseParser::is_bodiless() const {
  return expect_ == Expect::kNoBody || status_ < 200 || status_ == kNoContent || status_ == kNotModified;
}

ResponseParser::Stage ResponseParser::stage_of_body() const {
  if (framing_.chunked()) return Stage::kChunkLine;
  if (framing_.transfer_encoded() || !framing_.has_length()) return Stage::kBodyToClose;
  return framing_.length() == 0 ? Stage::kComplete : Stage::kBodyOfLength;
}

void ResponseParser::read_counted(std::string_view& rest, Stage next) {
  const std::size_t count = rest.size() < remaining_ ? rest.size() : static_cast<std::size_t>(remaining_);
  remaining_ -= count;
  if (remaining_ == 0) stage_ = next;
  deliver(rest, count);
}

void ResponseParser::deliver(std::string_view& rest, std::size_t count) {
  body_bytes_ += count;
  const ByteView bytes = as_bytes(rest.substr(0, count));
  rest.remove_prefix(count);
  if (visitor_ != nullptr) visitor_->on_body(bytes);
}

void ResponseParser::read_chunk_line(std::string_view& rest) {
  if (!take_line(rest, kChunk)) return;
  section_bytes_ = 0;
  if (!line_ends_in_crlf_) return fail("a chunk line that does not end in CRLF");
  const ChunkLine chunk = parse_chunk_line(line_);
  if (chunk.fault != nullptr) return fail(chunk.fault);
  remaining_ = chunk.size_bytes;
  stage_ = remaining_ == 0 ? Stage::kTrailers : Stage::kChunkData;
}

void ResponseParser::read_chunk_end(std::string_view& rest) {
  const char expected = stage_ == Stage::kChunkCr ? '\r' : '\n';
  if (rest.front() != expected) {
    collected_.clear();
    return fail("a chunk that is not followed by CRLF");
  }
  rest.remove_prefix(1);
  stage_ = stage_ == Stage::kChunkCr ? Stage::kChunkLf : Stage::kChunkLine;
}

bool ResponseParser::take_unusual_line(std::string_view& rest, const Section& section) {
  if (!collected_.empty()) {
    if (collected_.back() != '\n') return take_split_line(rest, section);
    collected_.clear();  // its complete line was handled before
  }
  const ScannedLine scanned = scan_line(rest);
  if (scanned.kind == ScannedLine::Kind::kPartial) return take_split_line(rest, section);
  line_ = scanned.text;
  line_ends_in_crlf_ = scanned.ends_in_crlf;
  rest.remove_prefix(scanned.size_bytes);
  return accept_line(scanned.fault, scanned.size_bytes, section);
}

// Only the new bytes are searched, so a line that arrives byte by byte costs no more than one that arrives at once.
bool ResponseParser::take_split_line(std::string_view& rest, const Section& section) {
  const std::size_t line_feed = rest.find('\n');
  const bool whole = line_feed != std::string_view::npos;
  const std::size_t count = whole ? line_feed + 1 : rest.size();
  if (count > section.bytes_max - section_bytes_ - collected_.size()) {
    fail(section.fault);
    return false;
  }
  collected_.append(rest.substr(0, count));
  rest.remove_prefix(count);
  if (!whole) return false;
  const ScannedLine scanned = scan_line(collected_);
  line_ = scanned.text;
  line_ends_in_crlf_ = scanned.ends_in_crlf;
  return accept_line(scanned.fault, collected_.size(), section);
}

bool ResponseParser::accept_line(const char* fault, std::size_t size_bytes, const Section& section) {
  if (size_bytes > section.bytes_max - section_bytes_) fault = section.fault;
  section_bytes_ += size_bytes;
  if (fault == nullptr) return true;
  fail(fault);
  return false;
}

void ResponseParser::fail(const char* error) {
  stage_ = Stage::kFailed;
  error_ = error;
}

}  // namespace hyperscale::load
