// `hyperscale stream ls|gc|tail`: what the streams of this user are, removal of what dead runs have left, and the
// samples of a run as they come. Blocking; any thread. Each prints and gives the exit code.
#pragma once

#include <cstdint>
#include <string>

namespace hyperscale::app {

struct StreamListOptions {
  std::string base;  // empty: as a run would take it
  bool json = false;
};
int stream_list_command(const StreamListOptions& options);

struct StreamCollectOptions {
  std::string base;
  bool json = false;
  bool remove = false;  // else only told
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
