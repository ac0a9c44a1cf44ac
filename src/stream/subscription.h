// Subscription: the regions of an epoch, mapped read only by a consumer and validated before use.
//
// Any thread may open one; then one thread owns it. The folder that a driver named must be an absolute path inside the
// user's own folder below an allowed base; no link in it is followed; files are regular and have the size in their
// superblocks, whose stream and epoch match the announcement and the folder's name. After an epoch change it is dropped
// as a whole, with unread samples, and the next one is opened (SHM-AUTH-3).
#pragma once

#include "base/result.h"
#include "stream/mapped_region.h"
#include "stream/policy/stream_ids.h"
#include "stream/sample_follower.h"

#include <memory>
#include <string>

namespace hyperscale::stream {

class Subscription {
 public:
  // kUnauthorized for a folder outside the base, kNotFound when the epoch is gone, kProtocol for invalid files.
  static Result<Subscription> open(const std::string& base, const std::string& folder, StreamNumber stream, Epoch epoch,
                                   SampleFollower::From from);

  SampleFollower& samples() { return *follower_; }
  Missed missed() const { return follower_->missed(); }
  Epoch epoch() const { return epoch_; }

 private:
  Epoch epoch_;
  MappedRegion header_;
  MappedRegion pool_;
  std::unique_ptr<SampleFollower> follower_;
};

}  // namespace hyperscale::stream
