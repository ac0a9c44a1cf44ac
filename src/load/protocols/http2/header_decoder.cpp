#include "load/protocols/http2/header_decoder.h"

#include "base/check.h"
#include "load/protocols/http2/hpack_walk.h"
#include "load/protocols/http_session.h"

#include <cstring>

#include <fmt/format.h>
#include <nghttp2/nghttp2.h>

namespace hyperscale::load::http2 {
namespace {

constexpr std::size_t kFieldOverhead = 32;
constexpr std::uint16_t kFirstFinalStatus = 200;

FreeListMemory& memory_of(void* user) {
  return *static_cast<FreeListMemory*>(user);
}
void* pool_malloc(std::size_t bytes, void* user) {
  return memory_of(user).allocate(bytes);
}
void pool_free(void* memory, void* user) {
  memory_of(user).release(memory);
}
void* pool_calloc(std::size_t count, std::size_t bytes, void* user) {
  void* memory = memory_of(user).allocate(count * bytes);
  if (memory != nullptr) std::memset(memory, 0, count * bytes);
  return memory;
}
void* pool_realloc(void* memory, std::size_t bytes, void* user) {
  return memory_of(user).resize(memory, bytes);
}

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// A name with other characters or too many is not shown: it may hold anything.
std::string problem_text(std::string_view rule, std::string_view name) {
  constexpr std::size_t kShownMax = 64;
  const bool shown = name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_.:") == std::string_view::npos;
  if (name.empty() || name.size() > kShownMax || !shown) return fmt::format("malformed answer: {}", rule);
  return fmt::format("malformed answer: {} ({})", rule, name);
}

}  // namespace

// nghttp2 keeps a pointer to its allocation functions, so they live in the same object.
struct HeaderDecoder::Inflater {
  explicit Inflater(FreeListMemory& memory) : pool{&memory, pool_malloc, pool_free, pool_calloc, pool_realloc} {
    CHECK(nghttp2_hd_inflate_new2(&raw, &pool) == 0, "out of memory");
  }
  ~Inflater() { nghttp2_hd_inflate_del(raw); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  nghttp2_mem pool;
  nghttp2_hd_inflater* raw = nullptr;
};

HeaderDecoder::HeaderDecoder(FreeListMemory& memory) : inflater_(std::make_unique<Inflater>(memory)) {}

HeaderDecoder::~HeaderDecoder() = default;

BlockReading HeaderDecoder::decode(ByteView block, const Wanted& wanted) {
  const Memory* memory = wanted.kind == BlockKind::kHead || wanted.sink == nullptr ? recall(block) : nullptr;
  if (memory != nullptr && (wanted.sink == nullptr || !(wanted.all_fields || memory->tells))) {
    if (memory->added > 0) postpone(*memory);
    if (wanted.sink != nullptr) wanted.sink->on_status(memory->status);
    return {.status = memory->status, .content_length = memory->content_length};
  }
  catch_up();
  ++blocks_undone_;
  bool tells = false;
  BlockReading reading = undo(block, wanted, tells);
  const HpackWalk walk = walk_hpack(block);
  if (!walk.intact || walk.resizes || walk.added > 0) ++table_version_;
  const bool well = reading.result == BlockReading::Result::kFine;
  const bool repeatable = walk.intact && !walk.resizes && (!walk.refers || walk.added == 0);
  const bool of_head = wanted.sink != nullptr && wanted.kind == BlockKind::kHead;
  if (well && repeatable && of_head && memory == nullptr && block.size() <= kRememberedBytesMax) {
    Memory& oldest = memories_[oldest_];
    oldest_ = (oldest_ + 1) % kRemembered;
    oldest.block.assign(block.begin(), block.end());
    oldest.table_version = table_version_;
    oldest.status = reading.status;
    oldest.content_length = reading.content_length;
    oldest.refers = walk.refers;
    oldest.added = walk.added;
    oldest.tells = tells;
  }
  return reading;
}

// A block that does not refer to the table decodes to the same fields with any table.
const HeaderDecoder::Memory* HeaderDecoder::recall(ByteView block) const {
  for (const Memory& memory : memories_) {
    if (memory.block.size() == block.size() && memory.status != 0 &&
        (!memory.refers || memory.table_version == table_version_) &&
        std::memcmp(memory.block.data(), block.data(), block.size()) == 0) {
      return &memory;
    }
  }
  return nullptr;
}

// When later blocks alone fill the table, the entries of earlier ones are evicted, and those need not be decoded at
// all: an entry counts 32 bytes at least.
void HeaderDecoder::postpone(const Memory& memory) {
  ++table_version_;
  postponed_[postponed_end_++ % kPostponedMax] = static_cast<std::uint8_t>(&memory - memories_.data());
  postponed_added_ += memory.added;
  for (;;) {
    const std::size_t first = memories_[postponed_[postponed_begin_ % kPostponedMax]].added;
    if ((postponed_added_ - first) * kFieldOverhead < kTableBytes) return;
    postponed_added_ -= first;
    ++postponed_begin_;
  }
}

// Decodes postponed blocks: the table has to equal the server's before a block is decoded.
void HeaderDecoder::catch_up() {
  bool tells = false;
  for (; postponed_begin_ != postponed_end_; ++postponed_begin_)
    undo(as_bytes(memories_[postponed_[postponed_begin_ % kPostponedMax]].block), {}, tells);
  postponed_added_ = 0;
}

// Decodes a block to its end also when the answer is known to be malformed: the table has to follow the server's.
BlockReading HeaderDecoder::undo(ByteView block, const Wanted& wanted, bool& tells) {
  ResponseFields fields(wanted.kind, wanted.content_length);
  BlockReading reading;
  std::size_t field_bytes = 0;
  for (bool last = false; !last;) {
    nghttp2_nv field{};
    int flags = 0;
    const ssize_t used = nghttp2_hd_inflate_hd2(inflater_->raw, &field, &flags, block.data(), block.size(), 1);
    if (used < 0) return {.result = BlockReading::Result::kBroken};
    block = block.subspan(static_cast<std::size_t>(used));
    last = (flags & NGHTTP2_HD_INFLATE_FINAL) != 0;
    if ((flags & NGHTTP2_HD_INFLATE_EMIT) == 0) continue;
    field_bytes += field.namelen + field.valuelen + kFieldOverhead;
    if (field_bytes > kFieldBytesMax) return {.result = BlockReading::Result::kTooLarge};
    if (wanted.sink == nullptr || reading.result != BlockReading::Result::kFine) continue;
    const std::string_view name = text_of(field.name, field.namelen);
    const std::string_view value = text_of(field.value, field.valuelen);
    const bool had_status = fields.status() != 0;
    if (const auto rule = fields.add(name, value); !rule.empty()) {
      reading = {.result = BlockReading::Result::kMalformed, .problem = problem_text(rule, name)};
    } else if (!had_status && fields.status() != 0) {
      wanted.sink->on_status(fields.status());
    } else if (fields.status() >= kFirstFinalStatus) {
      const bool always = always_told(name);
      tells |= always;
      if (always || wanted.all_fields) wanted.sink->on_field(name, value);
    }
  }
  nghttp2_hd_inflate_end_headers(inflater_->raw);
  if (wanted.sink == nullptr || reading.result != BlockReading::Result::kFine) return reading;
  if (const auto rule = fields.finish(); !rule.empty())
    return {.result = BlockReading::Result::kMalformed, .problem = problem_text(rule, "")};
  reading.status = fields.status();
  reading.content_length = fields.content_length();
  return reading;
}

}  // namespace hyperscale::load::http2
