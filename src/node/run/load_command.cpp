#include "node/run/load_command.h"

#include "node/run/option_values.h"
#include "plan/limits.h"

#include <fmt/format.h>

namespace hyperscale::node {

using plan::LoadChangeKind;

Result<LoadCommand> read_load_command(std::string_view text) {
  if (text == "pause") return LoadCommand{LoadChangeKind::kPause, 0};
  if (text == "resume") return LoadCommand{LoadChangeKind::kResume, 0};
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const std::string_view value = equals == text.npos ? std::string_view() : text.substr(equals + 1);
  if (name == "vus" && equals != text.npos) {
    const auto users = read_count("vus", value, 0, plan::kVusMax);
    if (!users) return fail(users.error());
    return LoadCommand{LoadChangeKind::kUsers, static_cast<double>(*users)};
  }
  if (name == "rate" && equals != text.npos) {
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
  return text_of(request.command) + "\n" + request.workflow;
}

Result<LoadRequest> decode_load_request(std::string_view text) {
  const std::size_t line = text.find('\n');
  if (line == text.npos) return fail(ErrorCode::kProtocol, "a change without its workflow");
  auto command = read_load_command(text.substr(0, line));
  if (!command) return fail(command.error());
  const std::string_view workflow = text.substr(line + 1);
  if (workflow.size() > plan::kNameBytesMax) return fail(ErrorCode::kProtocol, "a name that is too long");
  return LoadRequest{*command, std::string(workflow)};
}

}  // namespace hyperscale::node
