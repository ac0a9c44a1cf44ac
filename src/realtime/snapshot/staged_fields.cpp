#include "realtime/snapshot/staged_fields.h"

#include "base/check.h"

#include <algorithm>

namespace hyperscale::realtime {

StagedFields::StagedFields(const WorldConfig& config, std::size_t live_generations_max) {
  for (const FieldDef& def : config.fields) {
    Field field{.mutability = def.mutability, .doubles = config.grid.cells() * def.components, .initial = def.initial};
    if (field.initial.size() != field.doubles) {
      field.initial.assign(field.doubles, def.initial.empty() ? 0.0 : def.initial.front());
    }
    if (def.mutability == Mutability::kPerTick) segment_doubles_ += field.doubles;
    if (def.mutability == Mutability::kSparse) {
      field.sparse.emplace(field.doubles, live_generations_max);
      std::ranges::copy(field.initial, field.sparse->change().begin());
      field.sparse->commit(1);
      field.sparse->collect({});
    }
    fields_.push_back(std::move(field));
  }
  for (const Propagator& propagator : config.propagators) {
    for (const FieldWrite& write : propagator.writes) fields_[write.field].mode = write.mode;
  }
}

void StagedFields::begin(FieldGeneration& staging, const FieldGeneration* previous) {
  staging_ = &staging;
  previous_ = previous;
  for (Field& field : fields_) field.staged = {};
  block_written_ = false;
}

std::span<const double> StagedFields::read_previous(FieldId id) const {
  CHECK(id < fields_.size(), "there is no field {}", id);
  const Field& field = fields_[id];
  if (field.sparse) return field.sparse->current();
  if (field.mutability == Mutability::kFixed || previous_ == nullptr) return field.initial;
  return previous_->fields[id];
}

std::span<const double> StagedFields::read(FieldId id) const {
  CHECK(id < fields_.size(), "there is no field {}", id);
  const Field& field = fields_[id];
  if (field.sparse) return field.sparse->next();
  return field.staged.empty() ? read_previous(id) : field.staged;
}

std::span<double> StagedFields::write(FieldId id, bool seeded) {
  CHECK(id < fields_.size(), "there is no field {}", id);
  Field& field = fields_[id];
  CHECK(field.mutability != Mutability::kFixed, "field {} is fixed", id);
  if (field.sparse) return field.sparse->change();
  if (field.staged.empty()) {
    const std::span<const double> before = read_previous(id);
    field.staged = staging_->segment.allocate(field.doubles);
    if (seeded || field.mode == WriteMode::kIncremental) std::ranges::copy(before, field.staged.begin());
  }
  return field.staged;
}

std::span<std::uint64_t> StagedFields::write_block() {
  block_written_ = true;
  return staging_->block;
}

void StagedFields::fill() {
  if (!block_written_ && previous_ != nullptr) std::ranges::copy(previous_->block, staging_->block.begin());
  if (!block_written_ && previous_ == nullptr) std::ranges::fill(staging_->block, 0);
  staging_->fields.resize(fields_.size());
  for (FieldId id = 0; id < fields_.size(); ++id) {
    const bool own = fields_[id].mutability == Mutability::kPerTick;
    staging_->fields[id] = own ? write(id, true) : read(id);
  }
}

void StagedFields::commit(Epoch epoch, std::span<const Epoch> live) {
  for (Field& field : fields_) {
    if (field.sparse) field.sparse->commit(epoch);
  }
  collect(live);
}

void StagedFields::abandon() {
  for (Field& field : fields_) {
    if (field.sparse) field.sparse->abandon();
  }
}

void StagedFields::collect(std::span<const Epoch> live) {
  for (Field& field : fields_) {
    if (field.sparse) field.sparse->collect(live);
  }
}

std::size_t StagedFields::sparse_values_in_use() const {
  std::size_t in_use = 0;
  for (const Field& field : fields_) {
    if (field.sparse) in_use += field.sparse->in_use();
  }
  return in_use;
}

}  // namespace hyperscale::realtime
