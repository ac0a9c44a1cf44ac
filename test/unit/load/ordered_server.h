// OrderedServer: an HTTP server that writes down in which order requests come and answers go, and that can hold an
// answer back until other requests have come.
//
// One thread of its own; log() may be called when the clients are done.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace hyperscale::load {

struct Answering {
  int status = 200;
  std::vector<std::string> after = {};  // paths that must have come first
  bool when_quiet = false;              // not before nothing else has come for a moment
  bool never = false;                   // the connection is closed instead
};

class OrderedServer {
 public:
  explicit OrderedServer(std::map<std::string, Answering> rules);
  ~OrderedServer();
  OrderedServer(const OrderedServer&) = delete;
  OrderedServer& operator=(const OrderedServer&) = delete;

  std::uint16_t port() const { return port_; }
  // "got /a", "answered /a", in the order of events. Ends the server.
  std::vector<std::string> log();

 private:
  struct Held {
    int connection;
    std::string path;
  };

  void serve();
  void accept_one();
  void read_from(int connection);
  bool may_answer(const std::string& path, bool quiet) const;
  void answer_what_may(bool quiet);
  void forget(int connection);

  std::map<std::string, Answering> rules_;
  int listener_ = -1;
  int wake_[2] = {-1, -1};
  std::uint16_t port_ = 0;
  std::vector<int> connections_;
  std::map<int, std::string> unread_;
  std::vector<Held> held_;
  std::vector<std::string> log_;
  std::map<std::string, int> came_;
  std::thread thread_;
};

}  // namespace hyperscale::load
