#include "h2_client.h"

#include <algorithm>

#include <string.h>

namespace hyperscale::runtime {
namespace {

H2Client& self(void* user) {
  return *static_cast<H2Client*>(user);
}

nghttp2_nv nv(const std::string& name, const std::string& value) {
  return {reinterpret_cast<std::uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<std::uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(), 0};
}

}  // namespace

H2Client::H2Client(std::uint16_t port) : socket(port) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_client_new(&session_, callbacks, this);
  nghttp2_session_callbacks_del(callbacks);
}

H2Client::~H2Client() {
  nghttp2_session_del(session_);
}

void H2Client::begin(std::uint32_t window) {
  const nghttp2_settings_entry entry{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window};
  nghttp2_submit_settings(session_, 0, &entry, 1);
  flush();
}

std::int32_t H2Client::request(std::string_view method, std::string_view path, std::string body, const Fields& more,
                               bool end_of_body) {
  Fields fields{
      {":method", std::string(method)}, {":scheme", "http"}, {":authority", "t"}, {":path", std::string(path)}};
  fields.insert(fields.end(), more.begin(), more.end());
  std::vector<nghttp2_nv> list;
  for (const auto& [name, value] : fields) list.push_back(nv(name, value));
  nghttp2_data_provider provider{};
  provider.read_callback = read_body;
  const bool has_body = !body.empty() || !end_of_body;
  const std::int32_t id =
      nghttp2_submit_request(session_, nullptr, list.data(), list.size(), has_body ? &provider : nullptr, nullptr);
  streams[id].to_send = std::move(body);
  streams[id].send_end = end_of_body;
  flush();
  return id;
}

void H2Client::reset(std::int32_t id) {
  nghttp2_submit_rst_stream(session_, 0, id, NGHTTP2_CANCEL);
  flush();
}

bool H2Client::flush() {
  const std::uint8_t* data = nullptr;
  while (true) {
    const ssize_t size = nghttp2_session_mem_send(session_, &data);
    if (size <= 0) return size == 0;
    if (!socket.send({reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)})) return false;
  }
}

bool H2Client::run_until(const std::function<bool()>& condition) {
  while (!condition()) {
    const std::string bytes = socket.receive();
    if (bytes.empty()) return condition();
    nghttp2_session_mem_recv(session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    flush();
  }
  return true;
}

Answer H2Client::answer(std::int32_t id) {
  run_until([this, id] { return streams[id].closed; });
  return streams[id].answer;
}

int H2Client::on_header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_size,
                        const std::uint8_t* value, std::size_t value_size, std::uint8_t, void* user) {
  Answer& answer = self(user).streams[frame->hd.stream_id].answer;
  const std::string key(reinterpret_cast<const char*>(name), name_size);
  const std::string text(reinterpret_cast<const char*>(value), value_size);
  if (key == ":status") answer.status = std::stoi(text);
  answer.headers[key] = text;
  return 0;
}

int H2Client::on_data(nghttp2_session*, std::uint8_t, std::int32_t id, const std::uint8_t* data, std::size_t size,
                      void* user) {
  self(user).streams[id].answer.body.append(reinterpret_cast<const char*>(data), size);
  return 0;
}

int H2Client::on_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user) {
  self(user).streams[id].closed = true;
  self(user).streams[id].error_code = code;
  return 0;
}

int H2Client::on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  if (frame->hd.type != NGHTTP2_GOAWAY) return 0;
  self(user).goaway = true;
  self(user).goaway_code = frame->goaway.error_code;
  return 0;
}

ssize_t H2Client::read_body(nghttp2_session*, std::int32_t id, std::uint8_t* out, std::size_t size,
                            std::uint32_t* flags, nghttp2_data_source*, void* user) {
  Stream& stream = self(user).streams[id];
  const std::size_t count = std::min(size, stream.to_send.size() - stream.sent);
  if (count == 0 && !stream.send_end) return NGHTTP2_ERR_DEFERRED;
  ::memcpy(out, stream.to_send.data() + stream.sent, count);
  stream.sent += count;
  if (stream.sent == stream.to_send.size() && stream.send_end) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(count);
}

}  // namespace hyperscale::runtime
