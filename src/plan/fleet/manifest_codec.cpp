#include "plan/fleet/manifest_codec.h"

#include "base/check.h"
#include "base/sealed_record.h"
#include "plan/fleet/content_places.h"
#include "plan/job_fields.h"
#include "plan/option_values.h"
#include "plan/sha256.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <set>
#include <type_traits>
#include <utility>

namespace hyperscale::plan {
namespace {

constexpr Seal kManifestSeal{.what = "manifest",
                             .magic = {'H', 'S', 'M', 'F'},
                             .version = kManifestFormatVersion,
                             .bytes_max = kManifestBytesMax};

constexpr auto kDescribeManifest = [](auto& fields, auto& manifest) {
  describe<std::remove_reference_t<decltype(fields)>>(fields, *manifest.job);
  fields.list("contents", manifest.contents, kContentsMax, [&](auto& content) {
    fields.text("content hash", content.sha256, kSha256TextBytes);
    fields.number("content bytes", content.bytes, kBlobBytesMax);
  });
  fields.list("taken contents", manifest.taken, kTakenMax, [&](auto& taken) {
    fields.number("place", taken.place, UINT32_MAX);
    fields.number("content", taken.content, kContentsMax - 1);
  });
};

// Bytes that FieldWriter writes for a record.
class FieldCounter {
 public:
  template <typename T>
  using Ref = const T&;

  std::size_t bytes() const { return bytes_; }

  static std::size_t of_number(std::uint64_t value) { return (std::bit_width(value | 1) + 6) / 7; }
  static std::size_t of_text(std::uint64_t size) { return of_number(size) + size; }

  template <std::unsigned_integral Number>
  void number(std::string_view, const Number& value, std::uint64_t) {
    bytes_ += of_number(value);
  }
  void flag(std::string_view, const bool&) { ++bytes_; }
  template <typename Enum>
  void choice(std::string_view, const Enum&, Enum) {
    ++bytes_;
  }
  void duration(std::string_view, const Duration& value, Duration) {
    bytes_ += of_number(static_cast<std::uint64_t>(value.count()));
  }
  void real(std::string_view, const double&, double) { bytes_ += sizeof(double); }
  void text(std::string_view, const std::string& value, std::size_t) { bytes_ += of_text(value.size()); }
  template <typename Item, typename Describe>
  void list(std::string_view, const std::vector<Item>& items, std::size_t, const Describe& describe) {
    bytes_ += of_number(items.size());
    for (const Item& item : items) describe(item);
  }

 private:
  std::size_t bytes_ = kSealHeadBytes + kSealCrcBytes;
};

// An item of a list may take 30 times as much memory as bytes.
class BoundedReader : public FieldReader {
 public:
  BoundedReader(ByteView from, std::size_t item_bytes_max) : FieldReader(from), item_bytes_left_(item_bytes_max) {}

  template <typename Item, typename Describe>
  void list(std::string_view field, std::vector<Item>& items, std::size_t most, const Describe& describe) {
    FieldReader::list(field, items, most, [&](Item& item) {
      if (sizeof(Item) > item_bytes_left_) return refuse(field, "too many items in all lists together");
      item_bytes_left_ -= sizeof(Item);
      describe(item);
    });
  }

 private:
  std::size_t item_bytes_left_;
};

// Of the job with its contents, as job_codec.h encodes it.
std::size_t joined_bytes(const JobManifest& manifest) {
  FieldCounter counter;
  describe<FieldCounter>(counter, *manifest.job);
  std::size_t bytes = counter.bytes();
  for (const TakenContent& taken : manifest.taken)
    bytes += FieldCounter::of_text(manifest.contents[taken.content].bytes) - FieldCounter::of_text(0);
  return bytes;
}

tl::unexpected<Error> bad_bytes(std::string_view why) {
  return fail(ErrorCode::kProtocol, fmt::format("manifest bytes: {}", why));
}

Status check_names(const std::vector<ContentName>& contents) {
  std::set<std::string_view> names;
  for (const ContentName& content : contents) {
    if (!parse_sha256(content.sha256) || content.bytes == 0) return bad_bytes("a content without a name or bytes");
    if (!names.insert(content.sha256).second) return bad_bytes("a content is named twice");
  }
  return {};
}

// The contents are used in their order, all of them, in places that are empty.
Status check_places(const JobManifest& manifest) {
  Status status;
  std::size_t next = 0;
  std::size_t used = 0;
  each_place(manifest.job->workflows, [&](std::uint32_t place, const std::string& content, const Blob* file) {
    if (!status) return;
    if (next == manifest.taken.size() || manifest.taken[next].place != place) {
      if (file != nullptr && hex(sha256_of(content)) != file->sha256)
        status = bad_bytes(fmt::format("{} is not the content that it is named by", shown(file->name)));
      return;
    }
    const std::uint32_t number = manifest.taken[next++].content;
    if (number > used || number >= manifest.contents.size()) {
      status = bad_bytes("contents are not in the order of their places");
    } else if (!content.empty()) {
      status = bad_bytes("two contents for one place");
    } else if (file != nullptr && file->sha256 != manifest.contents[number].sha256) {
      status = bad_bytes(fmt::format("{} is named by another content", shown(file->name)));
    }
    used = std::max<std::size_t>(used, number + 1);
  });
  if (!status) return status;
  if (next < manifest.taken.size()) return bad_bytes("places are out of order, or there is none for a content");
  if (used < manifest.contents.size()) return bad_bytes("a content without a place");
  if (joined_bytes(manifest) > kJobBytesMax) return bad_bytes("with its contents the job is too large");
  return {};
}

}  // namespace

Result<SharedBytes> encode_within_limits(const JobManifest& manifest) {
  FieldCounter counter;
  kDescribeManifest(counter, manifest);
  if (counter.bytes() > kManifestBytesMax)
    return invalid(
        fmt::format("the job has {} bytes without its files and bodies of {} KiB or more; a fleet accepts {}",
                    counter.bytes(), kBodyTakenBytesMin / 1024, kManifestBytesMax));
  if (const std::size_t whole = joined_bytes(manifest); whole > kJobBytesMax)
    return invalid(fmt::format("the workflows have {} bytes, bodies included; the most is {}", whole, kJobBytesMax));
  std::vector<std::uint8_t> bytes = begin_seal(kManifestSeal);
  bytes.reserve(counter.bytes());
  FieldWriter writer(bytes);
  kDescribeManifest(writer, manifest);
  if (!writer.failed()) {
    end_seal(bytes);
    CHECK(bytes.size() == counter.bytes(), "{} bytes, {} were counted", bytes.size(), counter.bytes());
  }
  SharedBytes encoded = SharedBytes::adopt(WipedBytes(std::move(bytes)));
  if (writer.failed()) return fail(writer.status().error());
  return encoded;
}

SharedBytes encode(const JobManifest& manifest) {
  auto bytes = encode_within_limits(manifest);
  CHECK(bytes, "{}", bytes.error().context);
  return std::move(*bytes);
}

Result<JobManifest> decode_manifest(ByteView bytes, std::size_t item_bytes_max) {
  const Result<ByteView> fields = open_seal(kManifestSeal, bytes);
  if (!fields) return fail(fields.error());
  BoundedReader reader(*fields, item_bytes_max);
  JobManifest manifest;
  kDescribeManifest(reader, manifest);
  reader.end();
  if (reader.failed()) return bad_bytes(reader.status().error().context);
  for (const Status& whole : {check_names(manifest.contents), check_places(manifest)})
    if (!whole) return fail(whole.error());
  if (const Status fits = check_for_fleet(*manifest.job); !fits) return fail(fits.error());
  return manifest;
}

}  // namespace hyperscale::plan
