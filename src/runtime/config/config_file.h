// Reads a configuration file: the only I/O of this module.
//
// Thread rule: any thread; it blocks on the disk, so never on an event loop. Limits: at most kConfigFileBytesMax are
// read. Failure: kNotFound for a missing file, kInvalidArgument for a directory or an unreadable file, kTooLarge beyond
// the limit, kInternal for an I/O error; the context names the path and the fix.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <string>

namespace hyperscale::runtime {

inline constexpr std::size_t kConfigFileBytesMax = 1024 * 1024;

Result<std::string> read_config_file(const std::string& path);

}  // namespace hyperscale::runtime
