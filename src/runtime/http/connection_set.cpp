#include "runtime/http/connection_set.h"

#include <utility>

namespace hyperscale::runtime {

void ConnectionSet::add(std::shared_ptr<Connection> connection) {
  const std::lock_guard lock(mutex_);
  connections_.insert(std::move(connection));
  publish_size();
}

bool ConnectionSet::remove(const std::shared_ptr<Connection>& connection) {
  const std::lock_guard lock(mutex_);
  connections_.erase(connection);
  publish_size();
  return connections_.empty();
}

std::size_t ConnectionSet::size() const {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

std::vector<std::shared_ptr<Connection>> ConnectionSet::all() const {
  const std::lock_guard lock(mutex_);
  return {connections_.begin(), connections_.end()};
}

void ConnectionSet::publish_size() {
  metrics_.set(Gauge::kConnectionsOpen, listener_, static_cast<double>(connections_.size()));
}

}  // namespace hyperscale::runtime
