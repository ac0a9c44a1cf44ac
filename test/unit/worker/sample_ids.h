// Names of managers, shares, attempts and contents for tests of the worker. Pure functions; any thread.
#pragma once

#include "wire/jobs/dispatch.h"
#include "wire/jobs/worker_reports.h"
#include "wire/node_identity.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace hyperscale::worker {

inline constexpr wire::BootId kBoot(77);
inline constexpr wire::Term kTerm(3);

inline wire::NodeIdentity manager(std::uint8_t number) {
  return {"m" + std::to_string(number), wire::NodeRole::kManager, "eu", wire::address_v4(10, 0, 0, number, 7100), 7101};
}

inline wire::ShareId share_of(const std::string& job, std::uint32_t number = 0,
                              wire::SharePart part = wire::SharePart::kSteps) {
  return {job, 0, part, number};
}

inline wire::AttemptId attempt_of(const wire::ShareId& share, std::uint64_t epoch = 10, std::uint32_t attempt = 1) {
  return {share, {epoch, attempt}};
}

// Differs with the number.
inline wire::Sha256 digest_of(std::uint64_t number) {
  wire::Sha256 digest{};
  for (std::size_t i = 0; i < 8; ++i) digest[i] = static_cast<std::uint8_t>(number >> (8 * i));
  return digest;
}

inline wire::DispatchContent content_of(const wire::ShareId& share, std::uint32_t cores = 1) {
  wire::DispatchContent content;
  content.share = share;
  content.workflow_name = "Shop";
  content.cores = cores;
  content.stop_without_manager_after = 120s;
  return content;
}

}  // namespace hyperscale::worker
