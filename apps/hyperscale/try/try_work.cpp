#include "apps/hyperscale/try/try_work.h"

#include "apps/hyperscale/try/tried_workflow.h"
#include "base/exit_code.h"
#include "load/prepared_plan.h"
#include "load/protocols/tls/tls_context.h"
#include "plan/idna.h"
#include "plan/job_codec.h"
#include "plan/raw_request.h"
#include "workflow/script/engine.h"
#include "workflow/script/jsc_library.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace hyperscale::app {
namespace {

intake::WorkRights rights_to_try(std::shared_ptr<const plan::Job> shared) {
  const plan::Job& job = *shared;
  const bool unix_socket = std::ranges::any_of(
      job.workflows, [](const plan::Workflow& each) { return !each.plan.network.unix_socket.empty(); });
  intake::WorkRights rights;
  const bool datagrams =
      std::ranges::any_of(job.workflows, [](const plan::Workflow& each) { return plan::uses_datagrams(each.plan); });
  rights.sockets = runtime::tcp_and(unix_socket, datagrams);
  rights.user = unix_socket ? runtime::SandboxUser::kSame : runtime::SandboxUser::kNobody;
  rights.load = [shared = std::move(shared)] {
    load::keep_system_authorities();
    for (const plan::Workflow& workflow : shared->workflows)
      if (const auto suffixes = load::load_public_suffixes(workflow.plan); !suffixes)
        return Status(fail(suffixes.error()));
    (void)plan::domain_to_ascii("\u00e4.example");  // loads the library for non-ASCII names
    return workflow::load_jsc();
  };
  rights.start = &workflow::Engine::start;
  return rights;
}

Result<std::vector<std::uint8_t>> try_it(const plan::Job& job, TryOutput output, Glyphs glyphs) {
  const auto tried = try_job(job);
  if (!tried) return fail(tried.error());
  const bool good = std::ranges::all_of(*tried, &TriedWorkflow::good);
  std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(good ? ExitCode::kOk : ExitCode::kFailed)};
  const std::string text = output == TryOutput::kJson ? tried_json(*tried) : tried_text(*tried, glyphs);
  bytes.insert(bytes.end(), text.begin(), text.end());
  return bytes;
}

}  // namespace

std::vector<std::string> try_words(TryOutput output, Glyphs glyphs) {
  return {"try", output == TryOutput::kJson ? "json" : "text", glyphs == Glyphs::kUnicode ? "unicode" : "ascii"};
}

Result<intake::GuardedWork> prepare_try(std::span<const std::string> words, std::vector<std::uint8_t> request) {
  if (words.size() != 2) return fail(ErrorCode::kInvalidArgument, "try is told a format and glyphs");
  auto decoded = plan::decode_job(ByteView(request.data(), request.size()));
  if (!decoded) return fail(decoded.error());
  const auto job = std::make_shared<const plan::Job>(std::move(*decoded));
  const TryOutput output = words[0] == "json" ? TryOutput::kJson : TryOutput::kText;
  const Glyphs glyphs = words[1] == "unicode" ? Glyphs::kUnicode : Glyphs::kAscii;
  return intake::GuardedWork{rights_to_try(job), [job, output, glyphs] { return try_it(*job, output, glyphs); }};
}

}  // namespace hyperscale::app
