#include "ordered_server.h"

#include "base/check.h"

#include <algorithm>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hyperscale::load {
namespace {

constexpr int kQuietMs = 30;

}  // namespace

OrderedServer::OrderedServer(std::map<std::string, Answering> rules) : rules_(std::move(rules)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 && ::listen(listener_, 64) == 0,
        "no port for the test's server");
  socklen_t size = sizeof address;
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  CHECK(::pipe(wake_) == 0, "no pipe");
  thread_ = std::thread([this] { serve(); });
}

OrderedServer::~OrderedServer() {
  log();
  for (const int connection : connections_) ::close(connection);
  ::close(listener_);
  ::close(wake_[0]);
}

std::vector<std::string> OrderedServer::log() {
  if (thread_.joinable()) {
    ::close(wake_[1]);
    thread_.join();
  }
  return log_;
}

void OrderedServer::serve() {
  for (;;) {
    std::vector<pollfd> waits{{wake_[0], POLLIN, 0}, {listener_, POLLIN, 0}};
    for (const int connection : connections_) waits.push_back({connection, POLLIN, 0});
    const int ready = ::poll(waits.data(), waits.size(), held_.empty() ? -1 : kQuietMs);
    if (waits[0].revents != 0) return;
    if (waits[1].revents != 0) accept_one();
    for (std::size_t i = 2; i < waits.size(); ++i)
      if (waits[i].revents != 0) read_from(waits[i].fd);
    answer_what_may(ready == 0);
  }
}

void OrderedServer::accept_one() {
  if (const int connection = ::accept(listener_, nullptr, nullptr); connection >= 0) connections_.push_back(connection);
}

void OrderedServer::read_from(int connection) {
  char bytes[4096];
  const ssize_t got = ::recv(connection, bytes, sizeof bytes, 0);
  if (got <= 0) return forget(connection);
  std::string& text = unread_[connection].append(bytes, static_cast<std::size_t>(got));
  for (std::size_t end = text.find("\r\n\r\n"); end != std::string::npos; end = text.find("\r\n\r\n")) {
    const std::size_t from = text.find(' ') + 1;
    const std::string path = text.substr(from, text.find(' ', from) - from);
    text.erase(0, end + 4);
    log_.push_back("got " + path);
    ++came_[path];
    held_.push_back({connection, path});
  }
}

bool OrderedServer::may_answer(const std::string& path, bool quiet) const {
  const auto rule = rules_.find(path);
  if (rule == rules_.end()) return true;
  if (rule->second.when_quiet && !quiet) return false;
  return std::ranges::all_of(rule->second.after, [this](const std::string& other) { return came_.contains(other); });
}

void OrderedServer::answer_what_may(bool quiet) {
  std::vector<Held> still;
  for (const Held& held : std::exchange(held_, {})) {
    if (!may_answer(held.path, quiet)) {
      still.push_back(held);
      continue;
    }
    const Answering rule = rules_.contains(held.path) ? rules_.at(held.path) : Answering{};
    log_.push_back((rule.never ? "closed " : "answered ") + held.path);
    if (rule.never) {
      forget(held.connection);
      continue;
    }
    const std::string text = "HTTP/1.1 " + std::to_string(rule.status) + " X\r\nContent-Length: 0\r\n\r\n";
    ::send(held.connection, text.data(), text.size(), MSG_NOSIGNAL);
  }
  held_.insert(held_.begin(), still.begin(), still.end());
}

void OrderedServer::forget(int connection) {
  ::close(connection);
  std::erase(connections_, connection);
  unread_.erase(connection);
  std::erase_if(held_, [connection](const Held& held) { return held.connection == connection; });
}

}  // namespace hyperscale::load
