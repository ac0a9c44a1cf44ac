#include "node/local/sample_subscriber.h"

#include <algorithm>
#include <string>
#include <utility>

namespace hyperscale::node {

using stream::SampleFollower;

void SampleSubscriber::start(MonoTime started) {
  if (!to_.wants_samples()) return;
  started_ = started;
  on_ = true;
  read_later();
}

void SampleSubscriber::read_later() {
  timer_.expires_after(kSamplePeriod);
  timer_.async_wait([this](boost::system::error_code error) {
    if (error || !on_) return;
    read();
    read_later();
  });
}

void SampleSubscriber::read() {
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (const SampleRing& ring : runs_[i]->sample_rings()) read(i, ring);
}

SampleSubscriber::Followed& SampleSubscriber::followed(std::size_t workflow, const SampleRing& ring) {
  const std::pair key{workflow, ring.number};
  const auto found = followed_.find(key);
  if (found != followed_.end()) return found->second;
  return followed_.try_emplace(key, Followed{SampleFollower(ring.memory, SampleFollower::From::kOldest)}).first->second;
}

// Names are copied again only when a script has named a new series.
void SampleSubscriber::name_series(Followed& followed, std::size_t workflow, const SampleRing& ring) {
  if (followed.source && followed.source->steps.size() >= ring.tallies.series_count()) return;
  report::SampleSource source{.workflow = redactor_(runs_[workflow]->name()),
                              .executor = ring.executor,
                              .steps = ring.tallies.series_names(runs_[workflow]->tally_names()),
                              .started = started_};
  for (std::string& step : source.steps) redactor_.apply(step);
  followed.source = std::make_shared<const report::SampleSource>(std::move(source));
}

void SampleSubscriber::read(std::size_t workflow, const SampleRing& ring) {
  Followed& from = followed(workflow, ring);
  samples_.clear();
  // One round of the ring at most, so that a fast executor does not hold up the run.
  for (std::uint32_t frames = 0; frames < ring.memory.nslots; ++frames)
    if (!from.samples.poll([this](const stream::Sample& sample) { samples_.push_back(sample); })) break;
  if (samples_.empty()) return;
  from.taken += samples_.size();
  name_series(from, workflow, ring);
  to_.samples({.source = from.source, .samples = samples_});
}

void SampleSubscriber::finish() {
  if (!std::exchange(on_, false)) return;
  timer_.cancel();
  read();
  std::uint64_t lost = 0;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    for (const SampleRing& ring : runs_[i]->sample_rings()) {
      const auto found = followed_.find({i, ring.number});
      const std::uint64_t taken = found == followed_.end() ? 0 : found->second.taken;
      const std::uint64_t recorded = ring.tallies.samples();
      lost += recorded - std::min(recorded, taken);
    }
  }
  if (lost > 0) to_.lost_samples(lost);
}

}  // namespace hyperscale::node
