#include "intake/run_description.h"

#include "base/duration_text.h"
#include "base/number_text.h"
#include "plan/protocol.h"
#include "plan/script_urls.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hyperscale::intake {
namespace {

std::string users_text(std::uint32_t vus) {
  return fmt::format("{} user{}", count_text(vus), vus == 1 ? "" : "s");
}

std::string stages_text(const plan::Load& load) {
  const bool open = load.pacing == plan::Pacing::kOpen;
  const auto target = [&](double value) {
    return open ? rate_text(value) : count_text(static_cast<std::uint64_t>(value));
  };
  std::string text = target(open ? load.rate_per_s : 0);
  for (const plan::Stage& stage : load.stages) text += " > " + target(stage.target);
  return fmt::format("{}{} over {}", open ? "" : "users ", text, format_duration(load.duration));
}

std::string http_text(const plan::Plan& plan, const results::HttpVersions& spoken, bool secure) {
  const std::string name = secure ? "HTTPS" : "HTTP";
  if (std::string text = results::spoken_text(spoken, name); !text.empty()) return text;
  switch (plan.http.version) {
    case plan::HttpVersion::kHttp1:
      return name + "/1.1";
    case plan::HttpVersion::kHttp2:
      return name + "/2";
    case plan::HttpVersion::kAuto:
      break;
  }
  return secure ? name : name + "/1.1";
}

std::string end_text(const plan::Load& load) {
  std::string text;
  if (load.duration > Duration::zero()) text += " for " + format_duration(load.duration);
  if (load.iterations > 0) {
    text += fmt::format(", {}{} iteration{}", text.empty() ? "" : "at most ", count_text(load.iterations),
                        load.iterations == 1 ? "" : "s");
  }
  return text;
}

}  // namespace

std::string describe_load(const plan::Load& load) {
  const bool open = load.pacing == plan::Pacing::kOpen;
  std::string text;
  if (!load.stages.empty()) {
    text = stages_text(load);
  } else {
    text = (open ? rate_text(load.rate_per_s) : users_text(load.vus)) + end_text(load);
  }
  if (open && load.poisson) text += ", Poisson arrivals";
  if (open) text += ", at most " + users_text(load.vus);
  if (load.warmup > Duration::zero()) text += fmt::format(", after {} of warm-up", format_duration(load.warmup));
  return text;
}

std::string target_of(const plan::Plan& plan) {
  for (const plan::Step& step : plan.steps)
    if (!step.requests.empty()) return step.requests.front().url;
  const std::vector<std::string> urls = plan::urls_in_script(plan.script);
  return urls.empty() ? plan.script.entry : urls.front();
}

std::string describe_protocol(const plan::Plan& plan, const results::HttpVersions& spoken) {
  bool http = false;
  bool secure = false;  // the first URL of HTTP
  std::vector<std::string> spoken_by_others;
  const auto look_at = [&](const std::string& url) {
    if (plan::protocol_of(url) == plan::Protocol::kHttp) {
      secure = http ? secure : url.starts_with("https:");
      http = true;
      return;
    }
    std::string name = url.starts_with("udp:") ? "UDP" : url.starts_with("tls:") ? "TLS" : "TCP";
    if (std::ranges::find(spoken_by_others, name) == spoken_by_others.end())
      spoken_by_others.push_back(std::move(name));
  };
  for (const plan::Step& step : plan.steps)
    for (const plan::Request& request : step.requests) look_at(request.url);
  for (const std::string& url : plan::urls_in_script(plan.script)) look_at(url);
  std::vector<std::string> all;
  if (http || spoken != results::HttpVersions() || spoken_by_others.empty())
    all.push_back(http_text(plan, spoken, secure));
  all.insert(all.end(), spoken_by_others.begin(), spoken_by_others.end());
  return fmt::format("{}", fmt::join(all, " and "));
}

}  // namespace hyperscale::intake
