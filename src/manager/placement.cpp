#include "manager/placement.h"

#include "base/check.h"
#include "base/endian.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace hyperscale::manager {
namespace {

// Uniform in [0, n): draws above the last whole multiple of n are discarded.
std::uint64_t draw_below(std::uint64_t n, wire::EntropySource& entropy) {
  const std::uint64_t excess = (UINT64_MAX % n + 1) % n;
  std::array<std::uint8_t, 8> bytes{};
  while (true) {
    entropy.fill(bytes);
    const std::uint64_t draw = load_le64(bytes.data());
    if (draw <= UINT64_MAX - excess) return draw % n;
  }
}

// Healthy ones first, each group in random order.
void shuffle(std::vector<Room>& rooms, wire::EntropySource& entropy) {
  for (std::size_t i = rooms.size(); i > 1; --i) std::swap(rooms[i - 1], rooms[draw_below(i, entropy)]);
  std::ranges::partition(rooms, &Room::healthy);
}

std::set<JobCore> cores_of(const std::vector<SlotCores>& workflows) {
  std::set<JobCore> cores;
  for (const SlotCores& each : workflows) cores.insert(each.cores.begin(), each.cores.end());
  return cores;
}

}  // namespace

std::uint32_t cores_needed(const std::vector<SlotCores>& workflows) {
  return static_cast<std::uint32_t>(cores_of(workflows).size());
}

std::uint32_t cores_free(const std::vector<Room>& rooms) {
  std::uint32_t sum = 0;
  for (const Room& room : rooms) sum += room.free;
  return sum;
}

std::optional<std::vector<PlacedShare>> place_stage(const std::vector<SlotCores>& workflows, std::vector<Room> rooms,
                                                    wire::EntropySource& entropy) {
  const std::set<JobCore> cores = cores_of(workflows);
  if (cores.size() > cores_free(rooms)) return std::nullopt;
  shuffle(rooms, entropy);
  std::map<JobCore, const std::string*> worker_of;
  auto room = rooms.begin();
  for (const JobCore core : cores) {
    while (room->free == 0) ++room;
    --room->free;
    worker_of[core] = &room->worker;
  }

  std::vector<PlacedShare> shares;
  for (const SlotCores& each : workflows) {
    const std::string* last = nullptr;
    for (std::uint32_t slot = 0; slot < each.cores.size(); ++slot) {
      const std::string* worker = worker_of.at(each.cores[slot]);
      if (worker != last) shares.push_back({each.workflow, slot, {}, *worker});
      shares.back().cores.push_back(each.cores[slot]);
      last = worker;
    }
  }
  return shares;
}

std::optional<std::string> choose_worker(const std::vector<Room>& rooms, std::uint32_t cores,
                                         wire::EntropySource& entropy) {
  for (const bool healthy : {true, false}) {
    std::vector<const Room*> fitting;
    for (const Room& room : rooms)
      if (room.healthy == healthy && room.free >= cores) fitting.push_back(&room);
    if (!fitting.empty()) return fitting[draw_below(fitting.size(), entropy)]->worker;
  }
  return std::nullopt;
}

}  // namespace hyperscale::manager
