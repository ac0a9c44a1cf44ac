#include "intake/describe_work.h"

#include "base/sealed_record.h"
#include "intake/guarded_child.h"
#include "plan/idna.h"
#include "plan/job_codec.h"
#include "plan/limits.h"
#include "plan/plan_codec.h"
#include "workflow/script/engine.h"
#include "workflow/script/jsc_library.h"

#include <utility>

#include <fmt/format.h>

namespace hyperscale::intake {
namespace {

constexpr std::size_t kThresholdsMax = 10'000;
constexpr std::size_t kThresholdBytesMax = 1024;
constexpr Seal kSeal{.what = "described job",
                     .magic = {'H', 'S', 'D', 'J'},
                     .version = 1,
                     .bytes_max = plan::kJobBytesMax + kThresholdsMax * (kThresholdBytesMax + 16) + 64};
static_assert(kSeal.bytes_max < ChildLimits().answer_bytes);

// Thresholds are sent as text: parsing it again gives the same threshold.
struct ThresholdPart {
  std::string text;
  bool abort_on_fail = false;
  Duration delay{};
};
struct Parts {
  std::vector<ThresholdPart> thresholds;
  std::string job;
};

constexpr auto kDescribe = [](auto& fields, auto& parts) {
  fields.list("thresholds", parts.thresholds, kThresholdsMax, [&](auto& threshold) {
    fields.text("threshold", threshold.text, kThresholdBytesMax);
    fields.flag("abort on fail", threshold.abort_on_fail);
    fields.duration("delay", threshold.delay, plan::kPlanDurationMax);
  });
  fields.text("job", parts.job, plan::kJobBytesMax);
};

}  // namespace

Result<std::vector<std::uint8_t>> encode(const DescribedJob& described) {
  if (Status fits = plan::check_limits(described.job); !fits) return fail(fits.error());
  Parts parts;
  for (const results::RunThreshold& each : described.thresholds)
    parts.thresholds.push_back({each.threshold.text(), each.abort_on_fail, each.delay});
  const std::vector<std::uint8_t> job = plan::encode(described.job);
  parts.job.assign(job.begin(), job.end());
  return seal_record(kSeal, parts, kDescribe);
}

Result<DescribedJob> decode_described_job(ByteView bytes) {
  const auto parts = open_record<Parts>(kSeal, bytes, kDescribe);
  if (!parts) return fail(parts.error());
  auto job = plan::decode_job(ByteView(reinterpret_cast<const std::uint8_t*>(parts->job.data()), parts->job.size()));
  if (!job) return fail(job.error());
  DescribedJob described{.job = std::move(*job), .thresholds = {}};
  for (const ThresholdPart& part : parts->thresholds) {
    auto threshold = results::parse_scoped(part.text);
    if (!threshold)
      return fail(ErrorCode::kProtocol, fmt::format("described job bytes: {}", threshold.error().context));
    described.thresholds.push_back({std::move(*threshold), part.abort_on_fail, part.delay});
  }
  return described;
}

Result<std::vector<std::uint8_t>> encode_describing(plan::Plan settings, const ScriptVariables& variables) {
  settings.script.env = variables.env;
  settings.script.secrets = variables.secrets;
  if (Status fits = plan::check_limits(settings); !fits) return fail(fits.error());
  return plan::encode(settings);
}

Result<Describing> decode_describing(std::span<const std::uint8_t> request) {
  auto settings = plan::decode_plan(ByteView(request.data(), request.size()));
  if (!settings) return fail(settings.error());
  ScriptVariables variables{std::move(settings->script.env), std::move(settings->script.secrets)};
  settings->script = {};
  return Describing{std::move(*settings), std::move(variables)};
}

WorkRights rights_to_describe() {
  WorkRights rights;
  rights.load = [] {
    (void)plan::domain_to_ascii("\u00e4.example");  // loads its library
    return workflow::load_jsc();
  };
  rights.start = &workflow::Engine::start;
  return rights;
}

Result<GuardedWork> prepare_describing(std::span<const std::string> words, std::vector<std::uint8_t> request) {
  if (words.size() != 1) return fail(ErrorCode::kInvalidArgument, "describe is told a path");
  auto asked = decode_describing(request);
  if (!asked) return fail(asked.error());
  return GuardedWork{rights_to_describe(),
                     [file = words.front(), asked = std::move(*asked)]() -> Result<std::vector<std::uint8_t>> {
                       auto found = describe_file(file, asked.variables, asked.settings.seed, open_in_parent);
                       if (!found) return fail(found.error());
                       plan::Plan with_script = asked.settings;
                       with_script.script = std::move(found->script);
                       const auto described = job_of(found->description, with_script);
                       if (!described) return fail(described.error());
                       auto bytes = encode(*described);
                       if (!bytes) return fail(bytes.error().code, fmt::format("{}: {}", file, bytes.error().context));
                       return bytes;
                     }};
}

}  // namespace hyperscale::intake
