#include "intake/described_in_child.h"

#include "intake/describe_work.h"
#include "intake/workflow_file.h"

namespace hyperscale::intake {

Result<DescribedJob> described_in_child(const std::string& file, const std::vector<std::string>& env,
                                        const std::vector<std::string>& secrets, const plan::Plan& settings,
                                        const ChildLimits& limits) {
  const auto variables = read_script_variables(env, secrets);
  if (!variables) return fail(variables.error());
  auto request = encode_describing(settings, *variables);
  if (!request) return fail(request.error());
  const auto answer = answer_of_child({.file = file, .work = {"describe", file}, .request = std::move(*request)},
                                      files_to_describe(file), limits);
  if (!answer) return fail(answer.error());
  return decode_described_job(*answer);
}

}  // namespace hyperscale::intake
