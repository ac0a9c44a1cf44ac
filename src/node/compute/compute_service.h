// ComputeService: runs a job for a caller under a facet's permits, at once or accepted for later.
//
// Every ending is typed: the result, Accepted (202) with an id, Busy when a permit, tenant limit or the queue is
// exhausted, Timeout at the soft deadline, shortly before the hard deadline of the listener. Thread rule: any
// strand. ComputeParts::accepted_jobs counts accepted jobs until they finish.
#pragma once

#include "node/compute/compute_role.h"

#include <string>

#include <boost/asio/awaitable.hpp>

namespace hyperscale::node {

struct ComputeRequest {
  std::string facet = "compute";
  std::string tenant;
  std::uint32_t units = 1;
  std::string endpoint;  // metrics label
  MonoTime deadline;     // soft
  runtime::CancelToken cancel;
};

class ComputeService {
 public:
  explicit ComputeService(ComputeParts& parts) : parts_(parts) {}

  asio::awaitable<Result<SharedBytes>> run(runtime::Job job, ComputeRequest request);
  // Returns the id for fetching the result.
  Result<std::uint64_t> accept(runtime::Job job, ComputeRequest request);

 private:
  struct Admission;
  Result<std::shared_ptr<Admission>> admit(const ComputeRequest& request);
  asio::awaitable<Result<SharedBytes>> run_admitted(runtime::Job job, std::shared_ptr<Admission> admission,
                                                    std::string endpoint, MonoTime deadline);
  // Outlives the service that accepted the job, so it references the parts, not the service.
  static asio::awaitable<void> run_accepted(ComputeParts& parts, runtime::Job job, std::shared_ptr<Admission> admission,
                                            ComputeRequest request, std::uint64_t id);

  ComputeParts& parts_;
};

}  // namespace hyperscale::node
