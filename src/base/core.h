// Core: the interface of all code that decides. A core receives events with the time and returns actions; it never
// reads a clock, a file, a socket or an unseeded random number, and starts no thread. The same core therefore runs
// under a real adapter, in the simulator and under VirtualDriver (test/unit/support) in a test.
//
//   class Lease {
//    public:
//     struct Event { bool renewed; };            // what happened: a std::variant where there are several kinds
//     struct Action { MonoTime wake_at; };       // what the adapter is to do
//     Actions<Action> step(const Event& event, MonoTime now) {
//       if (!event.renewed) return {};
//       return {Action{.wake_at = now + 5s}};    // timers come back as events
//     }
//   };
//   static_assert(Core<Lease>);
//
// Rules: one thread at a time owns a core. `now` never goes backwards between calls. Actions are executed in order,
// after step() has returned; step() is not reentrant. Equal event sequences with equal times give equal actions, so
// nothing may depend on addresses, hash order or the environment. A failed expectation about an event from outside is
// an action or a counter; only a bug of this program is a CHECK.
#pragma once

#include "base/time.h"

#include <concepts>
#include <vector>

namespace hyperscale {

template <typename Action>
using Actions = std::vector<Action>;

template <typename C>
concept Core = requires(C core, const typename C::Event& event, MonoTime now) {
  typename C::Event;
  typename C::Action;
  { core.step(event, now) } -> std::same_as<Actions<typename C::Action>>;
};

}  // namespace hyperscale
