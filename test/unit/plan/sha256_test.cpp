#include "plan/sha256.h"

#include <string>

#include <gtest/gtest.h>

namespace hyperscale::plan {
namespace {

// FIPS 180-4, and the text of no bytes.
TEST(Sha256, KnownHashes) {
  EXPECT_EQ(hex(sha256_of("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex(sha256_of("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256, TextIsReadBack) {
  const std::string text = hex(sha256_of("abc"));
  EXPECT_EQ(parse_sha256(text), sha256_of("abc"));
  EXPECT_FALSE(parse_sha256(text.substr(1)));
  EXPECT_FALSE(parse_sha256(text + "0"));
  EXPECT_FALSE(parse_sha256("B" + text.substr(1))) << "each hash has one text";
  EXPECT_FALSE(parse_sha256("g" + text.substr(1)));
}

}  // namespace
}  // namespace hyperscale::plan
