// Plans out of a seed, for tests of byte forms.
#pragma once

#include "base/prng.h"
#include "plan/limits.h"
#include "plan/plan.h"

#include <cstdint>
#include <string>

namespace hyperscale::plan {

inline std::string some_text(Prng& prng, std::size_t bytes_max) {
  std::string text(prng.below(bytes_max + 1), ' ');
  for (char& c : text) c = static_cast<char>(prng.next());
  return text;
}

inline Duration some_time(Prng& prng) {
  return prng.between(0ns, prng.below(2) == 0 ? Duration(200) : kPlanDurationMax);
}

inline bool some_flag(Prng& prng) {
  return prng.below(2) == 1;
}

inline Request some_request(Prng& prng) {
  Request request{
      .method = some_text(prng, 5), .url = some_text(prng, 30), .headers = {}, .body = some_text(prng, 300)};
  request.until = some_text(prng, 10);
  request.read_bytes = prng.below(kRawAnswerBytesMax + 1);
  for (auto n = prng.below(4); n > 0; --n) request.headers.push_back({some_text(prng, 10), some_text(prng, 10)});
  return request;
}

inline Load some_load(Prng& prng) {
  Load load{.pacing = static_cast<Pacing>(prng.below(2)),
            .vus = static_cast<std::uint32_t>(prng.next()),
            .rate_per_s = prng.unit() * 1e6,
            .stages = {},
            .duration = some_time(prng),
            .iterations = prng.next(),
            .warmup = some_time(prng),
            .graceful_stop = some_time(prng),
            .think_time = some_time(prng),
            .max_lateness = some_time(prng),
            .poisson = some_flag(prng)};
  for (auto n = prng.below(4); n > 0; --n) load.stages.push_back({some_time(prng), prng.unit() * 100});
  return load;
}

inline Script some_script(Prng& prng) {
  Script script;
  script.entry = some_text(prng, 10);
  script.workflow = some_text(prng, 10);
  script.part = static_cast<ScriptPart>(prng.below(3));
  script.has_setup = some_flag(prng);
  script.has_teardown = some_flag(prng);
  for (auto n = prng.below(3); n > 0; --n)
    script.provides.push_back({.key = some_text(prng, 5), .to = {some_text(prng, 5), some_text(prng, 5)}});
  for (auto n = prng.below(3); n > 0; --n) script.files.push_back(make_blob(some_text(prng, 10), some_text(prng, 99)));
  for (auto n = prng.below(3); n > 0; --n) script.env.push_back({some_text(prng, 5), some_text(prng, 5)});
  for (auto n = prng.below(3); n > 0; --n) script.secrets.push_back({some_text(prng, 5), some_text(prng, 5)});
  return script;
}

// Every field differs from its default in most plans, so that a forgotten field is found.
inline Plan some_plan(std::uint64_t seed) {
  Prng prng(seed);
  Plan plan;
  plan.name = some_text(prng, 20);
  for (auto n = prng.below(3); n > 0; --n) plan.tags.push_back({some_text(prng, 5), some_text(prng, 5)});
  plan.seed = prng.next();
  for (auto n = prng.below(4); n > 0; --n) {
    Step& step = plan.steps.emplace_back();
    step.name = some_text(prng, 10);
    for (auto m = prng.below(3); m > 0; --m) step.depends.push_back(some_text(prng, 10));
    for (auto m = prng.below(4); m > 0; --m) step.requests.push_back(some_request(prng));
    for (auto m = prng.below(4); m > 0; --m)
      step.expect.statuses.push_back(static_cast<std::uint16_t>(prng.below(1000)));
    step.expect.body_contains = some_text(prng, 10);
    step.expect.graphql = some_flag(prng);
    step.label = some_text(prng, 10);
    for (auto m = prng.below(3); m > 0; --m) step.tags.push_back({some_text(prng, 5), some_text(prng, 5)});
    step.timeout = some_time(prng);
    step.scripted = some_flag(prng);
    step.answer_read = some_flag(prng);
  }
  for (auto n = prng.below(3); n > 0; --n)
    plan.checks.push_back({.name = some_text(prng, 10), .reads = {some_text(prng, 5)}});
  for (auto n = prng.below(3); n > 0; --n)
    plan.metrics.push_back({.name = some_text(prng, 10),
                            .kind = static_cast<MetricKind>(prng.below(4)),
                            .reads = {some_text(prng, 5), some_text(prng, 5)}});
  plan.script = some_script(prng);
  plan.load = some_load(prng);
  plan.http = {.version = static_cast<HttpVersion>(prng.below(3)),
               .pipeline = static_cast<std::uint32_t>(prng.next()),
               .streams = static_cast<std::uint32_t>(prng.next()),
               .keep_alive = some_flag(prng),
               .requests_per_connection = prng.next(),
               .redirects_max = static_cast<std::uint32_t>(prng.next()),
               .redirects_anywhere = some_flag(prng),
               .cookies = some_flag(prng),
               .new_user_per_iteration = some_flag(prng)};
  plan.network = {.timeouts = {some_time(prng), some_time(prng), some_time(prng), some_time(prng)},
                  .family = static_cast<AddressFamily>(prng.below(3)),
                  .source_addresses = {some_text(prng, 20), some_text(prng, 20)},
                  .unix_socket = some_text(prng, 20),
                  .proxy = some_text(prng, 20)};
  plan.tls = {.insecure = some_flag(prng),
              .ca_pem = some_text(prng, 50),
              .certificate_pem = some_text(prng, 50),
              .key_pem = some_text(prng, 50),
              .server_name = some_text(prng, 20),
              .resume = some_flag(prng)};
  plan.endpoints.push_back({.host = some_text(prng, 20),
                            .port = static_cast<std::uint16_t>(prng.next()),
                            .addresses = {some_text(prng, 20)},
                            .lookup_time = some_time(prng)});
  return plan;
}

}  // namespace hyperscale::plan
