#include "manager/question_book.h"

#include <gtest/gtest.h>

namespace hyperscale::manager {
namespace {

MonoTime at(Duration since) {
  return MonoTime() + since;
}

Question question(std::string worker, MonoTime give_up_at = MonoTime::max()) {
  return {.worker = std::move(worker), .message = wire::ResultRelease{}, .give_up_at = give_up_at};
}

TEST(QuestionBook, AnswerEndsAQuestion) {
  QuestionBook book;
  const QuestionId id = book.open(question("w1"));
  EXPECT_EQ(book.answered(id)->worker, "w1");
  EXPECT_FALSE(book.answered(id));
  EXPECT_EQ(book.size(), 0U);
}

TEST(QuestionBook, UnansweredIsAskedAgainUnderAnotherId) {
  QuestionBook book;
  Prng jitter(1);
  std::vector<Question> ended;
  const QuestionId first = book.open(question("w1"));
  EXPECT_FALSE(book.failed(first, at(0s), jitter));
  EXPECT_TRUE(book.due(at(kRepeatDelay / 2 - 1ns), ended).empty());
  const auto due = book.due(at(kRepeatDelay), ended);
  ASSERT_EQ(due.size(), 1U);
  EXPECT_NE(due.front().first, first);
  EXPECT_FALSE(book.answered(first));
  EXPECT_TRUE(book.answered(due.front().first));
}

TEST(QuestionBook, PausesGrowUpToALimit) {
  QuestionBook book;
  Prng jitter(1);
  std::vector<Question> ended;
  MonoTime now = at(0s);
  QuestionId id = book.open(question("w1"));
  for (const Duration most : {300ms, 600ms, 1200ms, 2400ms, 4800ms, 5000ms, 5000ms}) {
    book.failed(id, now, jitter);
    EXPECT_TRUE(book.due(now + most / 2 - 1ns, ended).empty());
    const auto due = book.due(now + most, ended);
    ASSERT_EQ(due.size(), 1U);
    id = due.front().first;
    now = now + most;
  }
}

TEST(QuestionBook, PatienceEnds) {
  QuestionBook book;
  Prng jitter(1);
  std::vector<Question> ended;
  const QuestionId late = book.open(question("w1", at(2s)));
  EXPECT_EQ(book.failed(late, at(2s), jitter)->worker, "w1");
  const QuestionId resting = book.open(question("w2", at(2s)));
  EXPECT_FALSE(book.failed(resting, at(1900ms), jitter));
  EXPECT_TRUE(book.due(at(3s), ended).empty());
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended.front().worker, "w2");
  EXPECT_EQ(book.size(), 0U);
}

TEST(QuestionBook, DropsWhatALostWorkerWasAsked) {
  QuestionBook book;
  Prng jitter(1);
  const QuestionId open = book.open(question("w1"));
  book.failed(book.open(question("w1")), at(0s), jitter);
  book.open(question("w2"));
  const auto is_first = [](const Question& each) { return each.worker == "w1"; };
  EXPECT_TRUE(book.any(is_first));
  EXPECT_EQ(book.drop(is_first), 2U);
  EXPECT_FALSE(book.any(is_first));
  EXPECT_EQ(book.size(), 1U);
  EXPECT_FALSE(book.answered(open));  // late
}

}  // namespace
}  // namespace hyperscale::manager
