#include "target/line_connection.h"

#include "target/limits.h"

#include <algorithm>
#include <charconv>

namespace hyperscale::target {
namespace {

bool is_command(std::string_view word, std::string_view command) {
  return std::ranges::equal(word, command, {}, [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
}

}  // namespace

void LineConnection::on_pipe_bytes(ByteView bytes) {
  std::string_view input(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  while (!input.empty() && !ending_ && !closed_) {
    const std::size_t end = input.find('\n');
    if (begun_.size() + std::min(end, input.size()) > kLineBytesMax) {
      outbox_.queued() += "-ERR line too long\r\n";
      ending_ = true;
      break;
    }
    if (end == std::string_view::npos) {
      begun_ += input;
      break;
    }
    if (begun_.empty()) {
      answer(input.substr(0, end));
    } else {
      begun_ += input.substr(0, end);
      answer(begun_);
      begun_.clear();
    }
    input.remove_prefix(end + 1);
  }
  pump();
}

void LineConnection::answer(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  core_.counters.count_line(!counted_);
  counted_ = true;
  const std::string_view word = line.substr(0, line.find(' '));
  const std::string_view rest = line.substr(std::min(word.size() + 1, line.size()));
  std::string& out = outbox_.queued();
  if (is_command(word, "PING")) {
    out += "+PONG\r\n";
  } else if (is_command(word, "ECHO")) {
    out.append("+").append(rest).append("\r\n");
  } else if (is_command(word, "SIZE")) {
    std::size_t size = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), size);
    out.append("+").append(std::min(size, kLineSizeMax), 'x').append("\r\n");
  } else if (is_command(word, "STRAY")) {
    out += "+STRAY\r\n-NOBODY asked for this\r\n";
  } else if (is_command(word, "CLOSE")) {
    ending_ = true;
  } else if (!is_command(word, "NEVER")) {
    out += "-ERR unknown command\r\n";
  }
}

// Reading pauses while too much output waits for the peer.
void LineConnection::pump() {
  if (closed_) return;
  outbox_.flush(pipe_);
  if (closed_) return;
  if (ending_ && outbox_.empty()) return pipe_.finish();
  const bool full = outbox_.queued().size() > kQueuedBytesMax;
  if (full == paused_) return;
  paused_ = full;
  if (full) {
    pipe_.pause();
  } else {
    pipe_.resume();
  }
}

void LineConnection::on_pipe_sent() {
  outbox_.on_sent();
  pump();
}

void LineConnection::on_pipe_end() {
  end();
}

void LineConnection::stop() {
  end();
}

void LineConnection::end() {
  ending_ = true;
  pump();
}

}  // namespace hyperscale::target
