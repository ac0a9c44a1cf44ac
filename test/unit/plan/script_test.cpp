#include "plan/script.h"

#include "plan/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

using testing::HasSubstr;

TEST(Script, ABlobIsNamedByItsContent) {
  const Blob blob = make_blob("shop.js", "abc");
  EXPECT_EQ(blob.name, "shop.js");
  EXPECT_EQ(blob.content, "abc");
  EXPECT_EQ(blob.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") << "FIPS 180-4, B.1";
  EXPECT_EQ(make_blob("empty", "").sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(make_blob("other.js", "abc").sha256, blob.sha256);
  EXPECT_NE(make_blob("shop.js", std::string("abc\0", 4)).sha256, blob.sha256) << "every byte counts";
}

TEST(Script, AFileThatIsNotWhatItIsNamedByIsRefused) {
  Script script;
  EXPECT_TRUE(check_files(script));
  script.files = {make_blob("a.js", "1"), make_blob("b.js", "2")};
  EXPECT_TRUE(check_files(script));
  script.files[1].content = "3";
  const Status refused = check_files(script);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kProtocol);
  EXPECT_THAT(refused.error().context, HasSubstr("b.js"));
  script.files[1] = make_blob("b.js", "2");
  script.files[1].sha256[0] = 'A';
  EXPECT_FALSE(check_files(script)) << "in lower case";
}

// proves: CTX-API-4, CTX-API-6
TEST(Script, AValueGoesOnlyToTheWorkflowsThatItIsFor) {
  Script script;
  script.provides = {{.key = "token", .to = {"Data", "Shop"}}, {.key = "other", .to = {"Third"}}};
  EXPECT_TRUE(is_for(script, "token", "Data"));
  EXPECT_TRUE(is_for(script, "token", "Shop"));
  EXPECT_FALSE(is_for(script, "token", "Third"));
  EXPECT_FALSE(is_for(script, "other", "Data"));
  EXPECT_FALSE(is_for(script, "unknown", "Data"));
  EXPECT_FALSE(is_for(Script(), "token", "Data"));
}

TEST(Script, AValueOnItsWayHasALimit) {
  EXPECT_TRUE(check_shared_value("token", std::string(kSharedValueBytesMax, '1')));
  const Status refused = check_shared_value("token", std::string(kSharedValueBytesMax + 1, '1'));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().context, "\"token\" gives a value of 65537 bytes as JSON, 65536 are allowed");
}

TEST(Script, ThereIsNoneWithoutAnEntry) {
  Script script;
  EXPECT_FALSE(script.exists());
  script.entry = "shop.js";
  EXPECT_TRUE(script.exists());
}

}  // namespace
}  // namespace hyperscale::plan
