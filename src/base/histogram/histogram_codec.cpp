#include "base/histogram/histogram_codec.h"

#include "base/crc32c.h"
#include "base/endian.h"
#include "base/varint.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace hyperscale {
namespace {

using Sum = SparseHistogram::Sum;

constexpr std::array<std::uint8_t, 4> kMagic{'H', 'S', 'L', 'H'};
constexpr std::size_t kPrefixBytes = kMagic.size() + 1;
constexpr std::size_t kCrcBytes = 4;

tl::unexpected<Error> bad(std::string_view why) {
  return fail(ErrorCode::kProtocol, fmt::format("histogram bytes: {}", why));
}

void append_cells(std::vector<std::uint8_t>& to, const std::vector<SparseHistogram::Cell>& cells) {
  if (cells.empty()) return;
  std::uint32_t next = cells.front().bucket;
  for (const SparseHistogram::Cell& cell : cells) {
    if (cell.bucket != next) append_varint(to, std::uint64_t{cell.bucket - next} << 1 | 1);
    append_varint(to, cell.count << 1);
    next = cell.bucket + 1;
  }
}

// Parses the bytes after magic, version and checksum were found valid.
Result<ByteView> open(ByteView bytes) {
  if (bytes.size() < kPrefixBytes + kCrcBytes) return bad("too short");
  if (!std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) return bad("wrong magic");
  if (const int version = bytes[kMagic.size()]; version != kHistogramFormatVersion) {
    return bad(fmt::format("version {}, this program reads {}", version, kHistogramFormatVersion));
  }
  const ByteView covered = bytes.first(bytes.size() - kCrcBytes);
  if (load_le32(bytes.data() + covered.size()) != crc32c(covered)) return bad("wrong checksum");
  return covered.subspan(kPrefixBytes);
}

}  // namespace

std::vector<std::uint8_t> HistogramCodec::encode(const SparseHistogram& histogram) {
  std::vector<std::uint8_t> bytes(kMagic.begin(), kMagic.end());
  bytes.push_back(kHistogramFormatVersion);
  append_varint(bytes, histogram.saturated());
  append_varint(bytes, static_cast<std::uint64_t>(histogram.min().count()));
  append_varint(bytes, static_cast<std::uint64_t>(histogram.max().count()));
  append_varint(bytes, static_cast<std::uint64_t>(histogram.sum_ns() >> 64));
  append_varint(bytes, static_cast<std::uint64_t>(histogram.sum_ns()));
  append_cells(bytes, histogram.cells());
  const std::uint32_t crc = crc32c(bytes);
  bytes.resize(bytes.size() + kCrcBytes);
  store_le32(bytes.data() + bytes.size() - kCrcBytes, crc);
  return bytes;
}

Result<SparseHistogram> HistogramCodec::decode(ByteView bytes) {
  const Result<ByteView> body = open(bytes);
  if (!body) return fail(body.error());
  VarintReader reader(*body);
  std::array<std::uint64_t, 5> head{};
  for (std::uint64_t& number : head) number = reader.next().value_or(0);
  if (reader.failed()) return bad("the head is cut short");
  const auto [saturated, min_ns, max_ns, sum_high, sum_low] = head;
  if (max_ns > INT64_MAX || min_ns > max_ns) return bad("minimum and maximum do not fit");
  SparseHistogram histogram;
  if (reader.at_end()) {
    if (head != std::array<std::uint64_t, 5>{}) return bad("figures without values");
    return histogram;
  }
  histogram.saturated_ = saturated;
  histogram.min_ = Duration(static_cast<std::int64_t>(min_ns));
  histogram.max_ = Duration(static_cast<std::int64_t>(max_ns));
  histogram.sum_ns_ = static_cast<Sum>(sum_high) << 64 | sum_low;
  if (Status cells = decode_cells(reader, histogram); !cells) return fail(cells.error());
  if (Status totals = check_totals(histogram); !totals) return fail(totals.error());
  return histogram;
}

// Cells cover the buckets from that of the minimum to that of the maximum, both of which hold a value.
Status HistogramCodec::decode_cells(VarintReader& reader, SparseHistogram& histogram) {
  std::size_t index = histogram_buckets::index_of(histogram.min_);
  const std::size_t end = histogram_buckets::index_of(histogram.max_) + 1;
  bool after_run = true;  // of the empty buckets below the minimum
  while (!reader.at_end()) {
    const auto cell = reader.next();
    if (!cell) return bad("a cell is cut short");
    const bool is_run = (*cell & 1) != 0;
    const std::uint64_t number = *cell >> 1;
    if (number == 0) return bad("a cell of zero");
    if (index == end) return bad("a cell behind the maximum");
    if (is_run && after_run) return bad("two runs in a row");
    if (is_run && number >= end - index) return bad("a run beyond the maximum");
    if (is_run) {
      index += number;
    } else {
      if (number > kHistogramCountMax - histogram.count_) return bad("more values than a histogram can hold");
      histogram.cells_.push_back({.bucket = static_cast<std::uint32_t>(index++), .count = number});
      histogram.count_ += number;
    }
    after_run = is_run;
  }
  if (index != end) return bad("no value at the maximum");
  return {};
}

// Checks the figures of the head against the cells.
Status HistogramCodec::check_totals(const SparseHistogram& histogram) {
  const auto wide = [](Duration value) { return static_cast<Sum>(value.count()); };
  const Duration min = histogram.min_;
  const Duration max = histogram.max_;
  const std::uint64_t saturated = histogram.saturated_;
  const std::uint64_t in_last = histogram.cells_.back().count;
  if ((max > kHistogramMax) != (saturated > 0) || saturated > in_last) return bad("saturated does not fit the maximum");
  if (min > kHistogramMax && saturated != histogram.count_) return bad("saturated does not fit the minimum");
  if (histogram.count_ == 1 && min != max) return bad("one value with two extremes");
  Sum lowest = 0;
  Sum highest = 0;
  const auto add = [&](Duration low, Duration high, std::uint64_t count) {
    lowest += wide(std::max(low, min)) * count;
    highest += wide(std::min(high, max)) * count;
  };
  histogram.for_each_bucket([&](const SparseHistogram::Bucket& bucket) {
    const std::uint64_t above = bucket.range.contains(kHistogramMax) ? saturated : 0;
    add(bucket.range.low, bucket.range.high - Duration(1), bucket.count - above);
    if (above > 0) add(kHistogramMax + Duration(1), max, above);
  });
  if (histogram.sum_ns_ < lowest || histogram.sum_ns_ > highest) return bad("the sum does not fit the values");
  return {};
}

}  // namespace hyperscale
