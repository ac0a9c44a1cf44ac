#include "apps/hyperscale/stream/end_signal.h"

#include <array>
#include <csignal>

namespace hyperscale::app {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

volatile std::sig_atomic_t signal_came = 0;

void set_handlers(void (*handler)(int), int flags) {
  for (const int signal : kSignals) {
    struct sigaction before{};
    // Keep ignored signals ignored, as under nohup.
    if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    struct sigaction action{};
    action.sa_handler = handler;
    action.sa_flags = flags;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

EndSignal::EndSignal() {
  signal_came = 0;
  set_handlers([](int) { signal_came = 1; }, static_cast<int>(SA_RESETHAND));
}

EndSignal::~EndSignal() {
  set_handlers(SIG_DFL, 0);
}

bool EndSignal::came() const {
  return signal_came != 0;
}

}  // namespace hyperscale::app
