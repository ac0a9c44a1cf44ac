#include "node/fleet/local_fleet.h"

#include "base/errno_text.h"
#include "base/json_writer.h"
#include "base/nearest_match.h"
#include "base/owned_fd.h"
#include "intake/file_content.h"
#include "node/cluster/system_entropy.h"
#include "node/fleet/api_call.h"
#include "node/fleet/fleet_certificates.h"
#include "runtime/clock/clock.h"
#include "stream/process_identity.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <simdjson.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace hyperscale::node {
namespace {

using simdjson::dom::element;

constexpr Duration kUpTimeout = 20s;
constexpr Duration kDownTimeout = 10s;
constexpr Duration kPoll = 20ms;
constexpr std::size_t kFleetFileBytesMax = std::size_t{1} << 20;

tl::unexpected<Error> failed(const std::string& what) {
  return fail(ErrorCode::kUnavailable, fmt::format("{}: {}", what, errno_text(errno)));
}

std::string random_text() {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_";
  std::array<std::uint8_t, 32> bytes{};
  SystemEntropy().fill(bytes);
  std::string text;
  for (const std::uint8_t byte : bytes) text += kDigits[byte % kDigits.size()];
  return text;
}

Status write_private(const std::string& path, const std::string& content) {
  OwnedFd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (!file.valid()) return failed(path);
  const bool written = ::write(file.get(), content.data(), content.size()) == static_cast<ssize_t>(content.size());
  if (!file.close() || !written) return failed(path);
  return {};
}

// Finds free ports: keeps all of them bound until the last is found, so that none repeats.
class FreePorts {
 public:
  Result<std::uint16_t> take(int type) {
    held_.emplace_back(::socket(AF_INET, type | SOCK_CLOEXEC, 0));
    const int descriptor = held_.back().get();
    if (descriptor < 0) return failed("socket");
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(descriptor, any, size) != 0 || ::getsockname(descriptor, any, &size) != 0) return failed("a free port");
    return ntohs(address.sin_port);
  }

 private:
  std::vector<OwnedFd> held_;
};

Result<std::vector<FleetPorts>> free_ports(std::size_t count) {
  FreePorts free;
  std::vector<FleetPorts> all(count);
  for (FleetPorts& ports : all) {
    for (auto [into, type] : {std::pair(&ports.cluster, SOCK_DGRAM),
                              {&ports.api, SOCK_STREAM},
                              {&ports.metrics, SOCK_STREAM},
                              {&ports.transport, SOCK_STREAM}}) {
      const auto port = free.take(type);
      if (!port) return fail(port.error());
      *into = *port;
    }
  }
  return all;
}

void write_process(JsonWriter& out, const FleetProcess& process) {
  const FleetNode& node = process.node;
  out.begin_object();
  out.field("name", node.name);
  out.field("role", wire::name(node.role));
  out.field("datacenter", node.datacenter);
  out.field("cluster_port", node.ports.cluster);
  out.field("api_port", node.ports.api);
  out.field("metrics_port", node.ports.metrics);
  out.field("transport_port", node.ports.transport);
  out.field("pid", process.pid);
  out.field("started_ns", process.started_ns);
  out.end_object();
}

// Reads fields of a row of the file and remembers the first that is missing or mistyped.
class RowReader {
 public:
  explicit RowReader(element row) : row_(row) {}

  std::string text(std::string_view name) {
    std::string_view value;
    if (row_[name].get(value) != simdjson::SUCCESS) complain(name);
    return std::string(value);
  }
  template <typename Number>
  Number number(std::string_view name) {
    std::uint64_t value = 0;
    if (row_[name].get(value) != simdjson::SUCCESS ||
        value > static_cast<std::uint64_t>(std::numeric_limits<Number>::max()))
      complain(name);
    return static_cast<Number>(value);
  }
  void complain(std::string_view name) {
    if (wrong_.empty()) wrong_ = name;
  }
  const std::string& wrong() const { return wrong_; }

 private:
  element row_;
  std::string wrong_;
};

Result<FleetProcess> process_of(element row) {
  RowReader fields(row);
  FleetProcess process;
  process.node.name = fields.text("name");
  const auto role = wire::parse_node_role(fields.text("role"));
  if (!role) fields.complain("role");
  process.node.role = role.value_or(wire::NodeRole::kWorker);
  process.node.datacenter = fields.text("datacenter");
  process.node.ports = {fields.number<std::uint16_t>("cluster_port"), fields.number<std::uint16_t>("api_port"),
                        fields.number<std::uint16_t>("metrics_port"), fields.number<std::uint16_t>("transport_port")};
  process.pid = fields.number<pid_t>("pid");
  process.started_ns = fields.number<std::uint64_t>("started_ns");
  if (!fields.wrong().empty())
    return fail(ErrorCode::kProtocol, fmt::format("'{}' of a node is missing or wrong", fields.wrong()));
  return process;
}

char state_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  std::getline(file, text);
  const std::size_t end = text.rfind(')');
  return end == std::string::npos || end + 2 >= text.size() ? ' ' : text[end + 2];
}

}  // namespace

Result<LocalFleet> LocalFleet::start(const std::string& folder, const FleetShape& shape, const std::string& program) {
  LocalFleet fleet(folder);
  if (std::filesystem::exists(folder + "/fleet.json")) {
    return fail(ErrorCode::kConflict,
                fmt::format("there is a cluster in {} already; 'hyperscale cluster down' takes it away", folder));
  }
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return fail(ErrorCode::kUnavailable, fmt::format("cannot make {}: {}", folder, error.message()));
  // `down` removes the folder with all that is in it.
  if (!std::filesystem::is_empty(folder, error) || error)
    return fail(ErrorCode::kConflict, fmt::format("{} has other files in it; name a new or an empty folder", folder));
  ::chmod(folder.c_str(), S_IRWXU);
  const auto give_up = [&](const Error& why) {
    fleet.kill_all();
    std::filesystem::remove_all(folder, error);
    return fail(why);
  };
  const auto ports = free_ports(nodes_of(shape));
  if (!ports) return give_up(ports.error());
  const std::vector<FleetNode> nodes = plan_fleet(shape, *ports);
  for (const FleetNode& node : nodes) fleet.processes_.push_back({node});
  // First of all and after each launch: wherever this is interrupted, take_down() finds what there is.
  if (Status saved = fleet.save(); !saved) return give_up(saved.error());
  for (const char* file : {"secret", "worker_secret", "token"})
    if (Status written = write_private(folder + "/" + file, random_text() + "\n"); !written)
      return give_up(written.error());
  for (const FleetProcess& process : fleet.processes_)
    std::filesystem::create_directories(fleet.folder_of(process.node), error);
  if (shape.tls)
    if (Status made = fleet.write_certificates(); !made) return give_up(made.error());
  for (FleetProcess& process : fleet.processes_) {
    const std::string toml = node_toml(shape, nodes, process.node, fleet.folder_of(process.node));
    Status done = write_private(fleet.folder_of(process.node) + "/node.toml", toml);
    if (done) done = fleet.launch(process, program);
    if (done) done = fleet.save();
    if (!done) return give_up(done.error());
  }
  for (const FleetProcess& process : fleet.processes_)
    if (Status up = fleet.await_up(process); !up) return give_up(up.error());
  return fleet;
}

Status LocalFleet::write_certificates() const {
  const FleetAuthority authority;
  const auto write = [](const std::string& certificate, const std::string& key, const PemPair& pem) -> Status {
    if (Status done = write_private(certificate, pem.certificate); !done) return done;
    return write_private(key, pem.key);
  };
  if (Status done = write(folder_ + "/ca.pem", folder_ + "/ca-key.pem", authority.own()); !done) return done;
  for (const FleetProcess& process : processes_) {
    const std::string folder = folder_of(process.node);
    const PemPair pem = authority.issue(process.node.name, {.role = wire::peer_role(process.node.role),
                                                            .cluster = kFleetName,
                                                            .environment = kFleetName,
                                                            .datacenter = process.node.datacenter});
    if (Status done = write(folder + "/cert.pem", folder + "/key.pem", pem); !done) return done;
  }
  return {};
}

Result<LocalFleet> LocalFleet::open(const std::string& folder) {
  LocalFleet fleet(folder);
  const auto text = intake::read_whole_file(folder + "/fleet.json", kFleetFileBytesMax);
  if (!text)
    return fail(ErrorCode::kNotFound, fmt::format("there is no cluster in {}; see 'hyperscale cluster up'", folder));
  const auto damaged = [&](std::string_view why) {
    return fail(ErrorCode::kProtocol, fmt::format("{}/fleet.json: {}", folder, why));
  };
  simdjson::dom::parser parser;
  simdjson::dom::array rows;
  if (const auto error = parser.parse(*text)["nodes"].get(rows); error != simdjson::SUCCESS)
    return damaged(simdjson::error_message(error));
  for (const element row : rows) {
    auto process = process_of(row);
    if (!process) return damaged(process.error().context);
    fleet.processes_.push_back(std::move(*process));
  }
  return fleet;
}

Status LocalFleet::save() const {
  JsonWriter out;
  out.begin_object();
  out.key("nodes");
  out.begin_array();
  for (const FleetProcess& process : processes_) write_process(out, process);
  out.end_array();
  out.end_object();
  return intake::replace_file(folder_ + "/fleet.json", out.take());
}

Status LocalFleet::launch(FleetProcess& process, const std::string& program) {
  const std::string folder = folder_of(process.node);
  const std::string toml = folder + "/node.toml";
  const std::string log = folder + "/log";
  const std::string role(wire::name(process.node.role));
  std::array<const char*, 5> arguments{program.c_str(), role.c_str(), "-c", toml.c_str(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  ::posix_spawnattr_init(&attributes);
  // A new session, so that Ctrl-C in the starting terminal does not reach it.
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  const int error = ::posix_spawn(&process.pid, program.c_str(), &files, &attributes,
                                  const_cast<char* const*>(arguments.data()), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  if (error != 0) return fail(ErrorCode::kUnavailable, fmt::format("cannot start {}: {}", program, errno_text(error)));
  process.started_ns = stream::process_start_ns(static_cast<std::uint64_t>(process.pid)).value_or(0);
  return {};
}

Status LocalFleet::await_up(const FleetProcess& process) const {
  const MonoTime end = runtime::mono_now() + kUpTimeout;
  while (runtime::mono_now() < end) {
    if (standing(process)) return {};
    int status = 0;
    if (::waitpid(process.pid, &status, WNOHANG) == process.pid || !is_alive(process)) {
      return fail(
          ErrorCode::kUnavailable,
          fmt::format("{} did not start; the end of {}/log:\n{}", process.node.name, folder_of(process.node),
                      intake::read_whole_file(folder_of(process.node) + "/log", kFleetFileBytesMax).value_or("")));
    }
    std::this_thread::sleep_for(kPoll);
  }
  return fail(ErrorCode::kTimeout, fmt::format("{} did not answer in time", process.node.name));
}

bool LocalFleet::await_leaders(Duration patience) const {
  const auto knows_leader = [this](const FleetProcess& process) {
    if (process.node.role == wire::NodeRole::kWorker) return true;
    const auto said = standing(process);
    simdjson::dom::parser parser;
    return said && parser.parse(*said)["leader"].is_string();
  };
  const MonoTime end = runtime::mono_now() + patience;
  while (!std::ranges::all_of(processes_, knows_leader)) {
    if (runtime::mono_now() >= end) return false;
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

const FleetProcess* LocalFleet::find(const std::string& name) const {
  const auto found = std::ranges::find(processes_, name, [](const FleetProcess& each) { return each.node.name; });
  return found == processes_.end() ? nullptr : &*found;
}

bool LocalFleet::is_alive(const FleetProcess& process) const {
  const auto started = stream::process_start_ns(static_cast<std::uint64_t>(process.pid));
  return process.pid > 0 && started && *started == process.started_ns;
}

bool LocalFleet::is_paused(const FleetProcess& process) const {
  return is_alive(process) && state_of(process.pid) == 'T';
}

Status LocalFleet::signal(const std::string& name, int signal) {
  const FleetProcess* process = find(name);
  if (process == nullptr) {
    std::vector<std::string> names;
    names.reserve(processes_.size());
    for (const FleetProcess& each : processes_) names.push_back(each.node.name);
    const auto close = nearest_match(name, names);
    return fail(ErrorCode::kNotFound,
                fmt::format("there is no node {}{}", name, close ? fmt::format("; did you mean {}?", *close) : ""));
  }
  if (!is_alive(*process)) return fail(ErrorCode::kNotFound, fmt::format("{} is not running", name));
  const OwnedFd handle(static_cast<int>(::syscall(SYS_pidfd_open, process->pid, 0)));
  if (::kill(process->pid, signal) != 0) return failed(name);
  if (signal != SIGKILL) return {};
  // Readable when its last thread has exited; until then the process holds the lock on its folder.
  pollfd ended{.fd = handle.get(), .events = POLLIN, .revents = 0};
  const auto patience = std::chrono::duration_cast<std::chrono::milliseconds>(kDownTimeout).count();
  if (::poll(&ended, 1, static_cast<int>(patience)) == 0)
    return fail(ErrorCode::kTimeout, fmt::format("{} does not end", name));
  return {};
}

Status LocalFleet::restart(const std::string& name, const std::string& program) {
  const auto found = std::ranges::find(processes_, name, [](const FleetProcess& each) { return each.node.name; });
  if (found == processes_.end()) return fail(ErrorCode::kNotFound, fmt::format("there is no node {}", name));
  if (is_alive(*found)) return fail(ErrorCode::kConflict, fmt::format("{} is running", name));
  if (Status launched = launch(*found, program); !launched) return launched;
  if (Status saved = save(); !saved) return saved;
  return await_up(*found);
}

Result<std::string> LocalFleet::token() const {
  auto text = intake::read_whole_file(folder_ + "/token", kFleetFileBytesMax);
  if (!text) return fail(text.error());
  while (text->ends_with('\n')) text->pop_back();
  return text;
}

Status LocalFleet::block(const FleetProcess& process, const std::vector<const FleetProcess*>& others) const {
  const auto secret = token();
  if (!secret) return fail(secret.error());
  JsonWriter addresses;
  addresses.begin_array(JsonWriter::Layout::kCompact);
  for (const FleetProcess* other : others) addresses.value(fmt::format("127.0.0.1:{}", other->node.ports.cluster));
  addresses.end_array();
  const std::string body = addresses.take_text();
  const auto done = call_api(process.node.ports.api,
                             {.method = "POST", .path = "/api/v1/cluster/block", .body = body, .token = *secret});
  if (!done) return fail(done.error());
  return {};
}

Status LocalFleet::partition(const std::vector<std::string>& names) {
  std::vector<const FleetProcess*> inside;
  std::vector<const FleetProcess*> outside;
  for (const std::string& name : names)
    if (find(name) == nullptr) return fail(ErrorCode::kNotFound, fmt::format("there is no node {}", name));
  for (const FleetProcess& process : processes_)
    (std::ranges::find(names, process.node.name) != names.end() ? inside : outside).push_back(&process);
  for (const FleetProcess& process : processes_) {
    if (!is_alive(process) || is_paused(process)) continue;
    const bool is_inside = std::ranges::find(inside, &process) != inside.end();
    if (Status done = block(process, is_inside ? outside : inside); !done) return done;
  }
  return {};
}

Status LocalFleet::heal() {
  for (const FleetProcess& process : processes_) {
    if (!is_alive(process)) continue;
    if (is_paused(process)) ::kill(process.pid, SIGCONT);
    if (Status done = block(process, {}); !done) return done;
  }
  return {};
}

void LocalFleet::kill_all() const {
  for (const FleetProcess& process : processes_) {
    if (!is_alive(process)) continue;
    ::kill(process.pid, SIGKILL);
    ::waitpid(process.pid, nullptr, 0);
  }
}

Status LocalFleet::take_down() {
  for (const FleetProcess& process : processes_) {
    if (!is_alive(process)) continue;
    ::kill(process.pid, SIGTERM);
    ::kill(process.pid, SIGCONT);
  }
  const MonoTime end = runtime::mono_now() + kDownTimeout;
  const auto any_left = [this] {
    return std::ranges::any_of(processes_, [this](const FleetProcess& each) { return is_alive(each); });
  };
  while (any_left() && runtime::mono_now() < end) std::this_thread::sleep_for(kPoll);
  kill_all();
  std::error_code error;
  std::filesystem::remove_all(folder_, error);
  if (error) return fail(ErrorCode::kUnavailable, fmt::format("cannot remove {}: {}", folder_, error.message()));
  return {};
}

Result<std::string> LocalFleet::standing(const FleetProcess& process) const {
  const auto secret = token();
  if (!secret) return fail(secret.error());
  return call_api(process.node.ports.api, {.path = "/api/v1/cluster", .token = *secret}, 500ms);
}

}  // namespace hyperscale::node
