#include "stream/safe_name.h"

#include <string>

#include <gtest/gtest.h>

namespace hyperscale::stream {
namespace {

// proves part: SHM-DRV-10 (names; not that a driver makes those of its user and namespace safe)
TEST(SafeName, NamesAreMadeSafe) {
  EXPECT_EQ(safe_name("alice"), "alice");
  EXPECT_EQ(safe_name("../../etc"), "_.._.._etc");
  EXPECT_EQ(safe_name(".."), "_..");
  EXPECT_EQ(safe_name(""), "_");
  EXPECT_EQ(safe_name("a/b c\n"), "a_b_c_");
  EXPECT_EQ(safe_name(std::string(500, 'x')), std::string(kNameBytesMax, 'x'));
}

TEST(SafeName, AHiddenNameIsNoLongerThanOthers) {
  EXPECT_EQ(safe_name(std::string(500, '.')), "_" + std::string(kNameBytesMax - 1, '.'));
  EXPECT_EQ(safe_name(std::string(kNameBytesMax, '.')), "_" + std::string(kNameBytesMax - 1, '.'));
  EXPECT_EQ(safe_name(std::string(kNameBytesMax - 1, '.')), "_" + std::string(kNameBytesMax - 1, '.'));
}

}  // namespace
}  // namespace hyperscale::stream
