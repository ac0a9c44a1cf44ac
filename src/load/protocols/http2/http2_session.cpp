#include "load/protocols/http2/http2_session.h"

#include "base/check.h"
#include "load/protocols/http2/http2_callbacks.h"
#include "load/protocols/prepared_request.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::load {
namespace {

using results::Outcome;

// What a buffer keeps when it has been sent; a session that idles after a large upload gives the rest back.
constexpr std::size_t kKeptBytesMax = 16 << 10;

// nghttp2 reads both texts in place: they stay as they are until the frame has been written.
nghttp2_nv field_of(const HeaderPair& pair) {
  const auto bytes = [](const std::string& text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(pair.name), bytes(pair.value), pair.name.size(), pair.value.size(),
          NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE};
}

void* tag_of(std::uint32_t index) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number in the place of a pointer
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(index) + 1);
}

class Inside {
 public:
  explicit Inside(bool& flag) : flag_(flag) { flag_ = true; }
  ~Inside() { flag_ = false; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  bool& flag_;
};

}  // namespace

Http2Session::Http2Session(Transport& transport, SessionEvents& events, FreeListMemory& memory,
                           const Http2Options& options)
    : transport_(transport),
      events_(events),
      memory_(memory),
      session_(Http2Callbacks::make_session(*this, memory, options)),
      streams_max_(options.streams_max) {}

Http2Session::~Http2Session() {
  nghttp2_session_del(session_);
}

std::uint32_t Http2Session::capacity() const {
  return std::min(streams_max_, nghttp2_session_get_remote_settings(session_, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS));
}

bool Http2Session::usable() const {
  return !ended_ && nghttp2_session_check_request_allowed(session_) != 0;
}

void Http2Session::send_request(std::uint32_t slot, const PreparedRequest& request) {
  CHECK(usable() && in_flight_ < capacity(), "{} of {} streams are in use", in_flight_, capacity());
  const std::size_t count = request.h2.size();
  auto* fields = static_cast<nghttp2_nv*>(memory_.allocate(count * sizeof(nghttp2_nv)));
  CHECK(fields != nullptr, "out of memory");
  for (std::size_t i = 0; i < count; ++i) fields[i] = field_of(request.h2[i]);
  const std::uint32_t index = take_exchange();
  nghttp2_data_provider body{};
  body.read_callback = Http2Callbacks::read_body;
  const std::int32_t id =
      nghttp2_submit_request(session_, nullptr, fields, count, request.body.empty() ? nullptr : &body, tag_of(index));
  memory_.release(fields);
  CHECK(id > 0, "nghttp2 says {}", nghttp2_strerror(id));
  exchanges_[index] = Exchange{.request = &request, .stream_id = id, .slot = slot};
  ++in_flight_;
}

void Http2Session::flush() {
  if (inside_nghttp2_ || ended_) return;
  write();
  settle();
}

// The stream ends with its RST_STREAM; until then its exchange only waits.
void Http2Session::abandon(std::uint32_t slot) {
  const auto found = std::find_if(exchanges_.begin(), exchanges_.end(), [slot](const Exchange& exchange) {
    return exchange.stream_id != 0 && !exchange.told && exchange.slot == slot;
  });
  if (found == exchanges_.end()) return;
  found->told = true;
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, found->stream_id, NGHTTP2_CANCEL);
  flush();
}

void Http2Session::on_bytes(ByteView bytes) {
  if (ended_) return;
  ssize_t read = 0;
  {
    const Inside inside(inside_nghttp2_);
    read = nghttp2_session_mem_recv(session_, bytes.data(), bytes.size());
  }
  if (read < 0) {
    const std::string text = last_error_.empty() ? nghttp2_strerror(static_cast<int>(read)) : last_error_;
    return end_session(Outcome::kProtocol, text);
  }
  write();
  settle();
}

void Http2Session::on_sent() {
  send_pending_ = false;
  if (ended_) return;
  const bool nothing_left = drained_ && collected_.empty() && sending_.capacity() <= kKeptBytesMax;
  if (nothing_left) return;
  write();
  settle();
}

void Http2Session::silence() {
  ended_ = true;
  over_told_ = true;
  for (Exchange& exchange : exchanges_) exchange.told = true;
}

void Http2Session::on_end() {
  end_session(Outcome::kClosed, "the server closed the connection before the answer was complete");
}

void Http2Session::on_broken(Outcome outcome, std::string_view detail) {
  end_session(outcome, detail);
}

Http2Session::Exchange* Http2Session::find(std::int32_t stream_id) {
  if (stream_id == found_stream_ && stream_id != 0) return &exchanges_[found_index_];
  const auto tag = reinterpret_cast<std::uintptr_t>(nghttp2_session_get_stream_user_data(session_, stream_id));
  if (tag == 0) return nullptr;
  found_stream_ = stream_id;
  found_index_ = static_cast<std::uint32_t>(tag - 1);
  return &exchanges_[found_index_];
}

std::uint32_t Http2Session::take_exchange() {
  if (free_exchanges_.empty()) {
    exchanges_.emplace_back();
    free_exchanges_.reserve(exchanges_.capacity());
    return static_cast<std::uint32_t>(exchanges_.size() - 1);
  }
  const std::uint32_t index = free_exchanges_.back();
  free_exchanges_.pop_back();
  return index;
}

// The record keeps its values until it is taken again.
void Http2Session::release(Exchange& exchange) {
  if (exchange.stream_id == found_stream_) found_stream_ = 0;
  exchange.stream_id = 0;
  free_exchanges_.push_back(static_cast<std::uint32_t>(&exchange - exchanges_.data()));
  --in_flight_;
}

void Http2Session::complete(Exchange& exchange) {
  exchange.told = true;
  events_.on_response_complete(exchange.slot, exchange.bytes_received);
}

void Http2Session::fail_closed_stream(Exchange& exchange, std::int32_t stream_id, std::uint32_t code) {
  exchange.told = true;
  const std::uint32_t slot = exchange.slot;
  const std::uint64_t bytes = exchange.bytes_received;
  std::array<char, 128> text;
  const auto say = [&]<typename... Args>(fmt::format_string<Args...> format, Args&&... args) {
    const auto written = fmt::format_to_n(text.data(), text.size(), format, std::forward<Args>(args)...);
    return std::string_view(text.data(), std::min(written.size, text.size()));
  };
  if (exchange.reset_by_peer) {
    const auto detail = say("the server reset the stream: {}", nghttp2_http2_strerror(code));
    return events_.on_response_failed(slot, Outcome::kReset, detail, bytes);
  }
  if (stream_id > goaway_last_id_) {
    if (goaway_code_ == NGHTTP2_NO_ERROR) return events_.on_unprocessed(slot);
    const auto detail = say("refused by GOAWAY: {}", nghttp2_http2_strerror(goaway_code_));
    return events_.on_response_failed(slot, Outcome::kClosed, detail, bytes);
  }
  const std::string detail = last_error_.empty() ? nghttp2_http2_strerror(code) : std::exchange(last_error_, {});
  events_.on_response_failed(slot, Outcome::kProtocol, detail, bytes);
}

void Http2Session::collect() {
  const Inside inside(inside_nghttp2_);
  while (collected_.size() < kHttp2CollectBytesMax) {
    const std::uint8_t* frame = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_, &frame);
    CHECK(size >= 0, "nghttp2 says {}", nghttp2_strerror(static_cast<int>(size)));
    drained_ = size == 0;
    if (drained_) return;
    collected_.insert(collected_.end(), frame, frame + size);
  }
}

void Http2Session::write() {
  collect();
  while (!send_pending_ && !collected_.empty()) {
    std::swap(sending_, collected_);
    collected_.clear();
    send_pending_ = !transport_.send(sending_, Sending::kTracked);
    if (!drained_) collect();
  }
  if (send_pending_ || sending_.capacity() <= kKeptBytesMax) return;
  sending_ = {};
  collected_ = {};
}

// What follows from the frames that were just read and written.
void Http2Session::settle() {
  if (ended_) return;
  const bool finished = nghttp2_session_want_read(session_) == 0 && nghttp2_session_want_write(session_) == 0;
  if (finished && in_flight_ > 0) {
    const std::string text = last_error_.empty() ? "the session ended with requests in flight" : last_error_;
    return end_session(Outcome::kProtocol, text);
  }
  if (in_flight_ == 0 && !usable()) announce_over();
}

void Http2Session::end_session(Outcome outcome, std::string_view detail) {
  if (std::exchange(ended_, true)) return;
  for (std::size_t i = 0; i < exchanges_.size(); ++i) {
    Exchange& exchange = exchanges_[i];
    if (exchange.stream_id == 0) continue;
    release(exchange);
    if (exchange.told) continue;
    exchange.told = true;
    events_.on_response_failed(exchange.slot, outcome, detail, exchange.bytes_received);
  }
  announce_over();
}

void Http2Session::announce_over() {
  ended_ = true;
  if (!std::exchange(over_told_, true)) events_.on_session_over();
}

}  // namespace hyperscale::load
