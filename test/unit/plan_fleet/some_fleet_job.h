// Jobs out of a seed that a fleet can run, with large bodies and files that several workflows use.
#pragma once

#include "plan/fleet/job_manifest.h"
#include "some_job.h"

#include <string>

namespace hyperscale::plan {

inline std::string large_text(Prng& prng) {
  std::string text = some_text(prng, 20);
  text.resize(kBodyTakenBytesMin + prng.below(50), static_cast<char>(prng.below(3)));
  return text;
}

inline Job some_fleet_job(std::uint64_t seed) {
  Job job = some_job(seed);
  Prng prng(seed);
  std::string body = large_text(prng);
  const Blob file = make_blob("shared.js", some_text(prng, 200));
  for (Workflow& workflow : job.workflows) {
    workflow.plan.network.unix_socket.clear();
    workflow.plan.network.source_addresses.clear();
    if (some_flag(prng)) workflow.plan.script.files.push_back(file);
    for (Step& step : workflow.plan.steps) {
      for (Request& request : step.requests) {
        if (prng.below(3) == 0) body = large_text(prng);
        if (some_flag(prng)) request.body = body;
      }
    }
  }
  return job;
}

// The contents of a split job, as a worker has them.
inline ContentSource source_of(const JobParts& parts) {
  return [&parts](const ContentName& name) -> std::optional<std::string_view> {
    for (std::size_t i = 0; i < parts.names.size(); ++i)
      if (parts.names[i] == name) return parts.contents[i];
    return std::nullopt;
  };
}

}  // namespace hyperscale::plan
