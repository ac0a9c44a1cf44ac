#include "manager/question_book.h"

#include <algorithm>
#include <utility>

namespace hyperscale::manager {

const std::string& job_of_question(const wire::JobQuestion& message) {
  static const std::string kNone;
  return std::visit(
      [](const auto& each) -> const std::string& {
        if constexpr (requires { each.attempt; })
          return each.attempt.share.job;
        else if constexpr (requires { each.job; })
          return each.job;
        else
          return kNone;
      },
      message);
}

QuestionId QuestionBook::open(Question question) {
  const QuestionId id(++last_);
  open_.emplace(id, std::move(question));
  return id;
}

std::optional<Question> QuestionBook::answered(QuestionId id) {
  auto found = open_.extract(id);
  if (found.empty()) return std::nullopt;
  return std::move(found.mapped());
}

std::optional<Question> QuestionBook::failed(QuestionId id, MonoTime now, Prng& jitter) {
  auto question = answered(id);
  if (!question || now >= question->give_up_at) return question;
  rest(std::move(*question), now, jitter);
  return std::nullopt;
}

void QuestionBook::repeat(Question question, MonoTime now, Prng& jitter) {
  rest(std::move(question), now, jitter);
}

void QuestionBook::rest(Question question, MonoTime now, Prng& jitter) {
  const auto doublings = std::min(question.failures, 10U);
  const Duration longest = std::min(kRepeatDelay * (1 << doublings), kRepeatDelayMax);
  ++question.failures;
  resting_.emplace(now + jitter.between(longest / 2, longest), std::move(question));
}

std::vector<std::pair<QuestionId, const Question*>> QuestionBook::due(MonoTime now, std::vector<Question>& ended) {
  std::vector<std::pair<QuestionId, const Question*>> due;
  while (!resting_.empty() && resting_.begin()->first <= now) {
    Question question = std::move(resting_.extract(resting_.begin()).mapped());
    if (now >= question.give_up_at) {
      ended.push_back(std::move(question));
      continue;
    }
    const QuestionId id = open(std::move(question));
    due.emplace_back(id, &open_.at(id));
  }
  return due;
}

std::size_t QuestionBook::drop(const std::function<bool(const Question&)>& matches) {
  return std::erase_if(open_, [&](const auto& each) { return matches(each.second); }) +
         std::erase_if(resting_, [&](const auto& each) { return matches(each.second); });
}

bool QuestionBook::any(const std::function<bool(const Question&)>& matches) const {
  const auto one = [&](const auto& each) { return matches(each.second); };
  return std::ranges::any_of(open_, one) || std::ranges::any_of(resting_, one);
}

}  // namespace hyperscale::manager
