#include "stream/stream_messages.h"

#include "base/check.h"
#include "base/field_bytes.h"
#include "stream/policy/gc_policy.h"

namespace hyperscale::stream {
namespace {

constexpr Duration kLeaseLeftMax = std::chrono::hours(24 * 365);

constexpr auto kDescribeRequest = [](auto& fields, auto& request) {
  fields.number("layout version", request.layout_version, UINT32_MAX);
  fields.number("stream", request.stream, UINT32_MAX);
  fields.number("lease", request.lease, UINT64_MAX);
  fields.number("mapped epoch", request.mapped, UINT64_MAX);
};

constexpr auto kDescribeGrant = [](auto& fields, auto& grant) {
  fields.number("lease", grant.lease, UINT64_MAX);
  fields.number("epoch", grant.epoch, UINT64_MAX);
  fields.flag("regions", grant.has_regions);
  fields.duration("lease left", grant.lease_left, kLeaseLeftMax);
  fields.text("folder", grant.folder, kFolderBytesMax);
};

constexpr auto kDescribeAnnouncement = [](auto& fields, auto& announcement) {
  fields.list("streams", announcement.streams, kAnnouncedMax, [&](auto& stream) {
    fields.number("stream", stream.stream, UINT32_MAX);
    fields.number("epoch", stream.epoch, UINT64_MAX);
    fields.flag("regions", stream.has_regions);
  });
  fields.list("leases", announcement.leases, kAnnouncedMax, [&](auto& lease) {
    fields.number("lease", lease.lease, UINT64_MAX);
    fields.number("stream", lease.stream, UINT32_MAX);
    fields.flag("producer", lease.is_producer);
    fields.number("client", lease.client, UINT64_MAX);
    fields.number("mapped epoch", lease.mapped, UINT64_MAX);
    fields.duration("lease left", lease.left, kLeaseLeftMax);
  });
  fields.number("runs", announcement.epoch_gc_runs, UINT64_MAX);
  fields.number("removed", announcement.epoch_gc_removed, UINT64_MAX);
  fields.list("skipped", announcement.epoch_gc_skipped, kKeptForCount,
              [&](auto& count) { fields.number("skipped", count, UINT64_MAX); });
  fields.number("epochs on disk", announcement.epochs_on_disk, UINT64_MAX);
};

template <typename Message, typename Describe>
std::vector<std::uint8_t> encoded(const Message& message, const Describe& describe) {
  std::vector<std::uint8_t> bytes;
  FieldWriter writer(bytes);
  describe(writer, message);
  CHECK(!writer.failed(), "a message beyond its limits: {}", writer.status().error().context);
  return bytes;
}

template <typename Message, typename Describe>
Result<Message> decoded(ByteView bytes, const Describe& describe) {
  FieldReader reader(bytes);
  Message message;
  describe(reader, message);
  reader.end();
  if (reader.failed()) return fail(reader.status().error());
  return message;
}

}  // namespace

std::vector<std::uint8_t> encode(const StreamRequest& request) {
  return encoded(request, kDescribeRequest);
}
std::vector<std::uint8_t> encode(const GrantMessage& grant) {
  return encoded(grant, kDescribeGrant);
}
std::vector<std::uint8_t> encode(const Announcement& announcement) {
  return encoded(announcement, kDescribeAnnouncement);
}
Result<StreamRequest> decode_request(ByteView bytes) {
  return decoded<StreamRequest>(bytes, kDescribeRequest);
}
Result<GrantMessage> decode_grant(ByteView bytes) {
  return decoded<GrantMessage>(bytes, kDescribeGrant);
}
Result<Announcement> decode_announcement(ByteView bytes) {
  return decoded<Announcement>(bytes, kDescribeAnnouncement);
}

}  // namespace hyperscale::stream
