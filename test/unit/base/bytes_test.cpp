#include "base/bytes.h"

#include <gtest/gtest.h>

namespace hyperscale {
namespace {

SharedBytes pass_through(SharedBytes bytes) {
  return bytes;
}

// proves part: NODE-INV-12 (the buffer itself; not the way of a payload through the node)
TEST(SharedBytes, PassingAndSlicingShareOneBuffer) {
  std::vector<std::uint8_t> payload{1, 2, 3, 4, 5};
  const std::uint8_t* storage = payload.data();
  const SharedBytes bytes = SharedBytes::adopt(std::move(payload));
  EXPECT_EQ(bytes.data(), storage);
  const SharedBytes passed = pass_through(bytes);
  const SharedBytes middle = passed.slice(1, 3);
  const SharedBytes inner = middle.slice(1, 1);
  EXPECT_EQ(passed.data(), storage);
  EXPECT_EQ(middle.data(), storage + 1);
  EXPECT_EQ(inner.data(), storage + 2);
  EXPECT_EQ(bytes.use_count(), 4);
  EXPECT_EQ(inner.size(), 1U);
}

TEST(SharedBytes, SliceKeepsTheOwnerAlive) {
  SharedBytes part;
  {
    const SharedBytes whole = SharedBytes::copy_of(std::string_view("a payload longer than any small string"));
    part = whole.slice(2, 7);
  }
  EXPECT_EQ(part.text(), "payload");
  EXPECT_EQ(part.use_count(), 1);
}

TEST(SharedBytes, EmptyOnes) {
  EXPECT_TRUE(SharedBytes().empty());
  EXPECT_EQ(SharedBytes().text(), "");
  EXPECT_TRUE(SharedBytes::copy_of(ByteView()).empty());
  EXPECT_EQ(SharedBytes::copy_of(std::string_view("ab")).slice(2, 0).size(), 0U);
}

TEST(SharedBytesDeathTest, SliceBeyondTheEndIsABug) {
  const SharedBytes bytes = SharedBytes::copy_of(std::string_view("abc"));
  EXPECT_DEATH(bytes.slice(2, 2), "2 bytes at 2 of 3");
  EXPECT_DEATH(bytes.slice(4, SIZE_MAX), "CHECK failed");
}

TEST(SharedBytes, CopyOfIsIndependent) {
  std::string text = "before";
  const SharedBytes copy = SharedBytes::copy_of(std::string_view(text));
  text = "after!";
  EXPECT_EQ(copy.text(), "before");
  EXPECT_EQ(as_bytes("ab").size(), 2U);
}

}  // namespace
}  // namespace hyperscale
