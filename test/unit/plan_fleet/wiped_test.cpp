#include "plan/fleet/wiped.h"

#include "freed_memory_watch.h"
#include "plan/fleet/manifest_codec.h"
#include "some_fleet_job.h"

#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

using runtime::FreedMemoryWatch;
using runtime::kFreedMemoryMark;

// A job with credentials in each place where a plan can have one.
Job marked_job() {
  const std::string mark(kFreedMemoryMark);
  Job job{.name = "shop", .workflows = std::vector<Workflow>(1)};
  Plan& plan = job.workflows[0].plan;
  plan.script.secrets = {{"KEY", mark}};
  plan.script.env = {{"TOKEN", mark}};
  plan.tls.key_pem = mark;
  plan.network.proxy = "http://user:" + mark + "@proxy";
  plan.steps = {
      Step{.name = "post",
           .requests = {Request{.url = "http://" + mark, .headers = {{"Authorization", mark}}, .body = mark}}}};
  return job;
}

class Wiped : public testing::Test {
 protected:
  void SetUp() override {
    if (!FreedMemoryWatch::possible()) GTEST_SKIP() << "this build does not see freed memory";
  }
};

TEST_F(Wiped, JobLeavesNothing) {
  Job first = marked_job();
  Job second = marked_job();
  const FreedMemoryWatch watch;
  {
    WipedJob job(std::move(first));
    job = WipedJob(std::move(second));
    const WipedJob moved(std::move(job));
  }
  EXPECT_EQ(watch.unwiped(), 0);
}

TEST_F(Wiped, ManifestBytesLeaveNothing) {
  const JobManifest manifest{.job = WipedJob(marked_job())};
  const FreedMemoryWatch watch;
  {
    const SharedBytes bytes = encode(manifest);
  }
  EXPECT_EQ(watch.unwiped(), 0);
}

// But for what the Redactor remembers of `script.secrets`: decision 34.
TEST_F(Wiped, SplitJobLeavesNothing) {
  Job job = marked_job();
  job.workflows[0].plan.script.secrets.clear();
  const FreedMemoryWatch watch;
  {
    const auto parts = split(std::move(job));
  }
  EXPECT_EQ(watch.unwiped(), 0);
}

TEST_F(Wiped, DecodedManifestLeavesNothing) {
  const SharedBytes bytes = encode(JobManifest{.job = WipedJob(marked_job())});
  const FreedMemoryWatch watch;
  {
    const auto manifest = decode_manifest(bytes.view());
  }
  EXPECT_EQ(watch.unwiped(), 0);
}

TEST_F(Wiped, PlainJobIsSeenByTheWatch) {
  Job job = marked_job();
  const FreedMemoryWatch watch;
  {
    const Job gone = std::move(job);
  }
  EXPECT_EQ(watch.unwiped(), 7);
}

}  // namespace
}  // namespace hyperscale::plan
