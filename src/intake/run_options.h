// RunOptions: the options of `hyperscale run`, as written by the user. Unchecked; plan_from_options.h converts them to
// a plan or reports what is wrong.
//
// Plain value. An empty text means that the option was not given.
#pragma once

#include <string>
#include <vector>

namespace hyperscale::intake {

struct LoadOptions {
  std::string vus, duration, requests, iterations, rate;
  std::vector<std::string> stages;
  std::string think_time, warmup, graceful_stop, seed;
  bool poisson = false;
};

struct RequestOptions {
  std::string url, urls_file;
  std::vector<std::string> headers;
  std::string method;
  std::string body, body_file, json_body;
  bool body_given = false;  // distinguishes an empty body from none
  std::vector<std::string> form;
  std::string graphql, variables, operation;
  std::string auth;
  std::string send, until, read;                 // raw: bytes with escapes; end or length of an answer
  bool send_given = false, until_given = false;  // empty ones are invalid, not missing
  std::string expect_status, expect_body;
  bool compressed = false;
  bool operator==(const RequestOptions&) const = default;
};

struct NetworkOptions {
  std::string proxy, unix_socket;
  std::vector<std::string> resolve, sources;
  bool ipv4 = false, ipv6 = false;
  std::string timeout, connect_timeout, tls_timeout, first_byte_timeout;
};

struct HttpOptions {
  bool http1 = false, http2 = false;
  bool no_keepalive = false, no_cookies = false, new_user_per_iteration = false;
  std::string requests_per_connection, pipeline, streams, redirects;
};

struct TlsOptions {
  bool insecure = false, no_resume = false;
  std::string ca_file, certificate_file, key_file, server_name;
};

struct ApiOptions {
  std::string listen;  // "HOST:PORT"; empty: no API
  std::string certificate_file, key_file, token_file;
  std::vector<std::string> hosts;
};

struct OutputOptions {
  std::vector<std::string> outputs;  // "json=FILE"
  std::string ui;
  std::vector<std::string> thresholds;
  std::string baseline;
  ApiOptions api;
};

struct RunOptions {
  LoadOptions load;
  RequestOptions request;
  NetworkOptions network;
  HttpOptions http;
  TlsOptions tls;
  OutputOptions output;
  std::string name;
  std::vector<std::string> tags;
  std::vector<std::string> env;      // for a workflow file
  std::vector<std::string> secrets;  // for a workflow file
  std::string cores;
  std::string loop;
  std::string time_limit;
};

}  // namespace hyperscale::intake
