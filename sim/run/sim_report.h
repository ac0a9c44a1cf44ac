// Output of `hyperscale sim`: progress, failures with the command that reproduces them, figures at the end.
//
// Pure functions of results; any thread.
#pragma once

#include "sim/run/campaign.h"
#include "sim/run/scale.h"
#include "sim/run/sim_options.h"

#include <string>
#include <vector>

namespace hyperscale::sim {

// "340 of 2000 seeds, 0 failed, 612 virtual s/s, 5m20s left"
std::string progress_text(const CampaignProgress& progress, std::uint64_t seeds);
std::string failure_text(const SimOptions& options, const FailedSeed& failure);
std::string summary_text(const SimOptions& options, const CampaignResult& result, std::uint64_t seeds);
std::string summary_json(const SimOptions& options, const CampaignResult& result, std::uint64_t seeds);
std::string scale_json(const std::vector<ScaleRow>& rows);

// "7m12.345678s"
std::string virtual_time_text(SimTime at);

}  // namespace hyperscale::sim
