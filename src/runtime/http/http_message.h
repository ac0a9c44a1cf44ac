// Request and response of a handler, the same for both HTTP versions.
//
// Thread rule: a Request is immutable once a handler sees it and may be read from any thread. A Response is a plain
// value. The server removes `authorization` from the headers before the handler runs; handlers never see credentials.
#pragma once

#include "base/bytes.h"
#include "base/error.h"
#include "base/time.h"
#include "runtime/http/body_feed.h"
#include "runtime/http/cancel_token.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::runtime {

struct Header {
  std::string name;  // lower case
  std::string value;
};

struct Request {
  std::string method;
  std::string target;  // as sent
  std::string path;    // the target without its query (and without scheme and authority); percent escapes are kept
  std::vector<Header> headers;
  SharedBytes body;  // after Content-Encoding was undone
  std::string peer_ip;
  bool peer_is_loopback = false;
  MonoTime received_at;  // when the head was complete
  MonoTime deadline;     // hard: the server answers 504 at this time, even if the handler still runs
  int http_major = 1;
  CancelToken cancel;  // set when the peer disconnected or the deadline has passed

  // The first header of that name (lower case).
  std::optional<std::string_view> header(std::string_view name) const;
  // The first query parameter of that name, with percent escapes and '+' decoded.
  std::optional<std::string> query(std::string_view key) const;
};

struct Response {
  int status = 200;
  std::vector<Header> headers;  // a header with a character that HTTP forbids is left out of the answer
  std::string content_type = "application/json";
  std::string body;
  std::shared_ptr<BodyFeed> feed = nullptr;  // instead of `body`; the request's permit is held until it ends
  bool close = false;                        // ends the connection after this answer
  std::string log_message;                   // for the node's log only; never sent to the peer

  static Response json(int status, std::string body);
  static Response text(int status, std::string body);
  // A problem document {"error", "message", "retry"} with the status of the code. Details of an internal error go to
  // log_message; the peer gets only the code.
  static Response error(const Error& error);
};

}  // namespace hyperscale::runtime
