#include "apps/hyperscale/target/target_command.h"

#include "base/json_writer.h"
#include "runtime/config/listen_address.h"
#include "target/self_signed.h"
#include "target/target_server.h"

#include <csignal>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

using target::TargetOptions;
using target::TargetServer;

Result<std::string> read_pem(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return fail(ErrorCode::kInvalidArgument, fmt::format("cannot read '{}'", path));
  return text.str();
}

Status add_certificate(const TargetCommand& command, TargetOptions& options) {
  const bool named = !command.cert_file.empty() || !command.key_file.empty();
  if (command.self_signed && named) {
    return fail(ErrorCode::kInvalidArgument,
                "--tls makes a certificate of its own; leave it out with --cert and --key");
  }
  if (command.self_signed) {
    auto made = target::make_self_signed();
    if (!made) return fail(made.error());
    options.tls_cert_pem = std::move(made->cert_pem);
    options.tls_key_pem = std::move(made->key_pem);
  } else if (named) {
    if (command.cert_file.empty() || command.key_file.empty()) {
      return fail(ErrorCode::kInvalidArgument, "--cert and --key go together");
    }
    auto cert = read_pem(command.cert_file);
    if (!cert) return fail(cert.error());
    auto key = read_pem(command.key_file);
    if (!key) return fail(key.error());
    options.tls_cert_pem = std::move(*cert);
    options.tls_key_pem = std::move(*key);
  }
  return {};
}

Result<TargetOptions> options_of(const TargetCommand& command) {
  TargetOptions options;
  const auto address = runtime::parse_listen_address(command.listen);
  if (!address) return fail(address.error());
  options.listen_address = address->host == "localhost" ? "127.0.0.1" : address->host;
  options.port = address->port;
  options.cores = command.cores;
  options.unix_socket = command.unix_socket;
  options.tcp_port = command.tcp_port;
  options.udp_port = command.udp_port;
  if (!command.stall.empty()) {
    const auto stall = target::parse_stall(command.stall);
    if (!stall) return fail(stall.error());
    options.stall = *stall;
  }
  if (Status added = add_certificate(command, options); !added) return fail(added.error());
  return options;
}

std::string url_of(const TargetOptions& options, std::string_view scheme, std::uint16_t port) {
  const bool v6 = options.listen_address.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}", scheme, v6 ? "[" : "", options.listen_address, v6 ? "]" : "", port);
}

void say_where(const TargetCommand& command, const TargetOptions& options, const TargetServer& server) {
  const bool secure = !options.tls_cert_pem.empty();
  const std::string url = url_of(options, secure ? "https" : "http", server.port());
  const std::string tcp = url_of(options, secure ? "tls" : "tcp", server.tcp_port());
  const std::string udp = url_of(options, "udp", server.udp_port());
  if (command.json) {
    JsonWriter where;
    where.begin_object(JsonWriter::Layout::kCompact);
    where.field("cores", command.cores);
    where.field("port", std::uint32_t{server.port()});
    if (options.tcp_port) where.field("tcp", tcp);
    if (options.udp_port) where.field("udp", udp);
    if (!command.unix_socket.empty()) where.field("unix_socket", command.unix_socket);
    where.field("url", url);
    where.end_object();
    fmt::print("{}", where.take());
  } else {
    fmt::print("target: listening on {}{}{}{}{}\n", url,
               command.unix_socket.empty() ? "" : " and unix:", command.unix_socket,
               options.tcp_port ? " and " + tcp : "", options.udp_port ? " and " + udp : "");
  }
  std::fflush(stdout);
}

void say_counts(const TargetCommand& command, const target::Counters& counters) {
  if (command.json) {
    std::string text;
    counters.append_json(text);
    fmt::print("{}\n", text);
  } else {
    fmt::print("target: received {} requests ({} by HTTP/2, {} bad ones besides) on {} connections\n",
               counters.requests, counters.http2, counters.bad_requests, counters.connections);
    if (command.tcp_port) fmt::print("target: received {} lines by TCP\n", counters.tcp);
    if (command.udp_port) fmt::print("target: received {} datagrams\n", counters.udp);
  }
  std::fflush(stdout);
}

ExitCode complain(const Error& error) {
  fmt::print(stderr, "hyperscale target: {}\n", error.context);
  return error.code == ErrorCode::kInvalidArgument ? ExitCode::kUsage : ExitCode::kFailed;
}

}  // namespace

ExitCode run_target(const TargetCommand& command) {
  const auto options = options_of(command);
  if (!options) return complain(options.error());
  // Block before the server's threads exist: they inherit the mask, so only sigwait() gets the signals.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  auto server = TargetServer::start(*options);
  if (!server) return complain(server.error());
  say_where(command, *options, **server);
  int signal = 0;
  sigwait(&signals, &signal);
  (*server)->stop();
  say_counts(command, (*server)->counters());
  return ExitCode::kOk;
}

}  // namespace hyperscale::app
