// LoadCommand: a change of a running load, as text: "vus=200", "rate=5000", "rate=90/m", "pause", "resume".
//
// Pure values and functions; any thread. Other texts are kInvalidArgument with one sentence.
#pragma once

#include "base/result.h"
#include "plan/load_change.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hyperscale::plan {

struct LoadCommand {
  plan::LoadChangeKind kind = plan::LoadChangeKind::kPause;
  double value = 0;
  bool operator==(const LoadCommand&) const = default;
};

Result<LoadCommand> read_load_command(std::string_view text);
// Canonical text: rates per second.
std::string text_of(const LoadCommand& command);

// A command sent to a run.
struct LoadRequest {
  LoadCommand command;
  std::string workflow;                     // empty: for all, or the only one
  std::optional<std::uint64_t> basis_tick;  // tick of the run's world that the sender had seen
  bool operator==(const LoadRequest&) const = default;
};
std::string encode(const LoadRequest& request);
Result<LoadRequest> decode_load_request(std::string_view text);

}  // namespace hyperscale::plan
