// The byte form of a histogram, for frames and files: docs/formats/histogram.md describes it.
//
// Exact: decode(encode(h)) == h, and each histogram has one form only, so equal bytes mean equal histograms. Pure
// functions, safe on any thread. decode() trusts nothing: every length, index, total and the relation between them is
// checked, and bytes that no encode() could have written are kProtocol. It allocates in proportion to the bytes, never
// to a number found in them.
#pragma once

#include "base/bytes.h"
#include "base/histogram/sparse_histogram.h"
#include "base/result.h"

#include <cstdint>
#include <vector>

namespace hyperscale {

inline constexpr std::uint8_t kHistogramFormatVersion = 1;

class HistogramCodec {
 public:
  static std::vector<std::uint8_t> encode(const SparseHistogram& histogram);
  static Result<SparseHistogram> decode(ByteView bytes);

 private:
  static Status decode_cells(class VarintReader& reader, SparseHistogram& histogram);
  static Status check_totals(const SparseHistogram& histogram);
};

}  // namespace hyperscale
