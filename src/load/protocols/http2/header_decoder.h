// HeaderDecoder: decodes header blocks of answers by HPACK (RFC 7541) and checks them (ResponseFields).
//
// One per connection, single-threaded; every block of the connection has to pass through it in order, also one without
// an exchange, because blocks share a table. The memory outlives it.
//
// HPACK is nghttp2's. Servers repeat the same blocks. A block that equals one of the last few byte for byte, and that
// does not refer to the table or refers to an unchanged one, has the same result and is not decoded again. Its
// additions to the table are postponed until a block comes that has to be decoded.
#pragma once

#include "base/bytes.h"
#include "load/protocols/http2/free_list_memory.h"
#include "load/protocols/http2/response_fields.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace hyperscale::load::http2 {

// Names, values and 32 bytes for each field (as SETTINGS_MAX_HEADER_LIST_SIZE counts); a block with more is refused.
inline constexpr std::size_t kFieldBytesMax = 64 << 10;

class FieldSink {
 public:
  virtual void on_status(std::uint16_t status) = 0;  // of a head, before its fields
  virtual void on_field(std::string_view name, std::string_view value) = 0;

 protected:
  ~FieldSink() = default;
};

struct BlockReading {
  enum class Result : std::uint8_t {
    kFine,
    kMalformed,  // the answer is invalid; the connection is not
    kBroken,     // neither this block nor any later one can be decoded
    kTooLarge,   // as kBroken: its rest was not decoded
  };
  Result result = Result::kFine;
  std::uint16_t status = 0;
  std::int64_t content_length = ResponseFields::kNoLength;
  std::string problem{};  // of kMalformed
};

class HeaderDecoder {
 public:
  explicit HeaderDecoder(FreeListMemory& memory);
  ~HeaderDecoder();
  HeaderDecoder(const HeaderDecoder&) = delete;
  HeaderDecoder& operator=(const HeaderDecoder&) = delete;

  struct Wanted {
    BlockKind kind = BlockKind::kHead;
    std::int64_t content_length = ResponseFields::kNoLength;  // from an earlier block of the answer
    FieldSink* sink = nullptr;                                // null: no exchange waits for this block
    bool all_fields = false;                                  // false: only those of always_told()
  };
  BlockReading decode(ByteView block, const Wanted& wanted);

  std::uint64_t blocks_undone() const { return blocks_undone_; }

 private:
  static constexpr std::size_t kRemembered = 4;
  static constexpr std::size_t kRememberedBytesMax = 512;
  struct Inflater;
  struct Memory {
    std::string block;
    std::uint64_t table_version = 0;
    std::uint16_t status = 0;
    std::int64_t content_length = ResponseFields::kNoLength;
    bool refers = false;    // to the table as of that version
    std::size_t added = 0;  // fields that go into the table
    bool tells = false;     // has a field of always_told()
  };
  static constexpr std::size_t kTableBytes = 4096;
  static constexpr std::size_t kPostponedMax = 256;  // more than entries fit into the table, each of one block

  const Memory* recall(ByteView block) const;
  void postpone(const Memory& memory);
  void catch_up();
  BlockReading undo(ByteView block, const Wanted& wanted, bool& tells);

  std::unique_ptr<Inflater> inflater_;
  std::array<Memory, kRemembered> memories_;
  std::size_t oldest_ = 0;
  std::uint64_t table_version_ = 0;
  std::array<std::uint8_t, kPostponedMax> postponed_;  // indices of memories, a ring
  std::size_t postponed_begin_ = 0;
  std::size_t postponed_end_ = 0;
  std::size_t postponed_added_ = 0;
  std::uint64_t blocks_undone_ = 0;
};

}  // namespace hyperscale::load::http2
