#include "runtime/http/h1_parser.h"

#include "base/check.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>

namespace hyperscale::runtime {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

// The shortest end of a chunked body ("0\r\n\r\n"). Beast asserts that it sees at least this much once it has seen the
// last chunk's size, so shorter input is held back; a chunked body that is not complete always has this much to come.
constexpr std::size_t kChunkedEndBytes = 5;

}  // namespace

struct H1Parser::Impl final : http::basic_parser<true> {
  explicit Impl(std::uint64_t bytes_max) : head_bytes_max(bytes_max) {
    header_limit(static_cast<std::uint32_t>(bytes_max));
    body_limit(boost::none);  // the limit belongs to the route, which is known only after the head
    eager(false);
  }

  std::uint64_t head_bytes_max;
  std::uint64_t head_bytes = 0;
  RequestHead head;
  BodyBuffer* body = nullptr;
  bool host_seen = false;
  bool expects_continue = false;

  void on_request_impl(http::verb, beast::string_view method, beast::string_view target, int version,
                       beast::error_code&) override {
    head.method.assign(method.data(), method.size());
    head.target.assign(target.data(), target.size());
    http_11 = version == 11;
  }

  void on_field_impl(http::field name, beast::string_view name_text, beast::string_view value,
                     beast::error_code& error) override {
    if (head_complete) return;  // a trailer of a chunked body: nothing here uses one
    if (name == http::field::host) {
      if (host_seen) error = http::error::bad_field;
      host_seen = true;
    }
    // Beast treats a coding that does not end in chunked as "no body"; a proxy in front of us might not.
    if (name == http::field::transfer_encoding && (!http_11 || !beast::iequals(value, "chunked"))) {
      error = http::error::bad_transfer_encoding;
    }
    if (name == http::field::expect && beast::iequals(value, "100-continue")) expects_continue = http_11;
    head.add_header({name_text.data(), name_text.size()}, {value.data(), value.size()});
  }

  void on_header_impl(beast::error_code& error) override {
    head_complete = true;
    if (http_11 && !host_seen) error = http::error::bad_field;  // RFC 9112, 3.2
    if (const auto length = content_length()) head.content_length = *length;
  }

  std::size_t take(beast::string_view piece, beast::error_code& error) {
    CHECK(body != nullptr);
    if (!body->append({piece.data(), piece.size()})) {
      error = http::error::body_limit;
      return 0;
    }
    return piece.size();
  }

  void on_response_impl(int, beast::string_view, int, beast::error_code&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, beast::error_code&) override {}
  std::size_t on_body_impl(beast::string_view piece, beast::error_code& error) override { return take(piece, error); }
  void on_chunk_header_impl(std::uint64_t size, beast::string_view, beast::error_code& error) override {
    if (!body->has_room(size)) error = http::error::body_limit;
  }
  std::size_t on_chunk_body_impl(std::uint64_t, beast::string_view piece, beast::error_code& error) override {
    return take(piece, error);
  }
  void on_finish_impl(beast::error_code&) override {}

  Progress progress_of(const beast::error_code& error) const {
    if (!error) return is_done() ? Progress::kDone : Progress::kNeedMore;
    if (error == http::error::need_more) return Progress::kNeedMore;
    if (error == http::error::header_limit) return Progress::kHeadTooLarge;
    if (error == http::error::body_limit) return Progress::kBodyTooLarge;
    return Progress::kMalformed;
  }

  bool http_11 = true;
  bool head_complete = false;
};

H1Parser::H1Parser(std::uint64_t head_bytes_max) : impl_(std::make_unique<Impl>(head_bytes_max)) {}
H1Parser::~H1Parser() = default;

H1Parser::Fed H1Parser::feed(std::string_view input) {
  Impl& impl = *impl_;
  std::size_t used = 0;
  while (!impl.is_done()) {
    const bool in_head = !impl.is_header_done();
    if (!in_head && impl.body == nullptr) return {used, Progress::kHeadDone};
    if (!in_head && impl.chunked() && input.size() - used < kChunkedEndBytes) return {used, Progress::kNeedMore};
    beast::error_code error;
    const std::size_t taken = impl.put(boost::asio::buffer(input.data() + used, input.size() - used), error);
    used += taken;
    // Beast limits the bytes of one call only, so the sum is limited here.
    if (in_head) impl.head_bytes += taken;
    if (in_head && impl.head_bytes > impl.head_bytes_max) return {used, Progress::kHeadTooLarge};
    if (error) return {used, impl.progress_of(error)};
    if (in_head && impl.is_header_done()) return {used, impl.is_done() ? Progress::kDone : Progress::kHeadDone};
    if (used == input.size() && !impl.is_done()) return {used, Progress::kNeedMore};
  }
  return {used, Progress::kDone};
}

void H1Parser::take_body(BodyBuffer& body) {
  CHECK(impl_->is_header_done());
  impl_->body = &body;
}

RequestHead& H1Parser::head() {
  CHECK(impl_->is_header_done());
  return impl_->head;
}

bool H1Parser::done() const {
  return impl_->is_done();
}
bool H1Parser::keep_alive() const {
  return impl_->keep_alive();
}
bool H1Parser::takes_chunks() const {
  return impl_->http_11;
}
bool H1Parser::expects_continue() const {
  return impl_->expects_continue && !impl_->is_done();
}

}  // namespace hyperscale::runtime
