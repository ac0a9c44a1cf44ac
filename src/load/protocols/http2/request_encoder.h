// RequestEncoder: the header blocks of the requests of one connection, in HPACK (RFC 7541).
//
// One per connection, single-threaded. Fields are added to the peer's table while there is room, and never evicted; so
// a request's block is the same bytes from its second time on. Blocks of lasting requests are cached: sending one again
// is a copy. :path and content-length, which differ from request to request, are not added to the table, nor are fields
// that would take more than half of it.
//
// Blocks have to be sent in the order in which they were made, all of them.
#pragma once

#include "base/bytes.h"
#include "load/protocols/prepared_request.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hyperscale::load::http2 {

class RequestEncoder {
 public:
  // The initial size of both ends; we never use more, even if the peer allows it.
  static constexpr std::uint32_t kTableBytesMax = 4096;

  // Applies SETTINGS_HEADER_TABLE_SIZE of the peer; the next block announces the new size to it.
  void limit_table(std::uint32_t bytes);

  // The block of the request, valid until the next call.
  ByteView encode(const PreparedRequest& request);

  std::size_t table_bytes() const { return table_bytes_; }
  std::uint64_t blocks_made() const { return blocks_made_; }

 private:
  static constexpr std::size_t kKept = 8;
  struct Entry {
    std::string name;
    std::string value;
    std::size_t bytes() const;
  };
  struct Kept {
    const PreparedRequest* request = nullptr;
    std::uint64_t table_version = 0;
    std::string block;
  };

  void append_field(const HeaderPair& field);
  void append_integer(std::uint8_t first_bits, unsigned prefix, std::size_t value);
  void append_string(std::string_view text);
  void append_table_size();
  bool insert(const HeaderPair& field);

  std::vector<Entry> table_;  // the oldest first
  std::size_t table_bytes_ = 0;
  std::uint32_t table_limit_ = kTableBytesMax;
  std::uint32_t lowest_limit_ = kTableBytesMax;  // since the last block
  bool limit_changed_ = false;
  std::uint64_t table_version_ = 0;
  std::uint64_t blocks_made_ = 0;
  std::array<Kept, kKept> kept_;
  std::string block_;
};

}  // namespace hyperscale::load::http2
