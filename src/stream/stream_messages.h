// Messages between a consumer and the driver over a socket: one request, one answer. The methods and the byte form are
// in docs/formats/shm.md. Pure; any thread. Decoding bounds every number and text; kProtocol for anything else.
#pragma once

#include "base/bytes.h"
#include "base/result.h"
#include "base/time.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::stream {

inline constexpr std::string_view kMethodPrefix = "stream.";
inline constexpr std::string_view kAttachMethod = "stream.attach";
inline constexpr std::string_view kKeepaliveMethod = "stream.keepalive";
inline constexpr std::string_view kDetachMethod = "stream.detach";
inline constexpr std::string_view kAnnounceMethod = "stream.announce";

inline constexpr std::size_t kFolderBytesMax = 1024;
// An announcement fits one message of a control socket; of more streams and leases it contains the first ones.
inline constexpr std::size_t kAnnouncedMax = 1000;

struct StreamRequest {
  std::uint32_t layout_version = 1;
  std::uint32_t stream = 0;
  std::uint64_t lease = 0;
  std::uint64_t mapped = 0;
};

struct GrantMessage {
  std::uint64_t lease = 0;
  std::uint64_t epoch = 0;
  bool has_regions = false;
  Duration lease_left{};
  std::string folder;
};

struct AnnouncedStream {
  std::uint32_t stream = 0;
  std::uint64_t epoch = 0;
  bool has_regions = false;
};
struct AnnouncedLease {
  std::uint64_t lease = 0;
  std::uint32_t stream = 0;
  bool is_producer = false;
  std::uint64_t client = 0;
  std::uint64_t mapped = 0;
  Duration left{};
};
struct Announcement {
  std::vector<AnnouncedStream> streams;
  std::vector<AnnouncedLease> leases;
  std::uint64_t epoch_gc_runs = 0;
  std::uint64_t epoch_gc_removed = 0;
  std::vector<std::uint64_t> epoch_gc_skipped;  // by reason
  std::uint64_t epochs_on_disk = 0;
};

std::vector<std::uint8_t> encode(const StreamRequest& request);
std::vector<std::uint8_t> encode(const GrantMessage& grant);
std::vector<std::uint8_t> encode(const Announcement& announcement);
Result<StreamRequest> decode_request(ByteView bytes);
Result<GrantMessage> decode_grant(ByteView bytes);
Result<Announcement> decode_announcement(ByteView bytes);

}  // namespace hyperscale::stream
