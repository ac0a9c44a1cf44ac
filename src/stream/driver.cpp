#include "stream/driver.h"

#include "base/check.h"
#include "stream/private_folder.h"
#include "stream/process_identity.h"
#include "stream/safe_name.h"
#include "stream/stream_messages.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::stream {
namespace {

// Ids of different drivers differ, so that a lease of a driver that was restarted is not taken for one of its
// successor's.
LeaseId first_lease(MonoTime now) {
  return LeaseId(static_cast<std::uint64_t>(now.ns()));
}

constexpr std::size_t kNoticesMax = 1024;

// Keeps at most kNoticesMax notices, the newest, until the caller fetches them.
template <typename Notice>
void push_newest(std::vector<Notice>& notices, Notice notice) {
  if (notices.size() == kNoticesMax) notices.erase(notices.begin());
  notices.push_back(std::move(notice));
}

// The folder paths of grants must fit into their messages for any stream and epoch.
Status check_base(const DriverSetup& setup) {
  const std::string longest =
      fmt::format("/{}/{}/{}/{}", user_folder_name(), safe_name(setup.name_space), UINT32_MAX, UINT64_MAX);
  const std::size_t most = kFolderBytesMax - longest.size();
  if (setup.shm_base_dir.size() <= most) return {};
  return fail(ErrorCode::kInvalidArgument,
              fmt::format("the path of the base folder has {} bytes, at most {} can be used; set {} to a "
                          "shorter one",
                          setup.shm_base_dir.size(), most, kShmBaseDirVariable));
}

}  // namespace

MonoTime boot_now() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return MonoTime::from_ns(std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec);
}

Error error_of(const Answer& answer) {
  switch (answer.code) {
    case ResponseCode::kUnsupported:
    case ResponseCode::kInvalidParams:
      return {ErrorCode::kInvalidArgument, answer.text};
    case ResponseCode::kRejected:
      return {ErrorCode::kConflict, answer.text};
    case ResponseCode::kInternalError:
      return {ErrorCode::kInternal, answer.text};
    case ResponseCode::kOk:
      break;
  }
  UNREACHABLE("an answer that is no refusal");
}

Result<std::unique_ptr<Driver>> Driver::start(DriverSetup setup) {
  if (Status fits = check_base(setup); !fits) return fail(fits.error());
  auto folder = NamespaceFolder::acquire(
      setup.shm_base_dir, setup.name_space,
      {.cleanup_on_exit = setup.policies.cleanup_shm_on_exit, .pid_namespace = pid_namespace()});
  if (!folder) return fail(folder.error());
  std::unique_ptr<Driver> driver(new Driver(std::move(setup), std::move(*folder)));
  Started started;
  for (const StreamNumber stream : driver->folder_.streams()) {
    const auto streams = driver->folder_.stream_folder(stream);
    if (!streams) continue;
    FoundStream found{.stream = stream, .highest = {}};
    for (const EpochFacts& facts : look_at_epochs(streams->get())) found.highest = std::max(found.highest, facts.epoch);
    started.on_disk.push_back(found);
  }
  driver->feed(started);
  return driver;
}

Driver::Driver(DriverSetup setup, NamespaceFolder folder)
    : setup_(std::move(setup)), folder_(std::move(folder)), core_(setup_.policies, first_lease(setup_.clock())) {}

Driver::~Driver() {
  feed(StopAsked{});
}

// Attach and collection are steps of one queue: neither sees half of the other (SHM-DRV-7).
void Driver::feed(const DriverCore::Event& event) {
  std::ranges::move(core_.step(event, now()), std::back_inserter(actions_));
  while (!actions_.empty()) {
    const DriverCore::Action action = std::move(actions_.front());
    actions_.pop_front();
    std::visit([this](const auto& one) { carry_out(one); }, action);
  }
}

Result<Answer> Driver::ask(const DriverCore::Event& event) {
  answer_.reset();
  feed(event);
  CHECK(answer_, "a request without an answer");
  if (answer_->code != ResponseCode::kOk) return fail(error_of(*answer_));
  return *answer_;
}

Result<ProducerGrant> Driver::attach_producer(StreamNumber stream, std::uint64_t pid, const RegionLayout& layout) {
  const auto started = process_start_ns(pid);
  if (!started) return fail(ErrorCode::kInvalidArgument, fmt::format("there is no process {}", pid));
  const auto answer = ask(AttachAsked{.stream = stream,
                                      .role = Role::kProducer,
                                      .client = {.id = ClientId(pid), .started_ns = *started},
                                      .layout = layout});
  if (!answer) return fail(answer.error());
  const auto& regions = regions_.at(stream);
  return ProducerGrant{
      .lease = answer->lease,
      .epoch = answer->epoch,
      .descriptors = {regions->header.descriptor(), regions->pool.descriptor(), regions->counters.descriptor()},
      .regions = regions};
}

Result<ConsumerGrant> Driver::grant_of(const Result<Answer>& answer) const {
  if (!answer) return fail(answer.error());
  return ConsumerGrant{.lease = answer->lease,
                       .epoch = answer->epoch,
                       .has_regions = answer->has_regions,
                       .lease_left = answer->expires - now(),
                       .folder = fmt::format("{}/{}/{}", path(), answer->stream, answer->epoch)};
}

Result<ConsumerGrant> Driver::attach_consumer(StreamNumber stream, std::uint64_t pid) {
  return grant_of(
      ask(AttachAsked{.stream = stream, .role = Role::kConsumer, .client = {.id = ClientId(pid)}, .layout = {}}));
}

Result<ConsumerGrant> Driver::keep_alive(LeaseId lease, std::uint64_t pid, Epoch mapped) {
  return grant_of(ask(KeptAlive{.lease = lease, .client = ClientId(pid), .mapped = mapped}));
}

Status Driver::detach(LeaseId lease, std::uint64_t pid) {
  const auto answer = ask(DetachAsked{.lease = lease, .client = ClientId(pid)});
  if (!answer) return fail(answer.error());
  return {};
}

void Driver::hand_over(LeaseId lease, std::uint64_t from_pid, std::uint64_t to_pid) {
  // A process that has ended already gets start time 0: it counts as dead, and its end is reported.
  feed(HandedOver{.lease = lease,
                  .from = ClientId(from_pid),
                  .to = {.id = ClientId(to_pid), .started_ns = process_start_ns(to_pid).value_or(0)}});
}

void Driver::client_gone(std::uint64_t pid) {
  feed(ClientGone{ClientId(pid)});
}

void Driver::revoke_producer(StreamNumber stream) {
  feed(RevokeAsked{stream});
}

void Driver::tick() {
  feed(Ticked{});
}

std::vector<StreamReport> Driver::streams() const {
  std::vector<StreamReport> out;
  for (const auto& [stream, state] : core_.streams()) out.push_back({stream, state.current, state.has_regions});
  return out;
}

void Driver::carry_out(const Provision& action) {
  Provisioned done{.stream = action.stream, .epoch = action.epoch, .why = {}};
  auto folder = folder_.make_stream_folder(action.stream);
  auto regions = folder ? make_epoch(folder->get(), action, now_ns()) : fail(folder.error());
  if (regions) {
    regions_[action.stream] = std::make_shared<EpochRegions>(std::move(*regions));
  } else {
    const ErrorCode code = regions.error().code;
    done.how = code == ErrorCode::kBusy       ? Provisioned::How::kNoRoom
               : code == ErrorCode::kConflict ? Provisioned::How::kTaken
                                              : Provisioned::How::kFailed;
    done.why = regions.error().context;
  }
  std::ranges::move(core_.step(done, now()), std::back_inserter(actions_));
}

void Driver::carry_out(const Own& action) {
  if (const auto found = regions_.find(action.stream); found != regions_.end())
    found->second->own(action.owner.id.value(), action.owner.started_ns);
}

void Driver::carry_out(const Disown& action) {
  const auto found = regions_.find(action.stream);
  if (found == regions_.end()) return;
  found->second->disown();
  regions_.erase(found);
}

void Driver::carry_out(const LeaseEnded& action) {
  push_newest(notices_, action);
}

void Driver::carry_out(const Refresh& action) {
  if (const auto found = regions_.find(action.stream); found != regions_.end()) found->second->refresh(now_ns());
}

void Driver::carry_out(const Scan& action) {
  Scanned scanned{.stream = action.stream, .found = {}};
  if (const auto folder = folder_.stream_folder(action.stream)) scanned.found = look_at_epochs(folder->get());
  std::ranges::move(core_.step(scanned, now()), std::back_inserter(actions_));
}

void Driver::carry_out(const Remove& action) {
  const auto folder = folder_.stream_folder(action.stream);
  const Status removed = folder ? remove_epoch(folder->get(), action.epoch) : fail(folder.error());
  push_newest(log_, removed ? fmt::format("epoch GC removed epoch {} of stream {}", action.epoch, action.stream)
                            : removed.error().context);
}

void Driver::carry_out(const RemoveNamespace&) {
  for (const StreamNumber stream : folder_.streams()) {
    const auto folder = folder_.stream_folder(stream);
    if (!folder) continue;
    for (const EpochFacts& facts : look_at_epochs(folder->get())) (void)remove_epoch(folder->get(), facts.epoch);
    folder_.remove_empty_stream(stream);
  }
  folder_.remove_if_empty();
}

}  // namespace hyperscale::stream
