#include "node/fleet/api_call.h"

#include <chrono>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

namespace hyperscale::node {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;

http::request<http::string_body> request_of(const ApiCall& call) {
  http::request<http::string_body> request;
  request.method_string({call.method.data(), call.method.size()});
  request.target({call.path.data(), call.path.size()});
  request.set(http::field::host, "127.0.0.1");
  request.set(http::field::connection, "close");
  if (!call.token.empty()) request.set(http::field::authorization, fmt::format("Bearer {}", call.token));
  if (!call.body.empty()) request.set(http::field::content_type, "application/json");
  request.body() = call.body;
  request.prepare_payload();
  return request;
}

}  // namespace

Result<std::string> call_api(std::uint16_t port, const ApiCall& call, Duration timeout) {
  asio::io_context io;
  beast::tcp_stream stream(io);
  stream.expires_after(timeout);
  const auto request = request_of(call);
  beast::flat_buffer buffer;
  http::response_parser<http::string_body> answer;
  answer.body_limit(kApiAnswerBytesMax);
  beast::error_code failure;
  // Asynchronous, because only those operations obey the time limit.
  stream.async_connect({asio::ip::address_v4::loopback(), port}, [&](beast::error_code connected) {
    if ((failure = connected)) return;
    http::async_write(stream, request, [&](beast::error_code written, std::size_t) {
      if ((failure = written)) return;
      http::async_read(stream, buffer, answer, [&](beast::error_code read, std::size_t) { failure = read; });
    });
  });
  io.run();
  if (failure) return fail(ErrorCode::kUnavailable, fmt::format("no answer on port {}: {}", port, failure.message()));
  if (answer.get().result_int() >= 300) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("{} {}: {} {}", call.method, call.path, answer.get().result_int(), answer.get().body()));
  }
  return std::move(answer.get().body());
}

}  // namespace hyperscale::node
