#include "plan/fleet/job_manifest.h"

#include "plan/fleet/manifest_codec.h"
#include "plan/sha256.h"
#include "some_fleet_job.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

JobParts parts_of(const Job& job) {
  auto parts = split(job);
  EXPECT_TRUE(parts) << (parts ? "" : parts.error().context);
  return parts ? std::move(*parts) : JobParts();
}

JobManifest manifest_of(const JobParts& parts) {
  auto manifest = decode_manifest(parts.manifest.view());
  EXPECT_TRUE(manifest) << (manifest ? "" : manifest.error().context);
  return manifest ? std::move(*manifest) : JobManifest();
}

std::string error_of(Job job) {
  const auto parts = split(std::move(job));
  return parts ? "accepted" : parts.error().context;
}

// A workflow that sends one body, and has one file.
Job shop(std::string body, std::string file = "export class Shop {}") {
  Job job{.name = "shop", .workflows = std::vector<Workflow>(1)};
  Plan& plan = job.workflows[0].plan;
  plan.name = "buy";
  plan.steps = {
      Step{.name = "post",
           .requests = {Request{.method = "POST", .url = "http://shop/", .headers = {}, .body = std::move(body)}}}};
  plan.script.files = {make_blob("shop.js", std::move(file))};
  return job;
}

const std::string kLarge(kBodyTakenBytesMin, 'x');

RC_GTEST_PROP(JobManifest, SplitAndJoinedItIsTheJob, (std::uint64_t seed)) {
  const Job job = some_fleet_job(seed);
  const auto parts = split(job);
  RC_ASSERT(parts.has_value());
  const auto manifest = decode_manifest(parts->manifest.view());
  RC_ASSERT(manifest.has_value());
  RC_ASSERT(manifest->contents == parts->names);
  RC_ASSERT(parts->names.size() == parts->contents.size());
  RC_ASSERT(std::ranges::equal(encode(*manifest).view(), parts->manifest.view()));
  const auto joined = join(manifest_of(*parts), source_of(*parts));
  RC_ASSERT(joined.has_value());
  RC_ASSERT(**joined == job);
}

RC_GTEST_PROP(JobManifest, EqualJobsHaveEqualManifests, (std::uint64_t seed)) {
  const auto first = split(some_fleet_job(seed));
  const auto again = split(some_fleet_job(seed));
  RC_ASSERT(std::ranges::equal(first->manifest.view(), again->manifest.view()));
  RC_ASSERT(first->names == again->names);
}

RC_GTEST_PROP(JobManifest, WorkflowHasItsOwnContentsOnly, (std::uint64_t seed)) {
  const Job job = some_fleet_job(seed);
  const JobParts parts = parts_of(job);
  const JobManifest whole = manifest_of(parts);
  for (std::uint32_t i = 0; i < job.workflows.size(); ++i) {
    const JobParts alone = parts_of({.name = job.name, .workflows = {job.workflows[i]}});
    const SharedBytes bytes = encode(workflow_manifest(whole, i));
    // Exact, unless a secret of another workflow keeps a body in the manifest.
    RC_ASSERT(std::ranges::equal(bytes.view(), alone.manifest.view()));
    const auto joined = join(workflow_manifest(whole, i), source_of(parts));
    RC_ASSERT(joined.has_value());
    RC_ASSERT((*joined)->workflows == std::vector{job.workflows[i]});
  }
}

TEST(JobManifest, FilesAndLargeBodiesAreTakenOut) {
  const JobParts parts = parts_of(shop(kLarge));
  EXPECT_THAT(parts.contents, ElementsAre("export class Shop {}", kLarge));
  ASSERT_THAT(parts.names, SizeIs(2));
  EXPECT_EQ(parts.names[1], (ContentName{.sha256 = hex(sha256_of(kLarge)), .bytes = kLarge.size()}));
  EXPECT_THAT(std::string(parts.manifest.text()), Not(HasSubstr("class Shop")));
  EXPECT_LT(parts.manifest.size(), 1'000U);
}

TEST(JobManifest, SmallBodiesStay) {
  const std::string small(kBodyTakenBytesMin - 1, 'x');
  EXPECT_THAT(parts_of(shop(small)).contents, SizeIs(1));
  EXPECT_THAT(parts_of(shop(small, "")).contents, IsEmpty()) << "an empty file has no content";
}

TEST(JobManifest, EqualContentsAreTakenOnce) {
  Job job = shop(kLarge, kLarge);
  job.workflows.push_back(job.workflows[0]);
  EXPECT_THAT(parts_of(job).contents, ElementsAre(kLarge));
}

TEST(JobManifest, BodyWithASecretStays) {
  for (const std::string& form : {"cart=7&key=s3cr3t\"9", R"({"key":"s3cr3t\"9"})", "key=s3cr3t%229"}) {
    Job job = shop(form + kLarge);
    EXPECT_THAT(parts_of(job).contents, SizeIs(2));
    job.workflows[0].plan.script.secrets = {{"KEY", "s3cr3t\"9"}};
    EXPECT_THAT(parts_of(job).contents, ElementsAre("export class Shop {}")) << form;
    EXPECT_EQ(**join(manifest_of(parts_of(job)), source_of(parts_of(job))), job);
  }
}

TEST(JobManifest, JoinRefusesMissingAndOtherContents) {
  JobParts parts = parts_of(shop(kLarge));
  const auto joined = [&](const ContentSource& source) { return join(manifest_of(parts), source); };
  const auto missing = joined([](const ContentName&) { return std::nullopt; });
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(missing.error().context, "content " + parts.names[0].sha256 + " is not here");
  const ContentSource source = source_of(parts);
  ASSERT_TRUE(joined(source));
  parts.contents[1].back() = 'y';
  EXPECT_EQ(joined(source).error().code, ErrorCode::kProtocol);
  parts.contents[1] = kLarge + "x";
  EXPECT_EQ(joined(source).error().code, ErrorCode::kProtocol);
}

TEST(JobManifest, RefusesWhatBelongsToOneMachine) {
  Job job = shop("");
  job.workflows[0].plan.network.unix_socket = "/run/app.sock";
  EXPECT_EQ(
      error_of(job),
      "workflow \"buy\" connects to the Unix socket \"/run/app.sock\", which belongs to one machine; workers of a "
      "fleet cannot use it");
  job.workflows[0].plan.network = Network();
  job.workflows[0].plan.network.source_addresses = {"192.0.2.7"};
  EXPECT_EQ(error_of(job),
            "workflow \"buy\" sends from the address \"192.0.2.7\", which belongs to one machine; workers of a fleet "
            "cannot use it");
  const auto decoded = decode_manifest(encode(JobManifest{.job = WipedJob(job)}).view());
  EXPECT_EQ(decoded.error().code, ErrorCode::kInvalidArgument);
}

TEST(JobManifest, FileHasTheContentThatItIsNamedBy) {
  Job job = shop("");
  job.workflows[0].plan.script.files[0].content += " ";
  EXPECT_EQ(error_of(job), "\"shop.js\" is not the content that it is named by");
}

TEST(JobManifest, ContentsAreBounded) {
  Job job{.name = "shop", .workflows = std::vector<Workflow>(3)};
  for (std::size_t i = 0; i < kContentsMax; ++i)
    job.workflows[i % 3].plan.script.files.push_back(make_blob("file", std::to_string(i)));
  EXPECT_EQ(error_of(job), "accepted");
  job.workflows[0].plan.script.files.push_back(make_blob("file", "one more"));
  EXPECT_EQ(error_of(job), "the job has 2001 different files and bodies of 32 KiB or more; a fleet accepts 2000");
}

TEST(JobManifest, BytesAreBounded) {
  Job job = shop("");
  std::vector<Request>& requests = job.workflows[0].plan.steps[0].requests;
  requests.front().body.assign(kBodyTakenBytesMin - 100, 'x');
  requests.resize(kManifestBytesMax / kBodyTakenBytesMin, Request(requests.front()));
  EXPECT_EQ(error_of(job), "accepted");
  requests.resize(requests.size() + 10, Request(requests.front()));
  EXPECT_THAT(error_of(job),
              HasSubstr("bytes without its files and bodies of 32 KiB or more; a fleet accepts 67108864"));
}

TEST(JobManifest, LimitsOfAPlanHold) {
  Job job = shop("");
  job.workflows[0].plan.steps[0].requests[0].url.assign(kUrlBytesMax + 1, 'x');
  EXPECT_THAT(error_of(job), HasSubstr("url: 8193 bytes are more than 8192"));
}

}  // namespace
}  // namespace hyperscale::plan
