#include "apps/hyperscale/stream/stream_commands.h"
#include "base/duration_text.h"
#include "base/json_writer.h"
#include "base/print_text.h"
#include "base/size_text.h"
#include "node/control/control_client.h"
#include "node/control/control_folder.h"
#include "node/executors/stream_setup.h"
#include "stream/abandoned.h"
#include "stream/stream_messages.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace hyperscale::app {
namespace {

using stream::EpochFate;
using Announcements = std::map<std::string, stream::Announcement>;

constexpr Duration kListPatience = 1s;

int failed(std::string_view command, std::string_view sentence) {
  print_text(stderr, fmt::format("hyperscale stream {}: {}\n", command, sentence));
  return EXIT_FAILURE;
}

// Leases as announced by the living drivers; a driver that does not answer is listed without them.
Announcements ask_drivers(const std::vector<EpochFate>& fates) {
  Announcements out;
  for (const EpochFate& fate : fates) {
    if (!fate.has_driver || out.contains(fate.name_space)) continue;
    const auto answer = node::ask_run(node::control_socket_path(node::control_folder_path(), fate.name_space),
                                      stream::kAnnounceMethod, {}, kListPatience);
    auto announced = answer ? stream::decode_announcement(as_bytes(*answer)) : fail(answer.error());
    if (announced) out[fate.name_space] = std::move(*announced);
  }
  return out;
}

std::string_view owner_text(stream::Owner owner) {
  if (owner == stream::Owner::kNone) return "none";
  return owner == stream::Owner::kAlive ? "alive" : "dead";
}

Duration age(const EpochFate& fate) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      stream::age_of(fate.facts.activity_ns, stream::boot_now()));
}

std::string fate_text(const EpochFate& fate, bool removed) {
  if (!fate.failure.empty()) return "not removed: " + fate.failure;
  if (fate.has_driver) return "in use";
  if (fate.kept) return fmt::format("stays: {}", name(*fate.kept));
  return removed ? "removed" : "would be removed";
}

void write_epoch(JsonWriter& json, const EpochFate& fate) {
  json.field("namespace", std::string_view(fate.name_space));
  json.field("stream", fate.stream.value());
  json.field("epoch", fate.facts.epoch.value());
  json.field("bytes", fate.facts.bytes);
  json.key("age_s");
  json.seconds(age(fate));
  json.field("owner", owner_text(fate.facts.owner));
  json.field("driver", fate.has_driver);
}

void write_leases(JsonWriter& json, const Announcements& announcements) {
  json.key("leases");
  json.begin_array();
  for (const auto& [name_space, announced] : announcements) {
    for (const stream::AnnouncedLease& lease : announced.leases) {
      json.begin_object(JsonWriter::Layout::kInline);
      json.field("namespace", std::string_view(name_space));
      json.field("stream", lease.stream);
      json.field("lease", lease.lease);
      json.field("role", lease.is_producer ? "producer" : "consumer");
      json.field("pid", lease.client);
      json.field("mapped_epoch", lease.mapped);
      json.key("expires_in_s");
      json.seconds(lease.left);
      json.end_object();
    }
  }
  json.end_array();
}

void write_counters(JsonWriter& json, const Announcements& announcements) {
  json.key("drivers");
  json.begin_array();
  for (const auto& [name_space, announced] : announcements) {
    json.begin_object();
    json.field("namespace", std::string_view(name_space));
    json.field("epoch_gc_runs", announced.epoch_gc_runs);
    json.field("epoch_gc_removed", announced.epoch_gc_removed);
    json.key("epoch_gc_skipped");
    json.begin_object(JsonWriter::Layout::kInline);
    for (std::size_t i = 0; i < announced.epoch_gc_skipped.size(); ++i)
      json.field(name(static_cast<stream::KeptFor>(i)), announced.epoch_gc_skipped[i]);
    json.end_object();
    json.field("epochs_on_disk", announced.epochs_on_disk);
    json.end_object();
  }
  json.end_array();
}

std::string list_json(const std::vector<EpochFate>& fates, const Announcements& announcements) {
  JsonWriter json;
  json.begin_object();
  json.key("epochs");
  json.begin_array();
  for (const EpochFate& fate : fates) {
    json.begin_object(JsonWriter::Layout::kInline);
    write_epoch(json, fate);
    json.end_object();
  }
  json.end_array();
  write_leases(json, announcements);
  write_counters(json, announcements);
  json.end_object();
  return json.take() + "\n";
}

std::string list_text(const std::vector<EpochFate>& fates, const Announcements& announcements) {
  if (fates.empty()) return "no streams\n";
  std::string out = fmt::format("{:<28} {:>7} {:>6} {:>9} {:>9}  {:<6} {}\n", "NAMESPACE", "STREAM", "EPOCH", "SIZE",
                                "AGE", "OWNER", "LEASES");
  for (const EpochFate& fate : fates) {
    std::string leases = fate.has_driver ? "" : "no driver";
    if (const auto announced = announcements.find(fate.name_space); announced != announcements.end()) {
      std::size_t producers = 0;
      std::size_t consumers = 0;
      for (const stream::AnnouncedLease& lease : announced->second.leases) {
        if (lease.stream != fate.stream.value() || lease.mapped > fate.facts.epoch.value()) continue;
        ++(lease.is_producer ? producers : consumers);
      }
      leases = fmt::format("{} producer, {} consumers", producers, consumers);
    }
    out += fmt::format("{:<28} {:>7} {:>6} {:>9} {:>9}  {:<6} {}\n", fate.name_space, fate.stream, fate.facts.epoch,
                       format_size(fate.facts.bytes), format_duration(age(fate)), owner_text(fate.facts.owner), leases);
  }
  return out;
}

Result<stream::DriverSetup> setup_for(const std::string& base) {
  auto setup = node::driver_setup_from_environment("");
  if (setup && !base.empty()) setup->shm_base_dir = node::absolute_base(base);
  return setup;
}

std::string collected_json(const std::vector<EpochFate>& fates, bool removed) {
  JsonWriter json;
  json.begin_object();
  json.field("dry_run", !removed);
  json.key("epochs");
  json.begin_array();
  for (const EpochFate& fate : fates) {
    json.begin_object(JsonWriter::Layout::kInline);
    write_epoch(json, fate);
    json.field("fate", std::string_view(fate_text(fate, removed)));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

std::string collected_text(const std::vector<EpochFate>& fates, bool removed) {
  std::string out;
  std::uint64_t bytes = 0;
  std::size_t count = 0;
  for (const EpochFate& fate : fates) {
    out += fmt::format("{}/{}/{} ({}): {}\n", fate.name_space, fate.stream, fate.facts.epoch,
                       format_size(fate.facts.bytes), fate_text(fate, removed));
    if (fate.has_driver || fate.kept || !fate.failure.empty()) continue;
    bytes += fate.facts.bytes;
    ++count;
  }
  if (removed) return out + fmt::format("{} epochs removed, {} freed\n", count, format_size(bytes));
  out += fmt::format("{} epochs would be removed, {} freed{}\n", count, format_size(bytes),
                     count > 0 ? "; add --yes to do it" : "");
  return out;
}

}  // namespace

int stream_list_command(const StreamListOptions& options) {
  const auto setup = setup_for(options.base);
  if (!setup) return failed("ls", setup.error().context);
  const auto fates =
      stream::collect_abandoned(setup->shm_base_dir, setup->policies, stream::boot_now(), stream::Collect::kLook);
  if (!fates) return failed("ls", fates.error().context);
  const Announcements announcements = ask_drivers(*fates);
  print_text(stdout, options.json ? list_json(*fates, announcements) : list_text(*fates, announcements));
  return EXIT_SUCCESS;
}

int stream_collect_command(const StreamCollectOptions& options) {
  const auto setup = setup_for(options.base);
  if (!setup) return failed("gc", setup.error().context);
  const auto fates = stream::collect_abandoned(setup->shm_base_dir, setup->policies, stream::boot_now(),
                                               options.remove ? stream::Collect::kRemove : stream::Collect::kLook);
  if (!fates) return failed("gc", fates.error().context);
  print_text(stdout, options.json ? collected_json(*fates, options.remove) : collected_text(*fates, options.remove));
  const bool clean = std::ranges::all_of(*fates, [](const EpochFate& fate) { return fate.failure.empty(); });
  return clean ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace hyperscale::app
