// Plan: everything that an executor needs to run its share of a test, as pure data.
//
// A URL on the command line is a plan with one step. The plan contains file contents (certificates, bodies), not paths:
// an executor opens no file. Names are resolved before the plan is sent, so it contains addresses too.
//
// Plain values; any thread. plan_codec.h gives the one canonical encoding: equal plans have equal bytes.
#pragma once

#include "base/time.h"
#include "plan/script.h"
#include "plan/tag.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hyperscale::plan {

struct Header {
  std::string name;
  std::string value;
  bool operator==(const Header&) const = default;
};

// One request as described by the user; load/protocols/prepared.h encodes it. The scheme of its URL selects the
// protocol (protocol.h); raw_request.h defines the fields of a raw one.
struct Request {
  std::string method = "GET";
  std::string url;  // absolute, already checked by parse_target_url
  std::vector<Header> headers;
  std::string body;
  std::string until = {};        // raw: end of the answer
  std::uint64_t read_bytes = 0;  // raw: or its length
  bool operator==(const Request&) const = default;
};

// What an answer must look like to count as a success. An empty list of statuses means "below 400".
struct Expectation {
  std::vector<std::uint16_t> statuses;
  std::string body_contains;
  bool graphql = false;  // and its body is a GraphQL response without errors
  bool operator==(const Expectation&) const = default;
};

// One action of the iteration. It begins when all steps that it depends on have been answered; steps that wait for
// nothing begin together. Several requests are rows: iteration number i sends row i modulo their count. A scripted step
// has no request: a function of the plan's script makes its calls.
struct Step {
  std::string name;
  std::vector<std::string> depends = {};  // names of other steps
  std::vector<Request> requests = {};
  Expectation expect = {};
  std::string label = {};  // in results; empty: the name
  std::vector<Tag> tags = {};
  Duration timeout{};        // of its exchanges; zero: the plan's
  bool scripted = false;     // a function of the script
  bool answer_read = false;  // not scripted: functions of the script read its answer
  bool operator==(const Step&) const = default;
};

enum class Pacing : std::uint8_t {
  kClosed,  // each virtual user starts its next iteration when the last one has ended
  kOpen,    // iterations start by a schedule, independent of answers
};

// Linear change of the target (virtual users when closed, iterations per second when open) over `duration`. A duration
// of zero jumps.
struct Stage {
  Duration duration{};
  double target = 0;
  bool operator==(const Stage&) const = default;
};

struct Load {
  Pacing pacing = Pacing::kClosed;
  std::uint32_t vus = 1;         // closed: how many; open: the most that may be busy at once
  double rate_per_s = 0;         // open: constant rate, or where the first stage starts
  std::vector<Stage> stages;     // empty: constant; otherwise their sum is the duration
  Duration duration{};           // zero: until `iterations` are done
  std::uint64_t iterations = 0;  // zero: until `duration` has passed; both: whichever comes first
  Duration warmup{};             // runs before `duration` at the first target; not counted
  Duration graceful_stop = 30s;  // time for exchanges in flight after the end
  Duration think_time{};         // closed: pause of a user between two iterations
  Duration max_lateness = 30s;   // open: an iteration that could not start within this time is dropped
  bool poisson = false;          // open: exponential gaps from the seed instead of even ones
  bool operator==(const Load&) const = default;
};

enum class HttpVersion : std::uint8_t { kAuto, kHttp1, kHttp2 };
enum class AddressFamily : std::uint8_t { kAny, kIpv4, kIpv6 };

struct Timeouts {
  Duration connect = 10s;
  Duration tls = 10s;
  Duration first_byte{};  // zero: only the total counts
  Duration total = 30s;   // from the start of the exchange to its last byte
  bool operator==(const Timeouts&) const = default;
};

struct Http {
  HttpVersion version = HttpVersion::kAuto;
  std::uint32_t pipeline = 1;  // HTTP/1.1: requests in flight on one connection
  std::uint32_t streams = 1;   // HTTP/2: requests in flight on one connection
  bool keep_alive = true;
  std::uint64_t requests_per_connection = 0;  // zero: no limit
  std::uint32_t redirects_max = 10;
  bool redirects_anywhere = false;  // also to hosts and ports that the plan does not name
  bool cookies = true;
  bool new_user_per_iteration = false;  // an iteration begins without cookies and without connections
  bool operator==(const Http&) const = default;
};

struct Network {
  Timeouts timeouts;
  AddressFamily family = AddressFamily::kAny;
  std::vector<std::string> source_addresses;  // in rotation over virtual users
  std::string unix_socket;                    // path; the URL then only fills Host and path
  std::string proxy;                          // http://[user:password@]host:port
  bool operator==(const Network&) const = default;
};

// PEM texts. Secrets: never printed, never part of a result.
struct Tls {
  bool insecure = false;
  std::string ca_pem;
  std::string certificate_pem;
  std::string key_pem;
  std::string server_name;  // instead of the URL's host
  bool resume = true;
  bool operator==(const Tls&) const = default;
};

// The addresses of a host:port in the plan's URLs (or of the proxy). Filled by the resolver before the run.
struct Endpoint {
  std::string host;  // as in the URL, lower case, without brackets
  std::uint16_t port = 0;
  std::vector<std::string> addresses;  // "192.0.2.1", "2001:db8::1"; in rotation over virtual users
  Duration lookup_time{};
  bool operator==(const Endpoint&) const = default;
};

struct Plan {
  std::string name;
  std::vector<Tag> tags;
  std::uint64_t seed = 0;
  std::vector<Step> steps;
  std::vector<Check> checks;
  std::vector<Metric> metrics;
  Script script;
  Load load;
  Http http;
  Network network;
  Tls tls;
  std::vector<Endpoint> endpoints;
  bool operator==(const Plan&) const = default;
};

}  // namespace hyperscale::plan
