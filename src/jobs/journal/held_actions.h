// HeldActions: actions that wait for the record they depend on. The author of a decision holds them under the ticket of
// its Append; they are released by Appended, in the order in which they were held, or dropped if it was refused.
//
//   held.hold(ticket, Ask{worker, dispatch});
//   for (Action& action : held.release(ticket, [&](const Action& each) { return is_still_right(each); })) emit(action);
//
// Between the decision and its record the world goes on, so release() asks the guard about each action again and drops
// what is no longer right. An unknown outcome releases nothing: the actions stay until the repeated Append is answered.
//
// Plain value; one thread. Bounded by its owner: one ticket per decision in flight.
#pragma once

#include "base/core.h"
#include "jobs/journal/journal.h"

#include <cstddef>
#include <map>
#include <utility>

namespace hyperscale::jobs {

template <typename Action>
class HeldActions {
 public:
  void hold(Ticket ticket, Action action) { held_[ticket].push_back(std::move(action)); }

  // The actions of the ticket for which guard(action) is true. A ticket without any gives none: an answer may come
  // twice, for the first Append and for its repetition.
  template <typename Guard>
  Actions<Action> release(Ticket ticket, const Guard& guard) {
    Actions<Action> released = take(ticket);
    std::erase_if(released, [&](const Action& action) { return !guard(action); });
    return released;
  }

  // The decision was refused: none of these may happen. Handed back, because some callers still need an answer.
  Actions<Action> drop(Ticket ticket) { return take(ticket); }
  bool holds(Ticket ticket) const { return held_.contains(ticket); }
  std::size_t tickets() const { return held_.size(); }

 private:
  Actions<Action> take(Ticket ticket) {
    auto found = held_.extract(ticket);
    return found.empty() ? Actions<Action>() : std::move(found.mapped());
  }

  std::map<Ticket, Actions<Action>> held_;
};

}  // namespace hyperscale::jobs
