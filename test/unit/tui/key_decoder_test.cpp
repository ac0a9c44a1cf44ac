#include "tui/key_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::tui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<Key> decoded(std::string_view bytes) {
  return KeyDecoder().feed(bytes);
}

TEST(KeyDecoder, CharactersAndControls) {
  EXPECT_THAT(decoded("q+é"), ElementsAre(Key::of('q'), Key::of('+'), Key::of(U'é')));
  EXPECT_THAT(decoded("\x03\t\r"), ElementsAre(Key{KeyKind::kInterrupt}, Key{KeyKind::kTab}, Key{KeyKind::kEnter}));
  EXPECT_THAT(decoded(std::string_view("\0\x01\x7f\x1a", 4)), IsEmpty());
}

TEST(KeyDecoder, ArrowsInBothModes) {
  EXPECT_THAT(decoded("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[Z"),
              ElementsAre(Key{KeyKind::kUp}, Key{KeyKind::kDown}, Key{KeyKind::kRight}, Key{KeyKind::kLeft},
                          Key{KeyKind::kBackTab}));
  EXPECT_THAT(decoded("\x1bOC\x1b[1;5D"), ElementsAre(Key{KeyKind::kRight}, Key{KeyKind::kLeft}));
}

TEST(KeyDecoder, SequencesSplitAnywhere) {
  const std::string bytes = "a\x1b[1;5Cb\x1bOD€\x1b[Z";
  const std::vector<Key> whole = decoded(bytes);
  ASSERT_EQ(whole.size(), 6u);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    KeyDecoder decoder;
    std::vector<Key> keys = decoder.feed(std::string_view(bytes).substr(0, cut));
    for (const Key& key : decoder.feed(std::string_view(bytes).substr(cut))) keys.push_back(key);
    EXPECT_EQ(keys, whole) << cut;
  }
}

TEST(KeyDecoder, AnEscapeAloneIsAKeyOnlyAtTheEnd) {
  KeyDecoder decoder;
  EXPECT_THAT(decoder.feed("\x1b"), IsEmpty());
  EXPECT_TRUE(decoder.is_waiting());
  EXPECT_THAT(decoder.flush(), ElementsAre(Key{KeyKind::kEscape}));
  EXPECT_FALSE(decoder.is_waiting());
  EXPECT_THAT(decoder.feed("\x1b[1"), IsEmpty());
  EXPECT_THAT(decoder.flush(), IsEmpty());
  EXPECT_THAT(decoder.feed("q"), ElementsAre(Key::of('q')));
}

TEST(KeyDecoder, WhatMeansNothingIsSkipped) {
  EXPECT_THAT(decoded("\x1b[<0;10;20Mq"), ElementsAre(Key::of('q')));
  EXPECT_THAT(decoded("\x1b[200~q"), ElementsAre(Key::of('q')));
  EXPECT_THAT(decoded("\xff\xc3(q"), ElementsAre(Key::of('('), Key::of('q')));
  EXPECT_THAT(decoded("\x1b[12\x03"), ElementsAre(Key{KeyKind::kInterrupt}));
  EXPECT_THAT(decoded("\x1b[" + std::string(100, '1')), IsEmpty());
}

TEST(KeyDecoder, GarbageNeverStaysForLong) {
  rc::check([](const std::string& garbage) {
    KeyDecoder decoder;
    decoder.feed(garbage);
    decoder.flush();
    RC_ASSERT(decoder.feed("q") == std::vector{Key::of('q')});
  });
}

}  // namespace
}  // namespace hyperscale::tui
