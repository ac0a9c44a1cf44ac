// CancelToken: cancels the work of one request (the client disconnected, or the hard deadline passed). CancelSource is
// the side that cancels; tokens are what handlers see. Both are cheap handles to shared state.
//
// Thread rule: every method may be called from any thread. A callback runs exactly once, on the thread that cancels, or
// at once on the registering thread when the token was cancelled before. Dropping a Registration removes its callback
// and never blocks: a callback that has already begun may still be running, so it must own what it touches. A
// default-constructed token is never cancelled.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace hyperscale::runtime {

class CancelToken {
 public:
  // Removes the callback when destroyed. Movable, not copyable.
  class Registration {
   public:
    Registration() = default;
    Registration(Registration&& other) noexcept;
    Registration& operator=(Registration&& other) noexcept;
    ~Registration();

   private:
    friend class CancelToken;
    void reset();
    std::shared_ptr<struct CancelState> state_;
    std::uint64_t id_ = 0;
  };

  CancelToken() = default;

  bool canceled() const;
  [[nodiscard]] Registration on_cancel(std::function<void()> callback) const;

 private:
  friend class CancelSource;
  std::shared_ptr<struct CancelState> state_;
};

class CancelSource {
 public:
  CancelSource();
  CancelToken token() const;
  // The first call runs the callbacks; later calls do nothing.
  void cancel() const;

 private:
  std::shared_ptr<struct CancelState> state_;
};

}  // namespace hyperscale::runtime
