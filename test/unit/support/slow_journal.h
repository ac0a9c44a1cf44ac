// SlowJournal: a memory journal that answers late, in any order between jobs, and sometimes that the outcome is
// unknown: then the record was appended, or it was not. For tests of the cores that write to a journal; it satisfies
// jobs::Journal.
//
//   SlowJournal journal("dc/eu-1", {.seed = 7, .unknown_percent = 20});
//   deliver(journal.ask(append, now));                      // often nothing yet
//   deliver(journal.step(SlowJournal::Due{}, now));         // at journal.next_due() and later
//
// Requests of one job are carried out in their order. A Committed comes before the Appended of the same op, also where
// the first answer was Unknown. The same seed gives the same behaviour. One thread.
#pragma once

#include "base/prng.h"
#include "jobs/journal/memory_journal.h"

#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <variant>

namespace hyperscale::jobs {

class SlowJournal {
 public:
  struct Behaviour {
    std::uint64_t seed = 1;
    std::uint32_t unknown_percent = 0;
    Duration delay_min = 1ms;
    Duration delay_max = 400ms;
  };
  struct Due {};
  using Event = std::variant<MemoryJournal::Won, MemoryJournal::Lost, Due>;
  using Action = JournalEvent;

  SlowJournal(std::string group, Behaviour behaviour)
      : behaviour_(behaviour), prng_(behaviour.seed), inner_(std::move(group)) {}

  Actions<Action> step(const Event& event, MonoTime now) {
    if (const auto* won = std::get_if<MemoryJournal::Won>(&event)) return inner_.step(*won, now);
    if (const auto* lost = std::get_if<MemoryJournal::Lost>(&event)) return inner_.step(*lost, now);
    Actions<Action> out;
    for (auto& [job, waiting] : waiting_)
      while (!waiting.empty() && waiting.front().due <= now) {
        carry_out(waiting.front(), now, out);
        waiting.pop_front();
      }
    std::erase_if(waiting_, [](const auto& each) { return each.second.empty(); });
    return out;
  }

  Actions<Action> ask(const JournalRequest& request, MonoTime now) {
    const std::string& job = std::visit([](const auto& each) -> const std::string& { return each.job; }, request);
    std::deque<Waiting>& waiting = waiting_[job];
    const MonoTime earliest = waiting.empty() ? now : waiting.back().due;
    waiting.push_back({request, earliest + prng_.between(behaviour_.delay_min, behaviour_.delay_max)});
    return {};
  }

  // MonoTime::max(): nothing waits.
  MonoTime next_due() const {
    MonoTime next = MonoTime::max();
    for (const auto& [job, waiting] : waiting_) next = std::min(next, waiting.front().due);
    return next;
  }
  std::uint32_t unknowns() const { return unknowns_; }

 private:
  struct Waiting {
    JournalRequest request;
    MonoTime due;
  };

  void carry_out(const Waiting& waiting, MonoTime now, Actions<Action>& out) {
    const auto* append = std::get_if<Append>(&waiting.request);
    const bool is_unknown = append && prng_.below(100) < behaviour_.unknown_percent;
    const bool is_done = !is_unknown || prng_.below(2) == 0;
    const Unknown unknown{append ? append->ticket : Ticket(), {ErrorCode::kTimeout, "no majority answered in time"}};
    const bool told_first = prng_.below(2) == 0;  // that it is unknown, before Committed
    if (is_unknown) ++unknowns_;
    if (is_unknown && told_first) out.emplace_back(unknown);
    if (is_done)
      for (Action& answer : inner_.ask(waiting.request, now))
        if (!is_unknown || std::holds_alternative<Committed>(answer)) out.push_back(std::move(answer));
    if (is_unknown && !told_first) out.emplace_back(unknown);
  }

  const Behaviour behaviour_;
  Prng prng_;
  MemoryJournal inner_;
  std::map<std::string, std::deque<Waiting>> waiting_;
  std::uint32_t unknowns_ = 0;
};

static_assert(Journal<SlowJournal>);

}  // namespace hyperscale::jobs
