#include "runtime/log/log.h"

#include "runtime/clock/clock.h"

#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): pthread_sigmask is POSIX
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/sink.h>

namespace hyperscale::runtime {
namespace {

// Signals go to the node's other threads; without SIGPIPE, a closed pipe is an error of write().
void block_signals() {
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

bool wants_colours(int descriptor) {
  // NOLINTBEGIN(concurrency-mt-unsafe): the environment is changed only before there are threads (secret_source.h)
  const char* terminal = std::getenv("TERM");
  const bool no_color = std::getenv("NO_COLOR") != nullptr;
  // NOLINTEND(concurrency-mt-unsafe)
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return ::isatty(descriptor) == 1 && !no_color && !dumb;
}

// Hands finished lines to their writer and counts them, so that a flush knows how far the thread has come.
class CountingSink final : public spdlog::sinks::sink {
 public:
  explicit CountingSink(std::shared_ptr<LineWriter> writer) : writer_(std::move(writer)) {}

  void log(const spdlog::details::log_msg& message) override {
    writer_->write({message.payload.data(), message.payload.size()});
    {
      const std::lock_guard lock(mutex_);
      ++handled_;
    }
    progress_.notify_all();
  }
  void flush() override {}
  void set_pattern(const std::string&) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter>) override {}

  LineWriter& writer() { return *writer_; }

  template <typename Done>
  bool wait(Duration limit, Done done) {
    std::unique_lock lock(mutex_);
    return progress_.wait_for(lock, limit, [&] { return done(handled_); });
  }

 private:
  const std::shared_ptr<LineWriter> writer_;
  std::mutex mutex_;
  std::condition_variable progress_;
  std::uint64_t handled_ = 0;
};

Result<std::shared_ptr<LineWriter>> open_writer(const LogOptions& options) {
  if (options.capture != nullptr) return options.capture;
  auto writer =
      options.file.empty() ? DescriptorWriter::borrow(options.descriptor) : DescriptorWriter::open_file(options.file);
  if (!writer) return fail(std::move(writer.error()));
  return std::shared_ptr<LineWriter>(std::move(*writer));
}

}  // namespace

struct Log::Backend {
  Backend(const LogOptions& options, std::shared_ptr<LineWriter> writer)
      : format(options.format),
        colours(options.capture == nullptr && options.file.empty() && wants_colours(options.descriptor)),
        level(options.level),
        sink(std::make_shared<CountingSink>(std::move(writer))),
        pool(std::make_shared<spdlog::details::thread_pool>(options.queue_max, 1, block_signals)),
        logger(
            std::make_shared<spdlog::async_logger>("node", sink, pool, spdlog::async_overflow_policy::overrun_oldest)) {
    logger->set_level(spdlog::level::trace);  // the level is decided here, before a line is formatted
    logger->set_error_handler([](const std::string&) {});
  }

  const LogFormat format;
  const bool colours;
  std::atomic<LogLevel> level;
  std::atomic<bool> closed = false;
  std::atomic<std::uint64_t> posted = 0;
  const std::shared_ptr<CountingSink> sink;
  const std::shared_ptr<spdlog::details::thread_pool> pool;
  const std::shared_ptr<spdlog::async_logger> logger;
};

Result<std::unique_ptr<Log>> Log::open(const LogOptions& options) {
  auto writer = open_writer(options);
  if (!writer) return fail(std::move(writer.error()));
  return std::unique_ptr<Log>(new Log(std::make_unique<Backend>(options, std::move(*writer))));
}

Log::Log(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {}

// Joins the thread with the pool. It no longer waits: every write now returns at once.
Log::~Log() {
  backend_->sink->writer().abandon();
}

void Log::log(LogLevel level, std::string_view component, std::string_view message,
              std::initializer_list<LogField> fields) {
  if (!enabled(level)) return;
  const LogRecord record{.time = wall_now(),
                         .level = level,
                         .component = component,
                         .message = message,
                         .fields = {fields.begin(), fields.size()}};
  std::string line = backend_->format == LogFormat::kJson ? json_line(record) : text_line(record, backend_->colours);
  line += '\n';
  ++backend_->posted;
  backend_->logger->log(spdlog::level::info, spdlog::string_view_t(line.data(), line.size()));
}

bool Log::enabled(LogLevel level) const {
  return level >= backend_->level.load(std::memory_order_relaxed) && !backend_->closed.load(std::memory_order_relaxed);
}

LogLevel Log::level() const {
  return backend_->level;
}

void Log::set_level(LogLevel level) {
  backend_->level = level;
}

std::uint64_t Log::dropped() const {
  return backend_->pool->overrun_counter() + backend_->sink->writer().lost();
}

// Lines leave the queue in order, written or overwritten, so the sum of both counts is the progress.
bool Log::flush(Duration limit) {
  const std::uint64_t goal = backend_->posted;
  return backend_->sink->wait(
      limit, [&](std::uint64_t handled) { return handled + backend_->pool->overrun_counter() >= goal; });
}

void Log::close(Duration limit) {
  if (backend_->closed.exchange(true)) return;
  flush(limit);
  backend_->sink->writer().abandon();
}

}  // namespace hyperscale::runtime
