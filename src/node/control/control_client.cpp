#include "node/control/control_client.h"

#include "base/errno_text.h"
#include "base/exit_code.h"
#include "base/owned_fd.h"
#include "base/print_text.h"
#include "load/loop/socket_address.h"
#include "node/control/control_folder.h"
#include "node/control/run_listener.h"
#include "plan/load_command.h"
#include "runtime/secret/secret_source.h"
#include "wire/frame_decoder.h"
#include "wire/request_payload.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <span>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace hyperscale::node {
namespace {

constexpr Duration kListPatience = 1s;  // of each run
constexpr std::array<std::string_view, 4> kPlainActions = {"status", "stop", "list", "token"};

void limit_waiting(int fd, Duration patience) {
  const timeval time{.tv_sec = patience / 1s, .tv_usec = (patience % 1s) / 1us};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
}

Result<wire::Frame> receive_frame(int fd) {
  wire::FrameDecoder decoder;
  std::array<std::uint8_t, 4096> chunk{};
  for (;;) {
    const ssize_t got = ::recv(fd, chunk.data(), chunk.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(ErrorCode::kTimeout, "the run does not answer");
    if (got == 0) return fail(ErrorCode::kBrokenPipe, "the run has just ended");
    if (Status fed = decoder.feed(ByteView(chunk).first(static_cast<std::size_t>(got))); !fed) return fail(fed.error());
    auto frame = decoder.next();
    if (!frame) return fail(frame.error());
    if (*frame) return std::move(**frame);
  }
}

int failed(std::string_view sentence) {
  print_text(stderr, fmt::format("hyperscale ctl: {}\n", sentence));
  return EXIT_FAILURE;
}

// The option that this action would ignore; empty: none.
std::string_view misplaced_option(const ControlOptions& options, bool plain) {
  if (plain && options.basis_tick) return "--basis";
  if (plain && options.action != "stop" && !options.workflow.empty()) return "--workflow";
  return {};
}

// A suspended run gets no request: it would carry it out much later, when the user no longer expects it.
std::string silence_of(const std::string& id, const RunListener& listener) {
  if (!listener.suspended) return fmt::format("run {} does not answer; is it suspended?", id);
  return fmt::format("run {} does not answer: it is suspended; `fg` in its terminal or `kill -CONT {}` lets it go on",
                     id, listener.process);
}

int list_runs(const std::string& folder, std::span<const std::string> runs) {
  int code = EXIT_SUCCESS;
  for (const std::string& id : runs) {
    print_text(stdout, fmt::format("{}\n", id));
    const std::string path = control_socket_path(folder, id);
    const RunListener listener = listener_of(path);
    const auto answer = listener.suspended ? Result<std::string>() : ask_run(path, "status", {}, kListPatience);
    if (listener.suspended || (!answer && answer.error().code == ErrorCode::kTimeout))
      code = failed(silence_of(id, listener));
  }
  return code;
}

// Prints the API token, for scripts: curl -H "Authorization: Bearer $(hyperscale ctl token)".
int print_token(const std::string& folder, const std::string& id) {
  const auto token = runtime::read_secret_file(api_token_path(folder, id));
  if (!token) {
    return failed(fmt::format("run {} made no token: it has no --api, or was given one", id));
  }
  (*token)->with_bytes([](std::string_view text) { print_text(stdout, fmt::format("{}\n", text)); });
  return EXIT_SUCCESS;
}

}  // namespace

Result<std::string> ask_run(const std::string& socket_path, std::string_view method, ByteView body, Duration patience) {
  const auto address = load::SocketAddress::from_unix_path(socket_path);
  if (!address) return fail(address.error());
  const OwnedFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (socket.get() < 0) return fail(ErrorCode::kInternal, errno_text(errno));
  limit_waiting(socket.get(), patience);
  if (::connect(socket.get(), address->get(), address->size()) != 0) {
    return fail(ErrorCode::kNotFound, fmt::format("no run listens at {}: {}", socket_path, errno_text(errno)));
  }
  const auto payload = wire::encode_request(method, body);
  if (!payload) return fail(payload.error());
  const auto bytes = wire::encode_frame({.type = wire::FrameType::kRequest, .correlation = 1, .payload = *payload});
  if (::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(bytes.size())) {
    return fail(ErrorCode::kBrokenPipe, "the run has just ended");
  }
  const auto answer = receive_frame(socket.get());
  if (!answer) return fail(answer.error());
  if (answer->type == wire::FrameType::kError) return fail(wire::error_of(*answer));
  return std::string(answer->payload.text());
}

std::vector<std::string> living_runs(const std::string& folder) {
  remove_dead_sockets(folder);
  return runs_in(folder);
}

int control_command(const ControlOptions& options) {
  const bool plain = std::ranges::find(kPlainActions, options.action) != kPlainActions.end();
  const auto command = plain ? Result<plan::LoadCommand>() : plan::read_load_command(options.action);
  if (!command) {
    print_text(stderr, fmt::format("hyperscale ctl: {}; other actions are status, stop, list, token\n",
                                   command.error().context));
    return static_cast<int>(ExitCode::kUsage);
  }
  if (const std::string_view wrong = misplaced_option(options, plain); !wrong.empty()) {
    print_text(stderr, fmt::format("hyperscale ctl: {} does not go with {}\n", wrong, options.action));
    return static_cast<int>(ExitCode::kUsage);
  }
  const std::string folder = control_folder_path();
  if (Status ours = check_control_folder(folder); !ours && ours.error().code != ErrorCode::kNotFound) {
    return failed(ours.error().context);
  }
  const std::vector<std::string> runs = living_runs(folder);
  if (options.action == "list") return list_runs(folder, runs);
  if (runs.empty()) return failed("no run of this user is under way");
  const std::string& id = options.run.empty() ? runs.back() : options.run;
  if (std::ranges::find(runs, id) == runs.end()) return failed(fmt::format("no run {} is under way", id));
  if (options.action == "token") return print_token(folder, id);
  const std::string body =
      plain ? options.workflow : encode(plan::LoadRequest{*command, options.workflow, options.basis_tick});
  const std::string path = control_socket_path(folder, id);
  if (const RunListener listener = listener_of(path); listener.suspended) return failed(silence_of(id, listener));
  const auto answer = ask_run(path, plain ? options.action : "change", as_bytes(body));
  if (!answer && answer.error().code == ErrorCode::kTimeout) return failed(silence_of(id, {}));
  if (!answer) return failed(answer.error().context);
  if (options.action == "stop") {
    print_text(stdout, fmt::format("{}{}{} stops\n", id, options.workflow.empty() ? "" : ": ", options.workflow));
  } else {
    print_text(stdout, fmt::format("{}\n", *answer));
  }
  return EXIT_SUCCESS;
}

}  // namespace hyperscale::node
