// The content of a dispatch. It may have 64 MiB, so its lists are counted before it is taken apart: an empty element
// has two bytes here and many times as many in memory.
#include "wire/jobs/job_fields.h"
#include "wire/jobs/jobs_codec.h"
#include "wire/progress_fields.h"
#include "wire/proto_fields.h"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>
#include <openssl/sha.h>

namespace hyperscale::wire {
namespace {

using google::protobuf::internal::WireFormatLite;
using job_fields::FieldCheck;
using job_fields::FieldRead;
using job_fields::taken;
using job_fields::written;

// Fields of DispatchContent that are lists.
constexpr int kBlobsField = 4;
constexpr int kContextField = 14;

Status check_content_lists(ByteView bytes) {
  std::size_t blobs = 0;
  std::size_t context = 0;
  google::protobuf::io::CodedInputStream input(bytes.data(), static_cast<int>(bytes.size()));
  while (const std::uint32_t tag = input.ReadTag()) {
    blobs += WireFormatLite::GetTagFieldNumber(tag) == kBlobsField ? 1 : 0;
    context += WireFormatLite::GetTagFieldNumber(tag) == kContextField ? 1 : 0;
    if (!WireFormatLite::SkipField(&input, tag)) return fail(ErrorCode::kProtocol, "not protobuf");
  }
  if (Status ok = check_count("blobs", blobs, kBlobsPerDispatchMax); !ok) return ok;
  return check_count("context", context, kSharedValuesPerMessageMax);
}

Status check_content(const DispatchContent& content) {
  FieldCheck fields;
  fields.share("share", content.share);
  fields.name("workflow_name", content.workflow_name);
  fields.range("workflow", content.workflow.size(), 1, kContentBytesMax);
  fields.count("blobs", content.blobs.size(), kBlobsPerDispatchMax);
  for (const BlobName& blob : content.blobs) fields.range("blobs.size", blob.bytes, 0, kBlobBytesMax);
  fields.range("vus", content.vus, 0, kVusPerShareMax);
  fields.range("cores", content.cores, 0, kCoresPerWorkerMax);
  fields.range("slots", content.slots, 1, kCoresPerWorkerMax);
  fields.range("slot_total", content.slot_total, 1, kSlotsPerWorkflowMax);
  fields.that(std::uint64_t{content.first_slot} + content.slots <= content.slot_total, "slots go beyond slot_total");
  fields.range("datacenter_count", content.datacenter_count, 1, kDatacentersPerJobMax);
  fields.that(content.datacenter_index < content.datacenter_count, "datacenter_index is beyond datacenter_count");
  fields.values("context", content.context, kContentBytesMax);
  fields.time("timeout", content.timeout);
  fields.time("stop_without_manager_after", content.stop_without_manager_after);
  return fields.result();
}

void write_content(const DispatchContent& from, proto::DispatchContent& to) {
  job_fields::write_share(from.share, *to.mutable_share());
  to.set_workflow_name(from.workflow_name);
  to.set_workflow(written(from.workflow));
  for (const BlobName& blob : from.blobs) {
    proto::BlobName& into = *to.add_blobs();
    into.set_sha256(written(blob.sha256));
    into.set_size(blob.bytes);
  }
  to.set_vus(from.vus);
  to.set_cores(from.cores);
  to.set_first_slot(from.first_slot);
  to.set_slots(from.slots);
  to.set_slot_total(from.slot_total);
  to.set_datacenter_index(from.datacenter_index);
  to.set_datacenter_count(from.datacenter_count);
  to.set_split(from.split);
  to.set_context_version(from.context_version);
  for (const ContextValue& value : from.context) job_fields::write_value(value, *to.add_context());
  to.set_timeout_ns(written(from.timeout));
  to.set_stop_without_manager_after_ns(written(from.stop_without_manager_after));
}

Result<DispatchContent> read_content(proto::DispatchContent& from) {
  DispatchContent content;
  FieldRead fields;
  fields.share("share", from.has_share(), from.share(), content.share);
  content.workflow_name = from.workflow_name();
  content.workflow = taken(*from.mutable_workflow());
  fields.list("blobs", *from.mutable_blobs(), kBlobsPerDispatchMax, content.blobs,
              [&](const proto::BlobName& each, BlobName& blob) {
                fields.digest("blobs.sha256", each.sha256(), blob.sha256);
                blob.bytes = each.size();
              });
  content.vus = from.vus();
  content.cores = from.cores();
  content.first_slot = from.first_slot();
  content.slots = from.slots();
  content.slot_total = from.slot_total();
  content.datacenter_index = from.datacenter_index();
  content.datacenter_count = from.datacenter_count();
  content.split = from.split();
  content.context_version = from.context_version();
  fields.values("context", *from.mutable_context(), content.context);
  fields.time("timeout", from.timeout_ns(), content.timeout);
  fields.time("stop_without_manager_after", from.stop_without_manager_after_ns(), content.stop_without_manager_after);
  return fields.result(std::move(content));
}

tl::unexpected<Error> wrong_content(const Error& error) {
  return fail(error.code, "dispatch content: " + error.context);
}

Status check_content_size(std::size_t size) {
  if (size <= kContentBytesMax) return {};
  return fail(ErrorCode::kTooLarge, fmt::format("dispatch content: {} bytes, at most {}", size, kContentBytesMax));
}

}  // namespace

Result<SharedBytes> encode_dispatch_content(const DispatchContent& content) {
  if (const Status ok = check_content(content); !ok) return wrong_content(ok.error());
  proto::DispatchContent to;
  write_content(content, to);
  const std::size_t size = to.ByteSizeLong();
  if (const Status ok = check_content_size(size); !ok) return fail(ok.error());
  std::vector<std::uint8_t> bytes(size);
  to.SerializeWithCachedSizesToArray(bytes.data());
  return SharedBytes::adopt(std::move(bytes));
}

Result<DispatchContent> decode_dispatch_content(ByteView bytes) {
  if (const Status ok = check_content_size(bytes.size()); !ok) return fail(ok.error());
  if (const Status ok = check_content_lists(bytes); !ok) return wrong_content(ok.error());
  proto::DispatchContent from;
  if (!from.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return fail(ErrorCode::kProtocol, "dispatch content: not protobuf");
  }
  Result<DispatchContent> content = read_content(from);
  if (content) {
    if (const Status ok = check_content(*content); !ok) content = fail(ok.error());
  }
  if (!content) return wrong_content(content.error());
  return content;
}

Sha256 sha256_of(ByteView bytes) {
  Sha256 digest{};
  SHA256(bytes.data(), bytes.size(), digest.data());
  return digest;
}

}  // namespace hyperscale::wire
