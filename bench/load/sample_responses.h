// The responses that every parser of the comparison reads.
#pragma once

#include <string>
#include <string_view>

namespace hyperscale::load::bench {

// As nginx answers for a small static file: a head of 235 bytes.
inline constexpr std::string_view kSmall =
    "HTTP/1.1 200 OK\r\n"
    "Server: nginx/1.22.1\r\n"
    "Date: Mon, 16 Nov 2026 01:43:10 GMT\r\n"
    "Content-Type: text/html\r\n"
    "Content-Length: 13\r\n"
    "Last-Modified: Mon, 16 Nov 2026 01:00:00 GMT\r\n"
    "Connection: keep-alive\r\n"
    "ETag: \"69191d50-d\"\r\n"
    "Accept-Ranges: bytes\r\n"
    "\r\n"
    "Hello, world!";

inline constexpr std::string_view kChunked =
    "HTTP/1.1 200 OK\r\n"
    "Server: nginx/1.22.1\r\n"
    "Date: Mon, 16 Nov 2026 01:43:10 GMT\r\n"
    "Content-Type: application/json\r\n"
    "Transfer-Encoding: chunked\r\n"
    "Connection: keep-alive\r\n"
    "\r\n"
    "d\r\nHello, world!\r\n"
    "0\r\n\r\n";

}  // namespace hyperscale::load::bench
