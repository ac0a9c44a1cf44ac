// VoteFile: the durable state of a voter, in one small file of its state folder. Without it a restarted node could vote
// twice in a term.
//
// Thread rule: one thread; blocking, one fdatasync per save. The folder is locked while the object lives, so that two
// nodes cannot share it. save() is all or nothing: after a crash the file holds the old state or the new one. A file
// that cannot be read is an error, never a fresh start.
#pragma once

#include "base/owned_fd.h"
#include "base/result.h"
#include "cluster/cluster_node.h"

#include <memory>
#include <string>

namespace hyperscale::node {

class VoteFile {
 public:
  // Creates the folder (0700) if it is missing.
  static Result<std::unique_ptr<VoteFile>> open(const std::string& folder);
  VoteFile(const VoteFile&) = delete;
  VoteFile& operator=(const VoteFile&) = delete;

  // The state as last loaded or saved; the default in a new folder.
  const cluster::DurableState& state() const { return state_; }
  Status save(const cluster::DurableState& state);

 private:
  explicit VoteFile(std::string folder) : folder_(std::move(folder)) {}
  Status lock();
  Status load();
  std::string path() const { return folder_ + "/vote"; }

  std::string folder_;
  OwnedFd folder_fd_;  // holds the lock
  cluster::DurableState state_;
};

}  // namespace hyperscale::node
