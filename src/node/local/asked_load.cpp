#include "node/local/asked_load.h"

namespace hyperscale::node {
namespace {

using plan::LoadChangeKind;

bool is_for_all(const plan::LoadCommand& command) {
  return command.kind == LoadChangeKind::kPause || command.kind == LoadChangeKind::kResume;
}

}  // namespace

double AskedLoad::target(std::size_t workflow, double now) const {
  const auto found = targets_.find(workflow);
  return found == targets_.end() ? now : found->second.last;
}

void AskedLoad::asked(std::size_t workflow, const plan::LoadCommand& command) {
  if (is_for_all(command)) {
    pauses_ = {pauses_.open + 1, command.kind == LoadChangeKind::kPause};
  } else {
    targets_[workflow] = {targets_[workflow].open + 1, command.value};
  }
}

void AskedLoad::answered(std::size_t workflow, const plan::LoadCommand& command) {
  if (is_for_all(command)) {
    --pauses_.open;
  } else if (--targets_[workflow].open == 0) {
    targets_.erase(workflow);
  }
}

}  // namespace hyperscale::node
