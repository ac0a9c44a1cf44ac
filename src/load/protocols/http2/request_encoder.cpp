#include "load/protocols/http2/request_encoder.h"

#include "load/protocols/http2/hpack_static_table.h"

#include <algorithm>

namespace hyperscale::load::http2 {
namespace {

constexpr std::size_t kEntryOverhead = 32;
constexpr std::uint32_t kLargestShare = 2;

// First bits and the width of the integer behind them (RFC 7541, section 6).
constexpr std::uint8_t kIndexed = 0x80;
constexpr std::uint8_t kLiteralAdded = 0x40;
constexpr std::uint8_t kLiteralNotAdded = 0x00;
constexpr std::uint8_t kTableSize = 0x20;

bool differs_often(std::string_view name) {
  return name == ":path" || name == "content-length";
}

std::size_t cell_of(const PreparedRequest& request, std::size_t cells) {
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(&request) * 0x9e3779b97f4a7c15u >> 32) % cells;
}

struct Match {
  std::size_t name = 0;  // an index with the name; 0: none
  std::size_t both = 0;  // an index with name and value
};

void look_at(Match& match, std::size_t index, std::string_view name, std::string_view value, const HeaderPair& field) {
  if (name != field.name) return;
  if (match.name == 0) match.name = index;
  if (match.both == 0 && value == field.value) match.both = index;
}

}  // namespace

std::size_t RequestEncoder::Entry::bytes() const {
  return name.size() + value.size() + kEntryOverhead;
}

void RequestEncoder::limit_table(std::uint32_t bytes) {
  const std::uint32_t limit = std::min(bytes, kTableBytesMax);
  if (limit == table_limit_) return;
  table_limit_ = limit;
  lowest_limit_ = std::min(lowest_limit_, limit);
  limit_changed_ = true;
  ++table_version_;
  std::size_t gone = 0;
  while (table_bytes_ > limit) table_bytes_ -= table_[gone++].bytes();
  table_.erase(table_.begin(), table_.begin() + static_cast<std::ptrdiff_t>(gone));
}

ByteView RequestEncoder::encode(const PreparedRequest& request) {
  Kept& kept = kept_[cell_of(request, kKept)];
  if (kept.request == &request && kept.table_version == table_version_ && !limit_changed_) return as_bytes(kept.block);
  ++blocks_made_;
  block_.clear();
  if (limit_changed_) append_table_size();
  const std::size_t prefix = block_.size();
  const std::uint64_t version = table_version_;
  for (const HeaderPair& field : request.h2) append_field(field);
  if (request.lasting && version == table_version_) {
    kept.request = &request;
    kept.table_version = version;
    kept.block.assign(block_, prefix);
  }
  return as_bytes(block_);
}

void RequestEncoder::append_field(const HeaderPair& field) {
  Match match;
  for (std::size_t i = 0; i < kStaticTable.size(); ++i)
    look_at(match, i + 1, kStaticTable[i].name, kStaticTable[i].value, field);
  for (std::size_t i = 0; i < table_.size(); ++i)
    look_at(match, kStaticTable.size() + table_.size() - i, table_[i].name, table_[i].value, field);
  if (match.both != 0) return append_integer(kIndexed, 7, match.both);
  if (insert(field)) {
    append_integer(kLiteralAdded, 6, match.name);
  } else {
    append_integer(kLiteralNotAdded, 4, match.name);
  }
  if (match.name == 0) append_string(field.name);
  append_string(field.value);
}

bool RequestEncoder::insert(const HeaderPair& field) {
  const std::size_t bytes = field.name.size() + field.value.size() + kEntryOverhead;
  if (differs_often(field.name) || bytes > table_limit_ / kLargestShare) return false;
  if (table_bytes_ + bytes > table_limit_) return false;
  table_.push_back({field.name, field.value});
  table_bytes_ += bytes;
  ++table_version_;
  return true;
}

void RequestEncoder::append_integer(std::uint8_t first_bits, unsigned prefix, std::size_t value) {
  const std::size_t most = (std::size_t{1} << prefix) - 1;
  if (value < most) return block_.push_back(static_cast<char>(first_bits | value));
  block_.push_back(static_cast<char>(first_bits | most));
  for (value -= most; value >= 0x80; value >>= 7) block_.push_back(static_cast<char>(0x80 | (value & 0x7f)));
  block_.push_back(static_cast<char>(value));
}

void RequestEncoder::append_string(std::string_view text) {
  append_integer(0, 7, text.size());
  block_.append(text);
}

// When the limit went down and up again, both sizes are sent; otherwise the peer would keep entries that we dropped.
void RequestEncoder::append_table_size() {
  if (lowest_limit_ < table_limit_) append_integer(kTableSize, 5, lowest_limit_);
  append_integer(kTableSize, 5, table_limit_);
  lowest_limit_ = table_limit_;
  limit_changed_ = false;
}

}  // namespace hyperscale::load::http2
