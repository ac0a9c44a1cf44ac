// `hyperscale stream ls|gc|tail`: lists the streams of this user, removes the streams of dead runs, prints the samples
// of a run as they arrive. Blocking; any thread. Each returns the exit code.
#pragma once

#include <cstdint>
#include <string>

namespace hyperscale::app {

struct StreamListOptions {
  std::string base;  // empty: the default of a run
  bool json = false;
};
int stream_list_command(const StreamListOptions& options);

struct StreamCollectOptions {
  std::string base;
  bool json = false;
  bool remove = false;  // false: only list
};
int stream_collect_command(const StreamCollectOptions& options);

struct StreamTailOptions {
  std::string base;
  std::string run;           // empty: the newest
  std::int64_t stream = -1;  // negative: all
  std::uint64_t limit = 0;   // samples; zero: until the run ends
  bool from_start = false;
  bool json = false;
};
int stream_tail_command(const StreamTailOptions& options);

}  // namespace hyperscale::app
