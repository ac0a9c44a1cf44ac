#include "stream/subscription.h"

#include "stream/epoch_folder.h"
#include "stream/namespace_folder.h"
#include "stream/private_folder.h"
#include "stream/sample_publisher.h"
#include "stream/superblock.h"

#include <algorithm>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>

namespace hyperscale::stream {
namespace {

// Opens component by component from the base: neither ".." nor a link can leave it.
Result<OwnedFd> open_inside(const std::string& base, const std::string& folder) {
  const std::string root = base + "/";
  if (!folder.starts_with('/') || !folder.starts_with(root + user_folder_name() + "/"))
    return fail(ErrorCode::kUnauthorized, fmt::format("{} is not inside {}{}", folder, root, user_folder_name()));
  auto at = open_base_folder(base);
  if (!at) return at;
  std::string_view left = std::string_view(folder).substr(root.size());
  while (!left.empty()) {
    const std::string name(left.substr(0, left.find('/')));
    left.remove_prefix(std::min(left.size(), name.size() + 1));
    if (name.empty() || name == "." || name == "..")
      return fail(ErrorCode::kUnauthorized, fmt::format("{} is no plain path", folder));
    auto next = open_private_folder(at->get(), name);
    if (!next) return next;
    at = std::move(next);
  }
  return at;
}

struct Checked {
  MappedRegion region;
  Superblock block;
};

Result<Checked> open_region(int folder, const char* name, RegionType type, StreamNumber stream, Epoch epoch) {
  OwnedFd file(::openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) return fail(ErrorCode::kNotFound, fmt::format("epoch {} has no {}", epoch, name));
  const auto first = MappedRegion::map(std::move(file), kSuperblockBytes, MappedRegion::Access::kRead);
  if (!first) return fail(ErrorCode::kProtocol, first.error().context);
  const auto block = read_superblock(first->data());
  if (!block || block->type != type || block->stream != stream || block->epoch != epoch)
    return fail(ErrorCode::kProtocol, fmt::format("{} is not the one of stream {}, epoch {}", name, stream, epoch));
  const RegionLayout layout{.nslots = block->nslots,
                            .stride_bytes = type == RegionType::kPayloadPool ? block->stride_bytes : 64};
  if (Status fits = layout.check(); !fits) return fail(ErrorCode::kProtocol, fits.error().context);
  const std::uint64_t bytes = type == RegionType::kPayloadPool ? layout.pool_file_bytes() : layout.header_file_bytes();
  // By the same descriptor: a file that replaced the name meanwhile has no effect.
  OwnedFd whole_file(::fcntl(first->descriptor(), F_DUPFD_CLOEXEC, 0));
  auto whole = MappedRegion::map(std::move(whole_file), bytes, MappedRegion::Access::kRead);
  if (!whole) return fail(ErrorCode::kProtocol, whole.error().context);
  return Checked{std::move(*whole), *block};
}

}  // namespace

Result<Subscription> Subscription::open(const std::string& base, const std::string& folder, StreamNumber stream,
                                        Epoch epoch, SampleFollower::From from) {
  const auto inside = open_inside(base, folder);
  if (!inside) return fail(inside.error());
  if (!folder.ends_with(fmt::format("/{}/{}", stream, epoch)))
    return fail(ErrorCode::kProtocol,
                fmt::format("{} is not the folder of stream {}, epoch {}", folder, stream, epoch));
  auto header = open_region(inside->get(), kHeaderFile, RegionType::kHeaderRing, stream, epoch);
  if (!header) return fail(header.error());
  auto pool = open_region(inside->get(), kPoolFile, RegionType::kPayloadPool, stream, epoch);
  if (!pool) return fail(pool.error());
  if (header->block.nslots != pool->block.nslots)
    return fail(ErrorCode::kProtocol, "header ring and pool have different numbers of slots");
  Subscription out;
  out.epoch_ = epoch;
  out.header_ = std::move(header->region);
  out.pool_ = std::move(pool->region);
  out.follower_ = std::make_unique<SampleFollower>(
      ring_memory(out.header_, out.pool_, pool->block.nslots, pool->block.stride_bytes), from);
  return out;
}

}  // namespace hyperscale::stream
