// StepContext: the interface of one process to the world during one call, and the effects of the call. Used by World.
//
// Single-threaded; lives as long as the call. Packets sent after a sync leave when the sync is done.
#pragma once

#include "sim/engine/process.h"
#include "sim/engine/world.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

class World::StepContext final : public ProcessContext {
 public:
  StepContext(World& world, HostId host) : world_(world), host_(host) {}

  MonoTime mono() const override;
  WallTime wall() const override;
  void send(HostId to, SharedBytes bytes) override;
  bool write(std::string_view record, ByteView bytes) override;
  bool sync() override;
  std::optional<std::vector<std::uint8_t>> read(std::string_view record) const override;
  void exit(std::string_view reason, bool on_purpose) override;
  void note(std::string_view text) override;

  Duration delay() const { return delay_; }
  bool dead() const { return dead_; }
  bool exit_on_purpose() const { return exit_on_purpose_; }
  const std::optional<std::string>& exit_reason() const { return exit_reason_; }

 private:
  World& world_;
  HostId host_;
  Duration delay_{0};
  bool dead_ = false;
  bool exit_on_purpose_ = false;
  std::optional<std::string> exit_reason_;
};

}  // namespace hyperscale::sim
