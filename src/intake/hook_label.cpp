#include "intake/hook_label.h"

namespace hyperscale::intake {

std::string label_of(const workflow::Hook& hook) {
  const bool renamed = hook.request && !hook.request->name.empty();
  const bool regrouped = hook.request && !hook.request->group.empty();
  const std::string& name = renamed ? hook.request->name : hook.name;
  const std::string& group = regrouped ? hook.request->group : hook.group;
  return group.empty() ? name : group + "/" + name;
}

}  // namespace hyperscale::intake
