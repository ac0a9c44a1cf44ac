// Subscription: the regions of an epoch as a consumer sees them: read only, and checked before a byte is believed.
//
// Any thread may open one; it is one thread's then. The folder that a driver named must be an absolute path inside the
// user's own folder below an allowed base; no link in it is followed; files are regular and have the size that their
// superblocks say, which are those of the stream and epoch that were announced and that the folder is called by. After
// an epoch change it is dropped as a whole, with what was not read yet, and the next one is opened (SHM-AUTH-3).
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
  // kUnauthorized for a folder outside the base, kNotFound when the epoch is gone, kProtocol for files that are not
  // what they should be.
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
