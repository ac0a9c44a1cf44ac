// The effective configuration as TOML, and the reference table for the documentation.
//
// Thread rule: pure functions. Invariant: loading what print_config printed, without environment and flags, gives the
// same NodeConfig for every valid configuration.
#pragma once

#include "runtime/config/config_source.h"
#include "runtime/config/node_config.h"

#include <string>

namespace hyperscale::runtime {

// Each value is followed by its origin as a comment: # default, # node.toml:4, # HYPERSCALE_API_DEADLINE, # flag.
// A field without an entry in origins gets no comment.
std::string print_config(const NodeConfig& config, const ConfigOrigins& origins = {});

// A Markdown table of every key: default, range, whether a reload changes it, environment variable, meaning.
std::string reference_markdown();

}  // namespace hyperscale::runtime
