#include "runtime/http/connection_set.h"

#include <utility>

namespace hyperscale::runtime {

void ConnectionSet::add(std::shared_ptr<Connection> connection) {
  const std::lock_guard lock(mutex_);
  ++by_group_[connection->peer().group];
  connections_.insert(std::move(connection));
  publish_size();
}

bool ConnectionSet::remove(const std::shared_ptr<Connection>& connection) {
  const std::lock_guard lock(mutex_);
  const auto group = by_group_.find(connection->peer().group);
  if (connections_.erase(connection) > 0 && group != by_group_.end() && --group->second == 0) by_group_.erase(group);
  publish_size();
  return connections_.empty();
}

std::size_t ConnectionSet::size() const {
  const std::lock_guard lock(mutex_);
  return connections_.size();
}

OpenConnections ConnectionSet::open(const std::string& group) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_group_.find(group);
  return {.all = connections_.size(), .of_ip = found == by_group_.end() ? 0 : found->second};
}

std::vector<std::shared_ptr<Connection>> ConnectionSet::all() const {
  const std::lock_guard lock(mutex_);
  return {connections_.begin(), connections_.end()};
}

void ConnectionSet::publish_size() {
  metrics_.set(Gauge::kConnectionsOpen, listener_, static_cast<double>(connections_.size()));
}

}  // namespace hyperscale::runtime
