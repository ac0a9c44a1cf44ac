// What surrounds the runner under test, without threads, sockets and terminals: the control socket, the screen, the
// world of the run and the memory of processes.
#include "node/executors/stream_keeper.h"
#include "node/local/live_display.h"
#include "node/local/run_world.h"
#include "recording.h"
#include "runtime/sandbox/process_memory.h"

#include <algorithm>

namespace hyperscale::runtime {

std::uint64_t resident_bytes_of(pid_t process) {
  for (const auto& executor : node::recording().executors)
    if (executor->process == process) return executor->memory;
  return 0;
}

}  // namespace hyperscale::runtime

namespace hyperscale::node {

// No process: nobody kills this runner.
Result<std::unique_ptr<StreamKeeper>> StreamKeeper::start(const stream::DriverSetup&) {
  return std::unique_ptr<StreamKeeper>(new StreamKeeper(OwnedFd(), 0));
}
StreamKeeper::~StreamKeeper() = default;

class ControlSocket::Client {};

ControlSocket::ControlSocket(asio::io_context& io, std::string path, ControlActions actions)
    : acceptor_(io), path_(std::move(path)), actions_(std::move(actions)) {}
ControlSocket::~ControlSocket() {
  recording().control.reset();
}

Result<std::unique_ptr<ControlSocket>> ControlSocket::listen(asio::io_context& io, const std::string&,
                                                             const std::string&, ControlActions actions) {
  recording().control = actions;
  return std::unique_ptr<ControlSocket>(new ControlSocket(io, "", std::move(actions)));
}

LiveDisplay::LiveDisplay(UiMode mode, int descriptor, Glyphs glyphs, FullScreen::Calls calls)
    : mode_(mode), descriptor_(descriptor), glyphs_(glyphs), calls_(std::move(calls)) {}
LiveDisplay::~LiveDisplay() = default;
void LiveDisplay::open(asio::io_context&) {}
void LiveDisplay::pass(Duration) {}
void LiveDisplay::say(std::string_view sentence) {
  recording().line("say " + std::string(sentence));
}
void LiveDisplay::close() {}

RunWorld::RunWorld(const RunWorldSetup& setup) : steps_(setup.steps) {}
RunWorld::~RunWorld() = default;
Result<std::unique_ptr<RunWorld>> RunWorld::make(const RunWorldSetup& setup) {
  return std::unique_ptr<RunWorld>(new RunWorld(setup));
}
void RunWorld::read(std::vector<TallySource>) {}
// Of no figures: what the runner shows is not part of a script.
Result<MonoTime> RunWorld::observe(results::Moment&) {
  return fail(ErrorCode::kNotFound, "this world has no moments");
}
void RunWorld::refresh() {}
bool RunWorld::has_reached(std::uint64_t) const {
  return true;
}
std::uint64_t RunWorld::tick() const {
  return 1;
}

}  // namespace hyperscale::node
