// StandstillBeat: the beats of a run's loop and the signal SIGCONT, for a SuspensionWatch. Whoever is to be patient
// after a standstill, or to tell of a suspension, is called.
//
// Thread rule: the one that runs `io`. It has to be made before anybody else handles SIGCONT and passes it on.
#pragma once

#include "jobs/suspension_watch.h"

#include <functional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hyperscale::node {

class StandstillBeat {
 public:
  struct Calls {
    std::function<void(Duration)> stood_still;
    std::function<bool()> counts;  // whether a suspension now is one of the run
    std::function<void(Duration)> was_suspended;
  };
  StandstillBeat(boost::asio::io_context& io, Calls calls);

  // What was before is no standstill.
  void start();
  // Between two beats, for someone who needs to know now.
  void look();
  // For the results; empty when there was no suspension.
  std::string warning() const { return watch_.warning(); }

 private:
  void await_signal();
  void beat();

  const Calls calls_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer timer_;
  jobs::SuspensionWatch watch_;
};

}  // namespace hyperscale::node
