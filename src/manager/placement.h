// Placement: which slots of a stage run on which workers, as shares, and which worker gets a share again.
//
// A slot runs on one core of the job; slots of different workflows may have the same core, if the workflows of a stage
// do not fit side by side. Cores are dealt to workers in random order, healthy ones first, each until it is full. So a
// workflow is cut into as few shares as the order allows, and a share is a run of slots on one worker.
//
// Pure functions; any thread. The entropy is the system's generator on a node, so that no worker is preferred and
// nobody can predict the choice, and a seeded one in tests.
#pragma once

#include "manager/worker_pool.h"
#include "wire/entropy_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hyperscale::manager {

// Slots of one workflow: the core of the job that each of them runs on, ascending.
struct SlotCores {
  std::uint32_t workflow = 0;
  std::vector<JobCore> cores;
};

struct PlacedShare {
  std::uint32_t workflow = 0;
  std::uint32_t first_slot = 0;
  std::vector<JobCore> cores;  // one per slot
  std::string worker;
  bool operator==(const PlacedShare&) const = default;
};

// Cores that the workflows need together.
std::uint32_t cores_needed(const std::vector<SlotCores>& workflows);
std::uint32_t cores_free(const std::vector<Room>& rooms);

// Ordered by workflow and slot; nullopt if the rooms have too few free cores.
std::optional<std::vector<PlacedShare>> place_stage(const std::vector<SlotCores>& workflows, std::vector<Room> rooms,
                                                    wire::EntropySource& entropy);

// One of the rooms with at least `cores` free, each as likely, healthy ones first; nullopt if there is none.
std::optional<std::string> choose_worker(const std::vector<Room>& rooms, std::uint32_t cores,
                                         wire::EntropySource& entropy);

}  // namespace hyperscale::manager
