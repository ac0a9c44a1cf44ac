#include "realtime/observe/obs_plan.h"

#include "base/check.h"
#include "realtime/observe/region_cells.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace hyperscale::realtime {
namespace {

double pool_values(Pooling::Kind kind, std::span<const double> field, std::span<const std::uint32_t> sources) {
  if (sources.empty()) return 0;
  double result = field[sources.front()];
  for (const std::uint32_t source : sources.subspan(1)) {
    const double value = field[source];
    if (kind == Pooling::Kind::kMax) {
      result = std::max(result, value);
    } else if (kind == Pooling::Kind::kMin) {
      result = std::min(result, value);
    } else {
      result += value;
    }
  }
  return kind == Pooling::Kind::kMean ? result / static_cast<double>(sources.size()) : result;
}

void normalise(const Transform& transform, std::span<double> values) {
  const double range = transform.high - transform.low;
  for (double& value : values) {
    value = range == 0 ? 0 : std::clamp((value - transform.low) / range, 0.0, 1.0);
  }
}

// The sources of each pooled value, one group after the other.
void pool_groups(const RegionCells& laid, const Pooling& pooling, std::uint32_t components,
                 std::vector<std::uint32_t>& sources, std::vector<std::uint32_t>& ends) {
  const std::uint64_t kernel = pooling.kernel;  // 64 bits: a large kernel or stride must not wrap around
  for (std::uint64_t row = 0; row + kernel <= laid.rows; row += pooling.stride) {
    for (std::uint64_t column = 0; column + kernel <= laid.columns; column += pooling.stride) {
      for (std::uint32_t component = 0; component < components; ++component) {
        for (std::uint64_t at = 0; at < kernel * kernel; ++at) {
          const std::size_t position = (row + at / kernel) * laid.columns + column + at % kernel;
          const std::uint32_t cell = laid.source[position];
          if (cell != RegionCells::kPadding) sources.push_back(cell * components + component);
        }
        ends.push_back(static_cast<std::uint32_t>(sources.size()));
      }
    }
  }
}

}  // namespace

Result<ObsPlan::CompiledRegion> ObsPlan::compile_entry(const ObsEntry& entry, const Grid& grid,
                                                       std::uint32_t components, bool& wasteful) {
  auto laid = lay_out(entry.region, grid);
  if (!laid) return fail(std::move(laid.error()));
  wasteful = wasteful || laid->valid_ratio() < kValidRatioGood;
  CompiledRegion region;
  region.field = entry.field;
  region.transform = entry.transform;
  if (entry.pooling) {
    if (entry.pooling->kernel == 0 || entry.pooling->stride == 0) {
      return fail(ErrorCode::kInvalidArgument, "kernel and stride of a pooling must be at least 1");
    }
    region.pooling = entry.pooling->kind;
    pool_groups(*laid, *entry.pooling, components, region.pooled, region.group_ends);
    if (region.group_ends.empty()) {
      return fail(ErrorCode::kInvalidArgument, "the kernel of a pooling is larger than its region");
    }
    std::uint32_t begin = 0;
    for (const std::uint32_t end : region.group_ends) region.mask.push_back(std::exchange(begin, end) != end ? 1 : 0);
    return region;
  }
  for (std::size_t position = 0; position < laid->source.size(); ++position) {
    const std::uint32_t cell = laid->source[position];
    for (std::uint32_t component = 0; component < components; ++component) {
      const bool valid = cell != RegionCells::kPadding;
      if (valid) {
        region.steps.push_back({cell * components + component, static_cast<std::uint32_t>(region.mask.size())});
      }
      region.mask.push_back(valid ? 1 : 0);
    }
  }
  return region;
}

Result<ObsPlan> ObsPlan::compile(const ObsSpec& spec, const Grid& grid, std::span<const std::uint32_t> components,
                                 std::uint64_t world_generation) {
  if (spec.empty()) return fail(ErrorCode::kInvalidArgument, "an observation without entries");
  auto compiled = std::make_shared<Compiled>();
  compiled->world_generation = world_generation;
  std::size_t valid = 0;
  for (std::size_t i = 0; i < spec.size(); ++i) {
    if (spec[i].field >= components.size()) {
      return fail(ErrorCode::kInvalidArgument, fmt::format("entry {}: there is no field {}", i, spec[i].field));
    }
    auto region = compile_entry(spec[i], grid, components[spec[i].field], compiled->wasteful);
    if (!region) return fail(region.error().code, fmt::format("entry {}: {}", i, region.error().context));
    region->offset = compiled->size;
    region->reach = reach_of(*region);
    compiled->size += region->mask.size();
    valid += static_cast<std::size_t>(std::ranges::count(region->mask, 1));
    compiled->regions.push_back(std::move(*region));
  }
  compiled->coverage = static_cast<double>(valid) / static_cast<double>(compiled->size);
  return ObsPlan(std::move(compiled));
}

std::size_t ObsPlan::reach_of(const CompiledRegion& region) {
  std::size_t reach = 0;
  for (const Step& step : region.steps) reach = std::max(reach, std::size_t{step.source} + 1);
  for (const std::uint32_t source : region.pooled) reach = std::max(reach, std::size_t{source} + 1);
  return reach;
}

void ObsPlan::gather(const CompiledRegion& region, std::span<const double> field, std::span<double> out) {
  std::ranges::fill(out, 0.0);
  for (const Step& step : region.steps) out[step.target] = field[step.source];
}

void ObsPlan::pool(const CompiledRegion& region, std::span<const double> field, std::span<double> out) {
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint32_t end = region.group_ends[i];
    out[i] = pool_values(region.pooling, field, std::span(region.pooled).subspan(begin, end - begin));
    begin = end;
  }
}

tl::expected<void, PlanFailure> ObsPlan::execute(const SnapshotAccess& snapshot, const Cancellation& cancellation,
                                                 std::span<double> values, std::span<std::uint8_t> mask) const {
  CHECK(values.size() == size() && mask.size() == size(), "{} values and {} mask bytes for a plan of {}", values.size(),
        mask.size(), size());
  if (snapshot.world_generation() != world_generation()) return tl::unexpected(PlanFailure::kInvalidated);
  for (const CompiledRegion& region : compiled_->regions) {
    if (cancellation.cancelled()) return tl::unexpected(PlanFailure::kCancelled);
    const auto field = snapshot.read(region.field);
    if (!field || field->size() < region.reach) return tl::unexpected(PlanFailure::kInvalidated);
    const std::span<double> out = values.subspan(region.offset, region.mask.size());
    if (region.group_ends.empty()) {
      gather(region, *field, out);
    } else {
      pool(region, *field, out);
    }
    if (region.transform.kind == Transform::Kind::kNormalise) normalise(region.transform, out);
    std::ranges::copy(region.mask, mask.subspan(region.offset).begin());
  }
  if (cancellation.cancelled()) return tl::unexpected(PlanFailure::kCancelled);
  return {};
}

}  // namespace hyperscale::realtime
