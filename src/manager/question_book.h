// QuestionBook: the questions to workers that have no answer yet. An unanswered question is asked again, with growing
// pauses, until it is answered, its patience ends or its worker is gone.
//
// No answer does not mean that nothing was done, so the same message is asked again: every question to a worker may be
// repeated. Each time it has another id, and an answer to any of them would be the same; the adapter reports exactly
// one outcome per id. A question whose patience has ended is handed back to the caller, who fences before it acts.
//
// Pure; time and jitter are passed in. Bounded by the caller: a few questions per share and worker. One thread.
#pragma once

#include "base/prng.h"
#include "base/strong_type.h"
#include "base/time.h"
#include "wire/jobs/job_message.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hyperscale::manager {

// Pauses between repetitions: 0.3 s, doubled each time, up to the largest; with equal jitter (AD-21).
inline constexpr Duration kRepeatDelay = 300ms;
inline constexpr Duration kRepeatDelayMax = 5s;

using QuestionId = StrongId<struct QuestionIdTag>;

// The job that a question is about.
const std::string& job_of_question(const wire::JobQuestion& message);

struct Question {
  std::string worker;
  wire::JobQuestion message;
  MonoTime give_up_at;  // max(): as long as the worker is up
  std::uint32_t failures = 0;
};

class QuestionBook {
 public:
  // The id to ask it under.
  QuestionId open(Question question);
  // The answered question, which is removed; nullopt if it was dropped before.
  std::optional<Question> answered(QuestionId id);
  // No answer: asked again later, or handed back if its patience has ended.
  std::optional<Question> failed(QuestionId id, MonoTime now, Prng& jitter);
  // Asked again, because the answer was "not yet". REQUIRES: answered() gave it.
  void repeat(Question question, MonoTime now, Prng& jitter);
  // Questions to repeat now, with their new ids; `ended` gets those whose patience has ended.
  std::vector<std::pair<QuestionId, const Question*>> due(MonoTime now, std::vector<Question>& ended);

  // Removes the questions for which `matches` is true. How many.
  std::size_t drop(const std::function<bool(const Question&)>& matches);
  bool any(const std::function<bool(const Question&)>& matches) const;
  std::size_t size() const { return open_.size() + resting_.size(); }

 private:
  void rest(Question question, MonoTime now, Prng& jitter);

  std::uint64_t last_ = 0;
  std::map<QuestionId, Question> open_;        // asked, without outcome
  std::multimap<MonoTime, Question> resting_;  // by the time at which they are asked again
};

}  // namespace hyperscale::manager
