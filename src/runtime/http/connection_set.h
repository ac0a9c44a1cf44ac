// ConnectionSet: the open connections of a listener, bounded by max_conns on accept.
//
// Thread rule: every method from any thread. The lock is held for set operations only, never while a connection is
// called.
#pragma once

#include "runtime/http/connection.h"
#include "runtime/metrics/metrics.h"
#include "runtime/net/accept_gate.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hyperscale::runtime {

class ConnectionSet {
 public:
  // `listener` is the label of the gauge `connections_open`.
  ConnectionSet(Metrics& metrics, std::string listener) : metrics_(metrics), listener_(std::move(listener)) {}

  void add(std::shared_ptr<Connection> connection);
  // True when it was the last one.
  bool remove(const std::shared_ptr<Connection>& connection);
  std::size_t size() const;
  // All, and those of one group of addresses.
  OpenConnections open(const std::string& group) const;
  std::vector<std::shared_ptr<Connection>> all() const;

 private:
  void publish_size();  // REQUIRES: the lock, so that the gauge never goes back to an older size

  Metrics& metrics_;
  std::string listener_;
  mutable std::mutex mutex_;
  std::unordered_set<std::shared_ptr<Connection>> connections_;
  std::unordered_map<std::string, std::size_t> by_group_;  // no entry for a group without connections
};

}  // namespace hyperscale::runtime
