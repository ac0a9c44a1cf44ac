// PreparedPlan: everything of a plan that is prepared once, before any request is sent and before anything is measured
// (HOOK-ARG-1, -2, -3): requests as bytes, addresses, TLS contexts.
#pragma once

#include "base/result.h"
#include "load/client_set.h"
#include "load/protocols/http/http_origin.h"
#include "load/protocols/prepared_request.h"
#include "plan/plan.h"

#include <memory>
#include <vector>

namespace hyperscale::load {

struct PreparedStep {
  std::vector<std::unique_ptr<Prepared>> requests;  // of one protocol; empty: the step is a function
  plan::Expectation expect;
  bool answer_read = false;         // by functions
  std::vector<std::uint16_t> rows;  // series of each request; empty: all are recorded as the step
};

// How all HTTP requests of a plan are encoded.
Result<RequestShape> shape_of(const plan::Plan& plan);
// Encodes a request of any protocol. Fails with one sentence on why it cannot be sent.
Result<std::unique_ptr<Prepared>> prepare_call(const plan::Request& request, const RequestShape& shape);

// Fails with one sentence that names what cannot be sent.
Result<std::vector<PreparedStep>> prepare_steps(const plan::Plan& plan);
// The protocols of the steps that are not functions.
ProtocolMask protocols_of(const std::vector<PreparedStep>& steps);
// Null when no cookie of the plan can have a domain of several hosts: then the list is not loaded. Loading it opens
// files; later calls in the same process do not.
Result<const PublicSuffixes*> load_public_suffixes(const plan::Plan& plan);
// Adds the origins of all requests, with their addresses, and the TLS context when one of them needs it.
Status prepare_environment(const plan::Plan& plan, const std::vector<PreparedStep>& steps,
                           HttpEnvironment& environment);

}  // namespace hyperscale::load
