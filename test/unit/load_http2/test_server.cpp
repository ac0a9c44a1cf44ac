#include "test_server.h"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

namespace hyperscale::load {
namespace {

std::uint8_t* writable(const std::string& text) {
  return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
}

std::vector<nghttp2_nv> nv_of(const Fields& fields) {
  std::vector<nghttp2_nv> out;
  for (const auto& [name, value] : fields)
    out.push_back({writable(name), writable(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
  return out;
}

}  // namespace

struct TestServerCallbacks {
  static TestServer& of(void* user) { return *static_cast<TestServer*>(user); }

  static int header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
                    const std::uint8_t* value, std::size_t value_size, std::uint8_t, void* user) {
    of(user).requests_[frame->hd.stream_id].fields[std::string(name, name + name_size)] =
        std::string(value, value + value_size);
    return 0;
  }

  static int chunk(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data, std::size_t size,
                   void* user) {
    of(user).requests_[id].body.append(data, data + size);
    return 0;
  }

  static int received(nghttp2_session*, const nghttp2_frame* frame, void* user) {
    TestServer& server = of(user);
    ++server.frames;
    const auto& head = frame->hd;
    const bool ack = (head.flags & NGHTTP2_FLAG_ACK) != 0;
    if (head.type == NGHTTP2_PING && ack) ++server.pongs;
    if (head.type == NGHTTP2_GOAWAY) ++server.goaways;
    if (head.type == NGHTTP2_RST_STREAM) server.requests_[head.stream_id].reset = frame->rst_stream.error_code;
    if (head.type == NGHTTP2_WINDOW_UPDATE && head.stream_id == 0)
      server.connection_window_raise += static_cast<std::uint32_t>(frame->window_update.window_size_increment);
    if (head.type == NGHTTP2_SETTINGS && ack) ++server.settings_acks;
    if (head.type == NGHTTP2_SETTINGS && !ack) {
      for (std::size_t i = 0; i < frame->settings.niv; ++i) {
        const auto& entry = frame->settings.iv[i];
        if (entry.settings_id == NGHTTP2_SETTINGS_ENABLE_PUSH) server.client_push = entry.value;
        if (entry.settings_id == NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE) server.client_window = entry.value;
      }
    }
    if ((head.type == NGHTTP2_HEADERS || head.type == NGHTTP2_DATA) && (head.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
      server.requests_[head.stream_id].complete = true;
      if (server.on_request) server.on_request(head.stream_id);
    }
    return 0;
  }

  static ssize_t read(nghttp2_session* session, std::int32_t id, std::uint8_t* out, std::size_t size,
                      std::uint32_t* flags, nghttp2_data_source*, void* user) {
    TestServer::Reply& reply = of(user).replies_[id];
    const std::string& body = reply.answer.body;
    const std::size_t count = std::min(size, body.size() - reply.sent);
    std::memcpy(out, body.data() + reply.sent, count);
    reply.sent += count;
    if (reply.sent < body.size()) return static_cast<ssize_t>(count);
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (!reply.answer.trailers.empty()) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      const auto trailers = nv_of(reply.answer.trailers);
      nghttp2_submit_trailer(session, id, trailers.data(), trailers.size());
    }
    return static_cast<ssize_t>(count);
  }

  static ssize_t read_never(nghttp2_session*, std::int32_t, std::uint8_t*, std::size_t, std::uint32_t*,
                            nghttp2_data_source*, void*) {
    return NGHTTP2_ERR_DEFERRED;
  }
};

TestServer::TestServer(std::vector<nghttp2_settings_entry> entries, bool manual_window) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* option = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_option_new(&option);
  nghttp2_option_set_no_auto_window_update(option, manual_window ? 1 : 0);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, TestServerCallbacks::header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, TestServerCallbacks::chunk);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, TestServerCallbacks::received);
  nghttp2_session_server_new2(&session_, callbacks, this, option);
  nghttp2_session_callbacks_del(callbacks);
  nghttp2_option_del(option);
  settings(std::move(entries));
}

TestServer::~TestServer() {
  nghttp2_session_del(session_);
}

void TestServer::receive(ByteView bytes) {
  const ssize_t read = nghttp2_session_mem_recv(session_, bytes.data(), bytes.size());
  ASSERT_EQ(read, static_cast<ssize_t>(bytes.size())) << nghttp2_strerror(static_cast<int>(read));
}

std::vector<std::uint8_t> TestServer::output() {
  std::vector<std::uint8_t> out;
  for (;;) {
    const std::uint8_t* data = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_, &data);
    if (size <= 0) return out;
    out.insert(out.end(), data, data + size);
  }
}

void TestServer::answer(std::int32_t id, const Answer& answer) {
  replies_[id] = Reply{answer, 0};
  Fields head{{":status", answer.status}};
  head.insert(head.end(), answer.fields.begin(), answer.fields.end());
  const auto fields = nv_of(head);
  nghttp2_data_provider body{};
  body.read_callback = TestServerCallbacks::read;
  const bool has_body = !answer.body.empty() || !answer.trailers.empty();
  ASSERT_EQ(nghttp2_submit_response(session_, id, fields.data(), fields.size(), has_body ? &body : nullptr), 0);
}

void TestServer::inform(std::int32_t id, const std::string& status) {
  const Fields head{{":status", status}, {"link", "</style.css>"}};
  const auto fields = nv_of(head);
  ASSERT_EQ(nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, id, nullptr, fields.data(), fields.size(), nullptr), 0);
}

void TestServer::answer_head_only(std::int32_t id) {
  const Fields head{{":status", "200"}};
  const auto fields = nv_of(head);
  nghttp2_data_provider body{};
  body.read_callback = TestServerCallbacks::read_never;
  ASSERT_EQ(nghttp2_submit_response(session_, id, fields.data(), fields.size(), &body), 0);
}

void TestServer::settings(std::vector<nghttp2_settings_entry> entries) {
  ASSERT_EQ(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, entries.data(), entries.size()), 0);
}

void TestServer::reset(std::int32_t id, std::uint32_t code) {
  ASSERT_EQ(nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, code), 0);
}

void TestServer::go_away(std::int32_t last_id, std::uint32_t code) {
  ASSERT_EQ(nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, last_id, code, nullptr, 0), 0);
}

void TestServer::ping() {
  ASSERT_EQ(nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr), 0);
}

}  // namespace hyperscale::load
