// Process: the program on a machine of the virtual world. The engine has no other knowledge of it. It is called at
// start, when a datagram arrives, at its own deadline and on a command of an operator; it acts through the context
// passed to the call.
//
// One call at a time, never from inside another. A process lives until it exits, is killed or its machine's disk fails:
// then the object is destroyed and its memory is lost. Its behaviour must depend only on its calls and its seed.
#pragma once

#include "base/bytes.h"
#include "base/time.h"
#include "sim/engine/settings.h"
#include "sim/engine/sim_time.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::sim {

// The interface of a process to the world during a call.
class ProcessContext {
 public:
  virtual ~ProcessContext() = default;

  virtual MonoTime mono() const = 0;
  virtual WallTime wall() const = 0;
  virtual void send(HostId to, SharedBytes bytes) = 0;

  // False: the disk is full. The process must handle that, or exit.
  virtual bool write(std::string_view record, ByteView bytes) = 0;
  // False: the process is dead, and its further actions in this call have no effect.
  virtual bool sync() = 0;
  virtual std::optional<std::vector<std::uint8_t>> read(std::string_view record) const = 0;

  // Ends the process after this call. A process that left on purpose is not restarted.
  virtual void exit(std::string_view reason, bool on_purpose) = 0;

  // An event for the trace; always part of its hash.
  virtual void note(std::string_view text) = 0;
};

class Process {
 public:
  virtual ~Process() = default;

  virtual void start(ProcessContext& context) = 0;
  virtual void datagram(ProcessContext& context, HostId from, const SharedBytes& bytes) = 0;
  // A machine answered port unreachable, or an attacker forged that.
  virtual void refused(ProcessContext& context, HostId by) = 0;
  // `late`: delay of this call after next_wake(), or after the request if that time had already passed.
  virtual void wake(ProcessContext& context, Duration late) = 0;
  // A command of an operator, such as "leave" or "rotate_keys".
  virtual void order(ProcessContext& context, std::string_view what, std::int64_t value) = 0;
  // Read after every call; wake() is called at this time. MonoTime::max() for never.
  virtual MonoTime next_wake() const = 0;
};

struct ProcessBirth {
  HostId host = 0;
  std::uint32_t run = 0;            // counts the starts on this machine from 1
  std::uint64_t seed = 0;           // of all random decisions in this process
  std::uint16_t minor_version = 0;  // of the installed program
};

class ProcessMaker {
 public:
  virtual ~ProcessMaker() = default;
  virtual std::unique_ptr<Process> make(const ProcessBirth& birth) = 0;
};

}  // namespace hyperscale::sim
