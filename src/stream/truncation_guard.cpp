#include "stream/truncation_guard.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace hyperscale::stream {
namespace {

struct Place {
  std::atomic<bool> taken{false};
  std::atomic<bool> lost{false};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};  // zero: not guarded
};

std::array<Place, kGuardedMappingsMax> places;
std::atomic<std::size_t> places_used{0};  // the rest has never been taken
struct sigaction before{};

// Maps zero pages from the touched page to the end of the mapping. False: the mapping is not guarded, or no memory is
// left.
bool replace_rest(std::uintptr_t address) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t used = places_used.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < used; ++i) {
    Place& place = places[i];
    const std::uintptr_t end = place.end.load(std::memory_order_acquire);
    if (address < place.begin.load(std::memory_order_relaxed) || address >= end) continue;
    const std::uintptr_t from = address / page * page;
    void* const at = reinterpret_cast<void*>(from);  // NOLINT(performance-no-int-to-ptr): where the fault was
    if (::mmap(at, end - from, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
      return false;
    place.lost.store(true, std::memory_order_release);
    return true;
  }
  return false;
}

void on_bus_error(int signal, siginfo_t* info, void* context) {
  const bool fault = info->si_code > 0;  // not sent by a process
  if (fault && replace_rest(reinterpret_cast<std::uintptr_t>(info->si_addr))) return;
  if ((before.sa_flags & SA_SIGINFO) != 0) return before.sa_sigaction(signal, info, context);
  ::sigaction(SIGBUS, &before, nullptr);
  ::raise(signal);  // when this returns, it ends as it would have
}

void install() {
  static const bool once = [] {
    struct sigaction action{};
    action.sa_sigaction = &on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    return ::sigaction(SIGBUS, &action, &before) == 0;
  }();
  (void)once;
}

}  // namespace

TruncationGuard::TruncationGuard(void* data, std::size_t bytes) {
  install();
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].taken.exchange(true)) continue;
    places[i].lost = false;
    places[i].begin = reinterpret_cast<std::uintptr_t>(data);
    places[i].end = reinterpret_cast<std::uintptr_t>(data) + bytes;
    for (std::size_t used = places_used; used <= i && !places_used.compare_exchange_weak(used, i + 1);) {
    }
    place_ = i;
    return;
  }
}

TruncationGuard& TruncationGuard::operator=(TruncationGuard&& other) noexcept {
  std::swap(place_, other.place_);
  return *this;
}

TruncationGuard::~TruncationGuard() {
  if (place_ == kGuardedMappingsMax) return;
  places[place_].end = 0;
  places[place_].taken = false;
}

bool TruncationGuard::lost() const {
  return place_ != kGuardedMappingsMax && places[place_].lost.load(std::memory_order_acquire);
}

}  // namespace hyperscale::stream
