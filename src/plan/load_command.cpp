#include "plan/load_command.h"

#include "plan/limits.h"
#include "plan/option_values.h"

#include <fmt/format.h>

namespace hyperscale::plan {

using plan::LoadChangeKind;

Result<LoadCommand> read_load_command(std::string_view text) {
  if (text == "pause") return LoadCommand{LoadChangeKind::kPause, 0};
  if (text == "resume") return LoadCommand{LoadChangeKind::kResume, 0};
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  if (name == "vus" && equals != std::string_view::npos) {
    const auto users = read_count("vus", value, 0, plan::kVusMax);
    if (!users) return fail(users.error());
    return LoadCommand{LoadChangeKind::kUsers, static_cast<double>(*users)};
  }
  if (name == "rate" && equals != std::string_view::npos) {
    const auto rate = read_rate("rate", value, true);
    if (!rate) return fail(rate.error());
    return LoadCommand{LoadChangeKind::kRate, *rate};
  }
  return fail(ErrorCode::kInvalidArgument, fmt::format("{} is not one of vus=N, rate=N, pause, resume", shown(text)));
}

std::string text_of(const LoadCommand& command) {
  switch (command.kind) {
    case LoadChangeKind::kUsers:
      return fmt::format("vus={}", command.value);
    case LoadChangeKind::kRate:
      return fmt::format("rate={}", command.value);
    case LoadChangeKind::kPause:
      return "pause";
    case LoadChangeKind::kResume:
      return "resume";
  }
  return {};
}

std::string encode(const LoadRequest& request) {
  const std::string basis = request.basis_tick ? std::to_string(*request.basis_tick) : "";
  return fmt::format("{}\n{}\n{}", text_of(request.command), basis, request.workflow);
}

Result<LoadRequest> decode_load_request(std::string_view text) {
  const std::size_t first = text.find('\n');
  const std::size_t second = first == std::string_view::npos ? first : text.find('\n', first + 1);
  if (second == std::string_view::npos)
    return fail(ErrorCode::kProtocol, "a change has a line for its basis and one for its workflow");
  auto command = read_load_command(text.substr(0, first));
  if (!command) return fail(command.error());
  LoadRequest request{*command, std::string(text.substr(second + 1)), std::nullopt};
  if (request.workflow.size() > plan::kNameBytesMax) return fail(ErrorCode::kProtocol, "a name that is too long");
  if (const std::string_view basis = text.substr(first + 1, second - first - 1); !basis.empty()) {
    const auto tick = read_count("basis", basis, 0, UINT64_MAX);
    if (!tick) return fail(tick.error());
    request.basis_tick = *tick;
  }
  return request;
}

}  // namespace hyperscale::plan
