#include "plan/load_command.h"

#include "plan/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

using plan::LoadChangeKind;

TEST(LoadCommand, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(read_load_command("vus=200"), (LoadCommand{LoadChangeKind::kUsers, 200}));
  EXPECT_EQ(read_load_command("vus=0"), (LoadCommand{LoadChangeKind::kUsers, 0}));
  EXPECT_EQ(read_load_command("rate=5000"), (LoadCommand{LoadChangeKind::kRate, 5000}));
  EXPECT_EQ(read_load_command("rate=90/m"), (LoadCommand{LoadChangeKind::kRate, 1.5}));
  EXPECT_EQ(read_load_command("pause"), (LoadCommand{LoadChangeKind::kPause, 0}));
  EXPECT_EQ(read_load_command("resume"), (LoadCommand{LoadChangeKind::kResume, 0}));
}

TEST(LoadCommand, WhatItIsNotIsSaid) {
  const auto sentence = [](std::string_view text) { return read_load_command(text).error().context; };
  EXPECT_EQ(sentence("faster"), "\"faster\" is not one of vus=N, rate=N, pause, resume");
  EXPECT_EQ(sentence("vus"), "\"vus\" is not one of vus=N, rate=N, pause, resume");
  EXPECT_THAT(sentence("vus=ten"), testing::StartsWith("vus: \"ten\""));
  EXPECT_THAT(sentence("vus=-1"), testing::StartsWith("vus: "));
  EXPECT_THAT(sentence("vus=99999999999"), testing::StartsWith("vus: "));
  EXPECT_THAT(sentence("rate=1e99"), testing::StartsWith("rate: "));
  EXPECT_THAT(sentence("rate="), testing::StartsWith("rate: "));
}

TEST(LoadCommand, ItsTextIsReadBack) {
  for (const char* text : {"vus=200", "vus=10000000", "rate=0.25", "rate=123456.5", "pause", "resume"}) {
    EXPECT_EQ(text_of(*read_load_command(text)), text);
  }
}

TEST(LoadCommand, ARequestTravelsWithItsWorkflow) {
  const LoadRequest request{{LoadChangeKind::kRate, 12.5}, "Check out, then\npay", 77};
  EXPECT_EQ(decode_load_request(encode(request)), request);
  const LoadRequest plain{{LoadChangeKind::kPause, 0}, "", std::nullopt};
  EXPECT_EQ(decode_load_request(encode(plain)), plain);
  EXPECT_FALSE(decode_load_request("pause"));
  EXPECT_FALSE(decode_load_request("pause\n"));
  EXPECT_FALSE(decode_load_request("off\n\n"));
  EXPECT_FALSE(decode_load_request("pause\nsoon\n"));
  EXPECT_FALSE(decode_load_request("pause\n\n" + std::string(plan::kNameBytesMax + 1, 'x')));
}

}  // namespace
}  // namespace hyperscale::plan
