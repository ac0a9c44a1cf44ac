// TestServer: the server's end of an HTTP/2 connection in memory, made of nghttp2. What it received is there to look
// at; what it answers is told by the test. Bytes in by receive(), bytes out by output().
#pragma once

#include "base/bytes.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <nghttp2/nghttp2.h>

namespace hyperscale::load {

using Fields = std::vector<std::pair<std::string, std::string>>;

struct Answer {
  std::string status = "200";
  Fields fields{};
  std::string body{};
  Fields trailers{};
};

class TestServer {
 public:
  struct Request {
    std::map<std::string, std::string> fields;
    std::string body;
    bool complete = false;
    std::uint32_t reset = UINT32_MAX;  // code of the client's RST_STREAM
  };

  explicit TestServer(std::vector<nghttp2_settings_entry> settings = {}, bool manual_window = false);
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  void receive(ByteView bytes);
  std::vector<std::uint8_t> output();

  void answer(std::int32_t id, const Answer& answer);
  void inform(std::int32_t id, const std::string& status);
  // The head of an answer whose body never comes.
  void answer_head_only(std::int32_t id);
  void settings(std::vector<nghttp2_settings_entry> entries);
  void reset(std::int32_t id, std::uint32_t code);
  void go_away(std::int32_t last_id, std::uint32_t code);
  void ping();

  nghttp2_session* raw() { return session_; }
  Request& request(std::int32_t id) { return requests_[id]; }
  std::size_t request_count() const { return requests_.size(); }

  std::function<void(std::int32_t)> on_request;  // when a request is complete
  int pongs = 0;
  int settings_acks = 0;
  std::uint32_t client_push = UINT32_MAX;
  std::uint32_t client_window = 0;
  std::uint32_t connection_window_raise = 0;
  int goaways = 0;
  std::size_t frames = 0;

 private:
  friend struct TestServerCallbacks;
  struct Reply {
    Answer answer;
    std::size_t sent = 0;
  };
  nghttp2_session* session_ = nullptr;
  std::map<std::int32_t, Request> requests_;
  std::map<std::int32_t, Reply> replies_;
};

}  // namespace hyperscale::load
