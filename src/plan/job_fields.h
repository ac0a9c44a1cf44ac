// The fields of a job in their order, with names and limits, as plan_fields.h has those of a plan: shared by the codecs
// of a job and of its manifest.
//
// docs/formats/plan.md describes them. A change needs a new version of every format that contains a job.
#pragma once

#include "plan/job.h"
#include "plan/plan_fields.h"

namespace hyperscale::plan {

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Workflow> workflow) {
  describe<Fields>(fields, workflow.plan);
  fields.choice("priority", workflow.priority, Priority::kExclusive);
  fields.flag("is test", workflow.is_test);
  fields.list("workflow dependencies", workflow.depends, kWorkflowsMax,
              [&](auto& dependency) { fields.text("workflow dependency", dependency, kNameBytesMax); });
  fields.duration("start offset", workflow.start_offset, kPlanDurationMax);
}

template <typename Fields>
void describe(Fields& fields, typename Fields::template Ref<Job> job) {
  fields.text("job name", job.name, kNameBytesMax);
  fields.list("workflows", job.workflows, kWorkflowsMax, [&](auto& workflow) { describe<Fields>(fields, workflow); });
}

}  // namespace hyperscale::plan
