#include "jobs/blobs/blob_index.h"

#include "base/check.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::jobs {

Status BlobIndex::check(std::span<const wire::BlobName> names) const {
  std::map<wire::Sha256, std::uint64_t> sizes;
  for (const wire::BlobName& name : names) {
    if (name.bytes == 0 || name.bytes > plan::kBlobBytesMax)
      return invalid(fmt::format("a blob of {} bytes; one has 1 to {}", name.bytes, plan::kBlobBytesMax));
    const auto known = blobs_.find(name.sha256);
    const std::uint64_t here = known == blobs_.end() ? name.bytes : known->second.bytes;
    const std::uint64_t bytes = sizes.emplace(name.sha256, here).first->second;
    if (bytes != name.bytes)
      return fail(ErrorCode::kConflict, fmt::format("a blob of {} bytes is known with {} bytes", name.bytes, bytes));
  }
  return {};
}

Status BlobIndex::check_room(std::span<const wire::BlobName> names) {
  std::map<wire::Sha256, std::uint64_t> distinct;
  for (const wire::BlobName& name : names) distinct.emplace(name.sha256, name.bytes);
  std::uint64_t whole = 0;
  std::uint64_t added = 0;
  std::uint64_t kept = reserved_bytes_;  // cannot be evicted
  std::size_t blobs_kept = blobs_.size() - idle_.size();
  for (const auto& [hash, bytes] : distinct) {
    whole += bytes;
    const auto known = blobs_.find(hash);
    if (known == blobs_.end()) added += bytes;
    if (known != blobs_.end() && known->second.jobs > 0) continue;
    kept += bytes;
    ++blobs_kept;
  }
  if (kept <= limits_.bytes_max && blobs_kept <= limits_.blobs_max) return {};
  ++counts_.refused;
  if (whole > limits_.bytes_max || distinct.size() > limits_.blobs_max)
    return fail(ErrorCode::kTooLarge, fmt::format("{} blobs have {} bytes; this node keeps {} blobs and {} bytes",
                                                  distinct.size(), whole, limits_.blobs_max, limits_.bytes_max));
  return fail(ErrorCode::kBusy, fmt::format("{} bytes are needed for blobs that are not here; other jobs keep {} blobs "
                                            "and {} bytes of {}",
                                            added, blobs_.size() - idle_.size(), reserved_bytes_, limits_.bytes_max));
}

Result<std::vector<wire::Sha256>> BlobIndex::reserve(const std::string& job, std::span<const wire::BlobName> names) {
  if (const Status valid = check(names); !valid) return fail(valid.error());
  if (const Status room = check_room(names); !room) return fail(room.error());
  std::set<wire::Sha256>& own = jobs_[job];
  for (const wire::BlobName& name : names) {
    if (!own.insert(name.sha256).second) continue;
    const auto [blob, is_new] = blobs_.try_emplace(name.sha256, Blob{.bytes = name.bytes});
    if (is_new) bytes_ += name.bytes;
    pin(blob->second);
  }
  std::vector<wire::Sha256> evicted;
  while (bytes_ > limits_.bytes_max || blobs_.size() > limits_.blobs_max) {
    CHECK(!idle_.empty(), "{} bytes in {} blobs and nothing to evict", bytes_, blobs_.size());
    evicted.push_back(idle_.begin()->second);
    erase(blobs_.find(evicted.back()));
    ++counts_.evicted;
  }
  return evicted;
}

std::vector<wire::Sha256> BlobIndex::release(const std::string& job) {
  std::vector<wire::Sha256> dropped;
  const auto own = jobs_.extract(job);
  if (own.empty()) return dropped;
  for (const wire::Sha256& hash : own.mapped()) {
    const auto blob = blobs_.find(hash);
    CHECK(blob != blobs_.end(), "a reserved blob of {} is gone", job);
    unpin(hash, blob->second);
    if (blob->second.jobs > 0 || blob->second.state == State::kPresent) continue;
    dropped.push_back(hash);
    erase(blob);
  }
  return dropped;
}

bool BlobIndex::adopt(const wire::BlobName& name) {
  const bool fits = name.bytes > 0 && name.bytes <= plan::kBlobBytesMax && name.bytes <= limits_.bytes_max - bytes_ &&
                    blobs_.size() < limits_.blobs_max;
  if (!fits || blobs_.contains(name.sha256)) return false;
  Blob& blob = blobs_[name.sha256];
  blob = {.bytes = name.bytes, .state = State::kPresent, .use = ++uses_};
  idle_.emplace(blob.use, name.sha256);
  bytes_ += name.bytes;
  return true;
}

AddedPart BlobIndex::add_part(const wire::Sha256& hash, std::uint64_t offset, std::size_t bytes) {
  const auto found = blobs_.find(hash);
  if (found == blobs_.end()) return AddedPart::kUnwanted;
  Blob& blob = found->second;
  if (offset % wire::kBlobPartBytes != 0 || offset >= blob.bytes) return AddedPart::kMisfit;
  if (bytes != std::min<std::uint64_t>(wire::kBlobPartBytes, blob.bytes - offset)) return AddedPart::kMisfit;
  const std::size_t part = offset / wire::kBlobPartBytes;
  if (blob.state != State::kReceiving || blob.parts.test(part)) return AddedPart::kRepeated;
  blob.parts.set(part);
  if (blob.parts.count() < blob.parts_total()) return AddedPart::kStored;
  blob.state = State::kUnchecked;
  return AddedPart::kLast;
}

bool BlobIndex::checked(const wire::Sha256& hash, const wire::Sha256& found) {
  const auto blob = blobs_.find(hash);
  if (blob == blobs_.end() || blob->second.state != State::kUnchecked) return false;
  if (found == hash) {
    blob->second.state = State::kPresent;
    return true;
  }
  ++counts_.damaged;
  ++blob->second.failures;
  lost(hash);
  return false;
}

void BlobIndex::lost(const wire::Sha256& hash) {
  const auto blob = blobs_.find(hash);
  if (blob == blobs_.end()) return;
  if (blob->second.jobs == 0) return erase(blob);
  blob->second.state = State::kReceiving;
  blob->second.parts.reset();
}

void BlobIndex::used(const wire::Sha256& hash) {
  const auto blob = blobs_.find(hash);
  if (blob == blobs_.end() || blob->second.jobs > 0) return;
  idle_.erase(blob->second.use);
  blob->second.use = ++uses_;
  idle_.emplace(blob->second.use, hash);
}

bool BlobIndex::present(const wire::Sha256& hash) const {
  const auto blob = blobs_.find(hash);
  return blob != blobs_.end() && blob->second.state == State::kPresent;
}

std::vector<std::uint64_t> BlobIndex::missing(const wire::Sha256& hash) const {
  std::vector<std::uint64_t> offsets;
  const auto blob = blobs_.find(hash);
  if (blob == blobs_.end() || blob->second.state != State::kReceiving) return offsets;
  for (std::size_t part = 0; part < blob->second.parts_total(); ++part)
    if (!blob->second.parts.test(part)) offsets.push_back(part * wire::kBlobPartBytes);
  return offsets;
}

std::vector<wire::BlobName> BlobIndex::absent(const std::string& job) const {
  std::vector<wire::BlobName> names;
  const auto own = jobs_.find(job);
  if (own == jobs_.end()) return names;
  for (const wire::Sha256& hash : own->second)
    if (!present(hash)) names.push_back({.sha256 = hash, .bytes = blobs_.at(hash).bytes});
  return names;
}

std::uint32_t BlobIndex::failures(const wire::Sha256& hash) const {
  const auto blob = blobs_.find(hash);
  return blob == blobs_.end() ? 0 : blob->second.failures;
}

void BlobIndex::pin(Blob& blob) {
  if (blob.jobs++ > 0) return;
  reserved_bytes_ += blob.bytes;
  idle_.erase(std::exchange(blob.use, 0));
}

void BlobIndex::unpin(const wire::Sha256& hash, Blob& blob) {
  CHECK(blob.jobs > 0, "a blob is released more often than reserved");
  if (--blob.jobs > 0) return;
  reserved_bytes_ -= blob.bytes;
  blob.use = ++uses_;
  idle_.emplace(blob.use, hash);
}

void BlobIndex::erase(Blobs::iterator blob) {
  CHECK(blob != blobs_.end() && blob->second.jobs == 0, "a reserved blob is erased");
  idle_.erase(blob->second.use);
  bytes_ -= blob->second.bytes;
  blobs_.erase(blob);
}

}  // namespace hyperscale::jobs
