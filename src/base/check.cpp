#include "base/check.h"

#include "base/check_prologue.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include <execinfo.h>

namespace hyperscale {
namespace {

constexpr int kFramesMax = 32;
std::atomic<CheckPrologue> prologue_now{nullptr};

}  // namespace

CheckPrologue set_check_prologue(CheckPrologue prologue) {
  return prologue_now.exchange(prologue);
}

namespace detail {

void check_failed(const char* expression, const char* file, int line, const std::string& message) {
  if (const CheckPrologue prologue = prologue_now.exchange(nullptr)) prologue();
  std::fprintf(stderr, "\nhyperscale: CHECK failed, this is a bug\n  check    %s\n  at       %s:%d\n", expression, file,
               line);
  if (!message.empty()) std::fprintf(stderr, "  because  %s\n", message.c_str());
  void* frames[kFramesMax];
  const int depth = backtrace(frames, kFramesMax);
  std::fprintf(stderr, "  stack\n");
  std::fflush(stderr);
  backtrace_symbols_fd(frames, depth, 2);
  std::abort();
}

}  // namespace detail
}  // namespace hyperscale
