#include "apps/hyperscale/run/run_arguments.h"

namespace hyperscale::app {
namespace {

// One group of --help.
class Group {
 public:
  Group(Command command, const char* name) : command_(command), name_(name) {}

  Option text(const char* option, std::string& into, const char* type, const char* help) {
    return command_.add_option(option, into, help)->type_name(type)->group(name_);
  }
  void list(const char* option, std::vector<std::string>& into, const char* type, const char* help) {
    // One value each time, so that a list never swallows the URL behind it.
    command_.add_option(option, into, help)->type_name(type)->allow_extra_args(false)->group(name_);
  }
  Option flag(const char* option, bool& into, const char* help) {
    return command_.add_flag(option, into, help)->group(name_);
  }

 private:
  Command command_;
  const char* name_;
};

void add_load(Command command, intake::LoadOptions& load) {
  Group group(command, "Load");
  group.text("-c,--vus", load.vus, "N",
             "Virtual users, shared by the workflows of a file; with --rate: maximum busy at once [10]");
  group.text("-d,--duration", load.duration, "TIME", "Duration, such as 30s or 1m30s [10s]");
  group.text("-n,--requests", load.requests, "N", "Stop after this many requests");
  group.text("--iterations", load.iterations, "N", "Stop after this many iterations of all steps");
  group.text("-r,--rate", load.rate, "RATE", "Open loop: iterations per second, independent of answers; 2000, 90/m");
  group.list("--stage", load.stages, "TIME:TARGET", "Ramp to TARGET users (with --rate: to a rate); may be repeated");
  group.text("--think-time", load.think_time, "TIME", "Pause of a user between two iterations");
  group.text("--warmup", load.warmup, "TIME", "Load before measurement starts");
  group.text("--graceful-stop", load.graceful_stop, "TIME", "How long requests in flight may take at the end [30s]");
  group.flag("--poisson", load.poisson, "With --rate: random gaps instead of even ones");
  group.text("--seed", load.seed, "N",
             "Seed of all random choices; the same seed repeats the run [random, stored in the results]");
}

void add_request(Command command, intake::RequestOptions& request) {
  command.add_option("URL", request.url,
                     "What to load: http:// or https:// (http:// may be left out), tcp://, tls:// or udp://HOST:PORT, "
                     "or a workflow file: shop.js");
  Group group(command, "Request");
  group.text("--urls-from-file", request.urls_file, "FILE",
             "More URLs, one per line, sent in turn, each with a row in the summary; - reads stdin");
  group.list("-H,--header", request.headers, "'NAME: VALUE'",
             "Header; @FILE or env:NAME reads several, one per line; may be repeated");
  group.text("-m,--method", request.method, "NAME", "Method [GET, with a body POST]");
  command
      .add_option_function(
          "-b,--body",
          [&request](const std::string& text) {
            request.body = text;
            request.body_given = true;
          },
          "Body text; @FILE reads a file, @DIR or @'*.json' sends the files in turn; @@ is a literal @")
      ->type_name("TEXT|@FILES")
      ->group("Request");
  group.text("--body-file", request.body_file, "FILE", "Body from a file; - reads stdin");
  group.list("--form", request.form, "NAME=VALUE", "Form field, URL-encoded; may be repeated");
  group.text("--json-body", request.json_body, "TEXT", "Body with content type application/json");
  group.text("--graphql", request.graphql, "TEXT|@FILE", "GraphQL query or mutation, checked before it is sent");
  group.text("--variables", request.variables, "JSON|@FILE", "With --graphql: JSON object with its variables");
  group.text("--operation", request.operation, "NAME", "With --graphql: operation to run, if there are several");
  group.text("--auth", request.auth, "CREDENTIALS", "user:password or bearer:TOKEN; @FILE or env:NAME reads it");
  group.flag("--compressed", request.compressed, "Ask for a compressed answer: gzip, deflate, br or zstd");
  group.text("--expect-status", request.expect_status, "LIST",
             "Statuses that count as success: 200,204 or 2xx [below 400]");
  group.text("--expect-body", request.expect_body, "TEXT", "Text that an answer must contain");
}

void add_raw(Command command, intake::RequestOptions& request) {
  const auto add = [&](const char* option, std::string& into, bool& given, const char* help) {
    command
        .add_option_function(
            option,
            [&into, &given](const std::string& text) {
              into = text;
              given = true;
            },
            help)
        ->type_name("BYTES")
        ->group("TCP, TLS and UDP");
  };
  add("--send", request.send, request.send_given, "Bytes to send; \\r \\n \\t \\xNN \\\\ are bytes as in C");
  add("--until", request.until, request.until_given,
      "End of an answer, escapes as above; over UDP contained in its last datagram [the first bytes received]");
  Group group(command, "TCP, TLS and UDP");
  group.text("--read", request.read, "N", "TCP: size of an answer in bytes");
}

void add_network(Command command, intake::NetworkOptions& network) {
  Group group(command, "Network");
  group.text("--timeout", network.timeout, "TIME", "Time limit of a whole request [30s]");
  group.text("--connect-timeout", network.connect_timeout, "TIME", "Time limit of connecting [10s]");
  group.text("--tls-timeout", network.tls_timeout, "TIME", "Time limit of the TLS handshake [10s]");
  group.text("--first-byte-timeout", network.first_byte_timeout, "TIME", "Time limit until the first byte [none]");
  group.text("--proxy", network.proxy, "URL",
             "HTTP proxy: http://[user:password@]host:port; @FILE or env:NAME reads it");
  group.list("--resolve", network.resolve, "HOST:PORT:ADDR", "Address to use instead of DNS; may be repeated");
  group.text("--unix-socket", network.unix_socket, "PATH", "Connect to a Unix socket; the URL gives host and path");
  group.list("--source", network.sources, "ADDR", "Local address to connect from; repeated ones take turns");
  group.flag("-4", network.ipv4, "Only IPv4");
  group.flag("-6", network.ipv6, "Only IPv6");
}

void add_http(Command command, intake::HttpOptions& http) {
  Group group(command, "HTTP");
  group.flag("--http1", http.http1, "Only HTTP/1.1");
  group.flag("--http2", http.http2, "Only HTTP/2; on http:// by prior knowledge (h2c)");
  group.text("--pipeline", http.pipeline, "N", "HTTP/1.1: requests in flight per connection [1]");
  group.text("--streams", http.streams, "N", "HTTP/2: requests in flight per connection [1]");
  group.flag("--no-keepalive", http.no_keepalive, "Open a new connection for each request");
  group.text("--requests-per-connection", http.requests_per_connection, "N", "Then open a new connection [no limit]");
  group.text("--redirects", http.redirects, "N|anywhere|N,anywhere",
             "Redirects to follow, 0 for none; anywhere: also to other hosts and ports than the URLs have [10]");
  group.flag("--no-cookies", http.no_cookies, "Do not keep cookies");
  group.flag("--new-user-per-iteration", http.new_user_per_iteration,
             "Begin each iteration without cookies and with new connections");
}

void add_tls(Command command, intake::TlsOptions& tls) {
  Group group(command, "TLS");
  group.flag("-k,--insecure", tls.insecure, "Accept any certificate");
  group.text("--cacert", tls.ca_file, "FILE", "CA certificates (PEM) instead of the system's");
  group.text("--cert", tls.certificate_file, "FILE", "Client certificate (PEM)");
  group.text("--key", tls.key_file, "FILE", "Private key of --cert (PEM)");
  group.text("--server-name", tls.server_name, "NAME", "Name for SNI and certificate verification [host of the URL]");
  group.flag("--no-tls-resume", tls.no_resume, "Use a full handshake for each connection");
}

void add_results(Command command, intake::RunOptions& options) {
  Group group(command, "Results");
  group.list("--out", options.output.outputs, "KIND=FILE",
             "Write json=FILE, csv=FILE, html=FILE or, while it runs, jsonl=FILE, samples=FILE; - is stdout");
  group.list("--threshold", options.output.thresholds, "EXPR",
             "Condition such as 'p99<200ms', 'errors<1%' or 'step:login:p95<1s'");
  group.text("--baseline", options.output.baseline, "FILE", "Compare with an earlier --out json=FILE");
  group.text("--ui", options.output.ui, "MODE",
             "full: live screen on a terminal; ci: log lines; none: only errors [full]");
  group.text("--name", options.name, "TEXT", "Name of the run");
  group.list("--tag", options.tags, "NAME=VALUE", "Tag stored in the results; may be repeated");
}

void add_api(Command command, intake::ApiOptions& api) {
  Group group(command, "API");
  group.text("--api", api.listen, "HOST:PORT",
             "Serve /metrics and, with a token, /api/v1/run, /api/v1/feed (events), changes and stop [off]");
  group.text("--api-token-file", api.token_file, "FILE",
             "File with the API token [HYPERSCALE_ADMIN_TOKEN, or generated; the run prints its file]");
  group.text("--api-cert", api.certificate_file, "FILE", "TLS for the API: certificate chain (PEM)");
  group.text("--api-key", api.key_file, "FILE", "Private key of --api-cert (PEM), readable by its owner only");
  group.list("--api-host", api.hosts, "NAME",
             "Host name that the API accepts besides addresses and localhost; may be repeated");
}

void add_machine(Command command, intake::RunOptions& options) {
  Group group(command, "This machine");
  group.text("--cores", options.cores, "N", "Executor processes [cores this process may use]");
  group.text("--loop", options.loop, "KIND", "Event loop: auto, epoll or io_uring [auto]");
  group.text("--time-limit", options.time_limit, "TIME",
             "Stop the run in order after this time, even if it is not finished");
}

constexpr const char* kFooter = R"(Examples:
  hyperscale run http://localhost:8080/                        10 users for 10 seconds
  hyperscale run -c 50 -d 30s http://localhost:8080/           50 users for 30 seconds
  hyperscale run -r 2000 -d 1m http://localhost:8080/          2000 requests per second, open loop
  hyperscale run --stage 30s:100 --stage 1m:100 --stage 10s:0 http://localhost:8080/
  hyperscale run -n 1000 -m PUT --json-body '{"a":1}' -H 'X-Key: 7' http://localhost:8080/items
  hyperscale run --body '@bodies/*.json' http://localhost:8080/items    each file in turn
  hyperscale run --graphql '{ user(id: 7) { name } }' http://localhost:8080/graphql
  hyperscale run tcp://localhost:6379 --send 'PING\r\n' --until '\r\n' --expect-body PONG
  hyperscale run -d 30s --threshold 'p99<200ms' --threshold 'errors<1%' --out html=report.html http://localhost:8080/

Ctrl-C stops in order and prints what was measured; a second one stops at once.
`hyperscale ctl status` and `hyperscale ctl stop` reach a run from another terminal.

Exit codes: 0 done (also after Ctrl-C), 1 could not be done, a share was lost or no iteration succeeded, 2 wrong usage,
99 a threshold failed, 130 stopped at once by a second signal or before the start.)";

}  // namespace

void add_request_arguments(Command command, intake::RunOptions& options) {
  add_request(command, options.request);
  add_raw(command, options.request);
  add_network(command, options.network);
  add_http(command, options.http);
  add_tls(command, options.tls);
}

void add_file_arguments(Command command, intake::RunOptions& options) {
  Group group(command, "Workflow file");
  group.list("--env", options.env, "NAME[=VALUE]",
             "Value of env() in the file; NAME alone reads it from the environment; may be repeated");
  group.list("--secret", options.secrets, "NAME[=VALUE]",
             "Value of secret() in the file, never shown, at least 4 characters; NAME as for --env");
}

void add_run_arguments(Command command, intake::RunOptions& options) {
  add_load(command, options.load);
  add_request_arguments(command, options);
  add_file_arguments(command, options);
  add_results(command, options);
  add_api(command, options.output.api);
  add_machine(command, options);
  command.footer(kFooter);
}

}  // namespace hyperscale::app
