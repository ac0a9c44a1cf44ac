#include "plan/fleet/manifest_codec.h"

#include "base/varint.h"
#include "plan/sha256.h"
#include "sealed.h"
#include "some_fleet_job.h"

#include <algorithm>
#include <functional>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::HasSubstr;

Bytes bytes_of(const SharedBytes& shared) {
  return {shared.view().begin(), shared.view().end()};
}

Bytes encoded(std::uint64_t seed) {
  return bytes_of(split(some_fleet_job(seed))->manifest);
}

// One with files, bodies and contents.
Bytes full_manifest() {
  std::uint64_t seed = 1;
  while (split(some_fleet_job(seed))->names.size() < 4) ++seed;
  return encoded(seed);
}

ContentName name_of(std::string_view content) {
  return {.sha256 = hex(sha256_of(content)), .bytes = content.size()};
}

// A file "a", then requests with the bodies "b" and "c", all taken out.
JobManifest three_contents() {
  JobManifest manifest{.contents = {name_of("a"), name_of("b"), name_of("c")}, .taken = {{0, 0}, {1, 1}, {2, 2}}};
  Plan& plan = manifest.job->workflows.emplace_back().plan;
  plan.script.files = {{.name = "a.js", .sha256 = hex(sha256_of("a")), .content = {}}};
  plan.steps.emplace_back().requests.resize(2);
  return manifest;
}

std::string error_of(const std::function<void(JobManifest&)>& change) {
  JobManifest manifest = three_contents();
  change(manifest);
  const auto decoded = decode_manifest(encode(manifest).view());
  if (!decoded) EXPECT_EQ(decoded.error().code, ErrorCode::kProtocol);
  return decoded ? "accepted" : decoded.error().context;
}

TEST(ManifestCodec, CutBytesAreRefused) {
  each_cut(full_manifest(), [](const Bytes& cut) {
    const auto decoded = decode_manifest(cut);
    ASSERT_FALSE(decoded) << cut.size();
    EXPECT_EQ(decoded.error().code, ErrorCode::kProtocol);
  });
}

RC_GTEST_PROP(ManifestCodec, ChangedBytesAreRefusedOrExact, (std::uint64_t seed)) {
  each_change(encoded(seed), seed, [](const Bytes& changed) {
    if (const auto decoded = decode_manifest(changed)) RC_ASSERT(bytes_of(encode(*decoded)) == changed);
  });
}

TEST(ManifestCodec, EnvelopeIsChecked) {
  const auto error = [](const Bytes& bytes) { return decode_manifest(bytes).error().context; };
  const Bytes good = full_manifest();
  Bytes bytes = good;
  bytes[0] ^= 1;
  EXPECT_THAT(error(bytes), HasSubstr("manifest bytes: wrong magic"));
  bytes = good;
  bytes[4] = 9;
  EXPECT_THAT(error(bytes), HasSubstr("version 9, this program reads 1"));
  bytes = good;
  bytes[20] ^= 1;
  EXPECT_THAT(error(bytes), HasSubstr("wrong checksum"));
  bytes.resize(kManifestBytesMax + 1);
  EXPECT_EQ(decode_manifest(bytes).error().code, ErrorCode::kTooLarge);
}

// The example of docs/formats/manifest.md.
TEST(ManifestCodec, AManifestHasKnownBytes) {
  const Job job{.name = "shop", .workflows = {}};
  const Bytes expected = seal({'H', 'S', 'M', 'F', 1, 4, 's', 'h', 'o', 'p', 0, 0, 0});
  EXPECT_EQ(bytes_of(split(job)->manifest), expected);
  EXPECT_EQ(load_le32(expected.data() + expected.size() - 4), 0x07d2e936U);
}

TEST(ManifestCodec, ContentsHaveNamesAndBytes) {
  EXPECT_EQ(error_of([](JobManifest&) {}), "accepted");
  EXPECT_THAT(error_of([](JobManifest& m) { m.contents[1].bytes = 0; }), HasSubstr("without a name or bytes"));
  EXPECT_THAT(error_of([](JobManifest& m) { m.contents[1].sha256[0] = 'X'; }), HasSubstr("without a name or bytes"));
  EXPECT_THAT(error_of([](JobManifest& m) { m.contents[1].sha256.pop_back(); }), HasSubstr("without a name or bytes"));
  EXPECT_THAT(error_of([](JobManifest& m) { m.contents[2] = m.contents[1]; }), HasSubstr("named twice"));
}

TEST(ManifestCodec, EachContentHasAPlace) {
  EXPECT_THAT(error_of([](JobManifest& m) { m.contents.push_back(name_of("d")); }), HasSubstr("without a place"));
  EXPECT_THAT(error_of([](JobManifest& m) { m.taken.push_back({3, 0}); }), HasSubstr("there is none for a content"));
  EXPECT_THAT(error_of([](JobManifest& m) { m.taken.push_back({2, 0}); }), HasSubstr("places are out of order"));
  EXPECT_THAT(error_of([](JobManifest& m) { std::swap(m.taken[1].place, m.taken[2].place); }),
              HasSubstr("out of order"));
  EXPECT_EQ(error_of([](JobManifest& m) {
              m.contents.pop_back();
              m.taken[2].content = 0;
            }),
            "accepted")
      << "a content may have two places";
}

TEST(ManifestCodec, ContentsAreInTheOrderOfPlaces) {
  EXPECT_THAT(error_of([](JobManifest& m) { std::swap(m.taken[1].content, m.taken[2].content); }),
              HasSubstr("not in the order of their places"));
  Bytes bytes = bytes_of(encode(three_contents()));
  bytes.resize(bytes.size() - 4);
  ASSERT_EQ(bytes.back(), 2) << "the last content";
  bytes.back() = 3;
  EXPECT_THAT(decode_manifest(seal(bytes)).error().context, HasSubstr("not in the order of their places"));
}

TEST(ManifestCodec, PlacesOfContentsAreEmpty) {
  EXPECT_THAT(error_of([](JobManifest& m) { m.job->workflows[0].plan.steps[0].requests[0].body = "b"; }),
              HasSubstr("two contents for one place"));
  EXPECT_THAT(error_of([](JobManifest& m) { m.job->workflows[0].plan.script.files[0].sha256 = m.contents[1].sha256; }),
              HasSubstr("\"a.js\" is named by another content"));
}

TEST(ManifestCodec, FilesThatStayAreWhatTheyAreNamedBy) {
  const auto with_file = [](std::string content) {
    return error_of([&](JobManifest& m) {
      m.contents.clear();
      m.taken.clear();
      m.job->workflows[0].plan.script.files[0].content = std::move(content);
    });
  };
  EXPECT_EQ(with_file("a"), "accepted");
  EXPECT_EQ(with_file("b"), "manifest bytes: \"a.js\" is not the content that it is named by");
  EXPECT_THAT(with_file(""), HasSubstr("is not the content"));
}

// A small manifest must not become a job beyond the limits by naming one content often.
TEST(ManifestCodec, JobWithItsContentsIsBounded) {
  constexpr std::uint64_t kFits = std::uint64_t{63} << 20;
  JobManifest manifest{.contents = {{.sha256 = hex(sha256_of("a")), .bytes = kFits}},
                       .taken = {{0, 0}, {1, 0}, {2, 0}, {3, 0}}};
  manifest.job->workflows.emplace_back().plan.steps.emplace_back().requests.resize(4);
  Bytes bytes = bytes_of(encode(manifest));
  EXPECT_TRUE(decode_manifest(bytes));
  Bytes number;
  append_varint(number, kFits);
  const auto at = std::ranges::search(bytes, number).begin();
  ASSERT_NE(at, bytes.end());
  number.clear();
  append_varint(number, kBlobBytesMax);
  std::ranges::copy(number, at);
  bytes.resize(bytes.size() - 4);
  EXPECT_EQ(decode_manifest(seal(bytes)).error().context, "manifest bytes: with its contents the job is too large");
  manifest.contents[0].bytes = kBlobBytesMax;
  EXPECT_THAT(encode_within_limits(manifest).error().context, HasSubstr("bytes, bodies included"));
}

// Two zero bytes are a header, which takes 64 bytes of memory.
TEST(ManifestCodec, MemoryOfListItemsIsBounded) {
  JobManifest manifest;
  manifest.job->workflows.emplace_back().plan.steps.emplace_back().requests.emplace_back().headers.resize(kHeadersMax);
  const SharedBytes bytes = encode(manifest);
  const std::size_t items = sizeof(Workflow) + sizeof(Step) + sizeof(Request) + kHeadersMax * sizeof(Header);
  EXPECT_TRUE(decode_manifest(bytes.view(), items));
  const auto refused = decode_manifest(bytes.view(), items - 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().context, "manifest bytes: headers: too many items in all lists together");
}

}  // namespace
}  // namespace hyperscale::plan
