// ResponseFields: what RFC 9113, section 8, asks of the fields of an answer, field by field.
//
// One object per header block. A field that breaks a rule makes the whole answer malformed: add() and finish() say
// which rule, in words for people. White space around a value is let through, as servers send it and it harms no one.
#pragma once

#include <cstdint>
#include <string_view>

namespace hyperscale::load::http2 {

enum class BlockKind : std::uint8_t { kHead, kTrailers };

class ResponseFields {
 public:
  static constexpr std::int64_t kNoLength = -1;

  // content_length: what an earlier block of the same answer said.
  ResponseFields(BlockKind kind, std::int64_t content_length) : kind_(kind), content_length_(content_length) {}

  // Empty: the field is fine.
  std::string_view add(std::string_view name, std::string_view value);
  // Empty: the block is fine. After the last field.
  std::string_view finish() const;

  std::uint16_t status() const { return status_; }  // 0: none
  std::int64_t content_length() const { return content_length_; }

 private:
  std::string_view add_pseudo(std::string_view name, std::string_view value);
  std::string_view add_length(std::string_view value);

  BlockKind kind_;
  bool regular_seen_ = false;
  bool status_seen_ = false;
  std::uint16_t status_ = 0;
  std::int64_t content_length_;
};

}  // namespace hyperscale::load::http2
