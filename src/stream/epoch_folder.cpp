#include "stream/epoch_folder.h"

#include "base/errno_text.h"
#include "stream/private_folder.h"
#include "stream/process_identity.h"
#include "stream/slot_header.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

constexpr std::string_view kTombstone = ".removed-";
constexpr std::array kFiles = {kHeaderFile, kPoolFile, kCountersFile};

// Removes the known files by name first: listing the folder needs a descriptor, which may not be available.
void unlink_files(int epoch_folder) {
  for (const char* name : kFiles) ::unlinkat(epoch_folder, name, 0);
  for (const FolderEntry& entry : entries_of(epoch_folder)) ::unlinkat(epoch_folder, entry.name.c_str(), 0);
}

Status remove_tombstone(int stream_folder, const std::string& name) {
  const OwnedFd folder(::openat(stream_folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder.valid()) unlink_files(folder.get());
  if (::unlinkat(stream_folder, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT)
    return fail(ErrorCode::kUnavailable, fmt::format("cannot remove {}: {}", name, errno_text(errno)));
  return {};
}

Superblock block_of(const Provision& what, RegionType type, std::uint64_t now_ns) {
  const bool ring = type != RegionType::kCounters;
  const bool pool = type == RegionType::kPayloadPool;
  return {.epoch = what.epoch,
          .stream = what.stream,
          .type = type,
          .pool = pool ? kPoolNumber : std::uint16_t{0},
          .nslots = ring ? what.layout.nslots : 0,
          .slot_bytes = pool   ? what.layout.stride_bytes
                        : ring ? kSlotHeaderBytes
                               : 0,
          .stride_bytes = pool ? what.layout.stride_bytes : 0,
          .pid = what.owner.id.value(),
          .started_ns = what.owner.started_ns,
          .activity_ns = now_ns};
}

Result<EpochRegions> make_regions(int folder, const Provision& what, std::uint64_t now_ns) {
  const RegionLayout& layout = what.layout;
  auto header = MappedRegion::create(folder, kHeaderFile, {layout.header_file_bytes(), layout.header_file_bytes()});
  if (!header) return fail(header.error());
  auto pool = MappedRegion::create(folder, kPoolFile, {layout.pool_file_bytes(), layout.pool_file_bytes()});
  if (!pool) return fail(pool.error());
  auto counters = MappedRegion::create(
      folder, kCountersFile,
      {std::max(layout.counters_reserved_bytes, kSuperblockBytes), std::max(layout.counters_bytes, kSuperblockBytes)});
  if (!counters) return fail(counters.error());
  for (std::uint32_t slot = 0; slot < layout.nslots; ++slot)
    prepare_slot(header->at(kSuperblockBytes + std::uint64_t{slot} * kSlotHeaderBytes), layout.stride_bytes);
  // The header last: readers open an epoch through it.
  publish_superblock(counters->data(), block_of(what, RegionType::kCounters, now_ns));
  publish_superblock(pool->data(), block_of(what, RegionType::kPayloadPool, now_ns));
  publish_superblock(header->data(), block_of(what, RegionType::kHeaderRing, now_ns));
  return EpochRegions{std::move(*header), std::move(*pool), std::move(*counters)};
}

// A superblock without mapping its file: the file may be shorter than one.
std::optional<Superblock> peek(int folder, const char* name) {
  const OwnedFd file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  alignas(std::uint64_t) std::array<std::byte, kSuperblockBytes> bytes{};
  if (!file.valid() || ::pread(file.get(), bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return std::nullopt;
  return read_superblock(bytes.data());
}

EpochFacts facts_of(int folder, Epoch epoch, const LookContext& context) {
  EpochFacts facts{.epoch = epoch, .owner = Owner::kNone};
  bool whole = false;
  for (const char* name : kFiles) {
    struct stat info{};
    if (::fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0)
      facts.bytes += static_cast<std::uint64_t>(info.st_blocks) * 512;
    const auto block = peek(folder, name);
    if (!block) continue;
    whole = true;
    facts.activity_ns = std::max(facts.activity_ns, block->activity_ns);
    const Owner owner = block->pid == 0          ? Owner::kNone
                        : context.pids_are_known ? owner_state(block->pid, block->started_ns)
                                                 : Owner::kAlive;
    facts.owner = std::max(facts.owner, owner);
  }
  if (!whole) facts.activity_ns = changed_ns(folder);
  return facts;
}

}  // namespace

void EpochRegions::own(std::uint64_t pid, std::uint64_t started_ns) const {
  for (const MappedRegion* region : {&header, &pool, &counters}) set_owner(region->data(), pid, started_ns);
}

Result<EpochRegions> map_regions(std::array<OwnedFd, 3> files, const RegionLayout& layout) {
  using enum MappedRegion::Access;
  auto header = MappedRegion::map(std::move(files[0]), layout.header_file_bytes(), kWrite);
  auto pool = MappedRegion::map(std::move(files[1]), layout.pool_file_bytes(), kWrite);
  auto counters = MappedRegion::map(std::move(files[2]), layout.counters_bytes, kWrite);
  if (!header) return fail(header.error());
  if (!pool) return fail(pool.error());
  if (!counters) return fail(counters.error());
  const auto ring = read_superblock(header->data());
  const auto values = read_superblock(pool->data());
  const auto counts = read_superblock(counters->data());
  const bool whole = ring && values && counts && ring->type == RegionType::kHeaderRing &&
                     values->type == RegionType::kPayloadPool && counts->type == RegionType::kCounters;
  if (!whole || ring->nslots != layout.nslots || values->nslots != layout.nslots ||
      values->stride_bytes != layout.stride_bytes || ring->epoch != values->epoch || ring->epoch != counts->epoch)
    return fail(ErrorCode::kInvalidArgument, "shared memory: not the regions of one epoch");
  return EpochRegions{std::move(*header), std::move(*pool), std::move(*counters)};
}

void EpochRegions::refresh(std::uint64_t now_ns) const {
  for (const MappedRegion* region : {&header, &pool, &counters}) set_activity(region->data(), now_ns);
}

std::optional<std::uint64_t> number_of(std::string_view name) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || fmt::format("{}", number) != name) return std::nullopt;
  return number;
}

Result<EpochRegions> make_epoch(int stream_folder, const Provision& what, std::uint64_t now_ns) {
  const std::string name = fmt::format("{}", what.epoch);
  if (::mkdirat(stream_folder, name.c_str(), 0700) != 0) {
    const ErrorCode code = errno == ENOSPC   ? ErrorCode::kBusy
                           : errno == EEXIST ? ErrorCode::kConflict
                                             : ErrorCode::kInternal;
    return fail(code, fmt::format("cannot make epoch {}: {}", name, errno_text(errno)));
  }
  auto folder = open_private_folder(stream_folder, name);
  auto regions = folder ? make_regions(folder->get(), what, now_ns)
                        : fail(ErrorCode::kInternal, "cannot make epoch " + folder.error().context);
  if (regions) return regions;
  if (folder) unlink_files(folder->get());
  ::unlinkat(stream_folder, name.c_str(), AT_REMOVEDIR);
  Error error = regions.error();
  if (error.code == ErrorCode::kBusy)
    error.context = fmt::format("insufficient shared memory: {} bytes are needed, {} are available",
                                what.layout.reserved_bytes(), free_bytes_of(stream_folder));
  return fail(std::move(error));
}

std::vector<EpochFacts> read_epochs(int stream_folder, const LookContext& context) {
  std::vector<EpochFacts> out;
  for (const FolderEntry& entry : entries_of(stream_folder)) {
    const auto number = number_of(entry.name);
    if (!number || Epoch(*number) > kEpochMax || !entry.is_own_folder) continue;
    if (const auto folder = open_private_folder(stream_folder, entry.name))
      out.push_back(facts_of(folder->get(), Epoch(*number), context));
  }
  return out;
}

std::vector<EpochFacts> look_at_epochs(int stream_folder, const LookContext& context) {
  for (const FolderEntry& entry : entries_of(stream_folder)) {
    // A tombstone that cannot be removed now is retried at the next scan.
    if (entry.is_own_folder && entry.name.starts_with(kTombstone)) (void)remove_tombstone(stream_folder, entry.name);
  }
  return read_epochs(stream_folder, context);
}

Status remove_epoch(int stream_folder, Epoch epoch) {
  const std::string name = fmt::format("{}", epoch);
  const std::string tombstone = fmt::format("{}{}", kTombstone, epoch);
  if (::renameat(stream_folder, name.c_str(), stream_folder, tombstone.c_str()) != 0)
    return fail(ErrorCode::kUnavailable, fmt::format("cannot remove epoch {}: {}", name, errno_text(errno)));
  return remove_tombstone(stream_folder, tombstone);
}

}  // namespace hyperscale::stream
