// ResponseFields: checks the fields of an answer by RFC 9113, section 8, field by field.
//
// One object per header block. A field that breaks a rule makes the whole answer malformed: add() and finish() return
// the rule as text for people. White space around a value is accepted: servers send it, and it is harmless.
#pragma once

#include <cstdint>
#include <string_view>

namespace hyperscale::load::http2 {

enum class BlockKind : std::uint8_t { kHead, kTrailers };

class ResponseFields {
 public:
  static constexpr std::int64_t kNoLength = -1;

  // content_length: the value from an earlier block of the same answer.
  ResponseFields(BlockKind kind, std::int64_t content_length) : kind_(kind), content_length_(content_length) {}

  // Empty: the field is valid.
  std::string_view add(std::string_view name, std::string_view value);
  // Call after the last field. Empty: the block is valid.
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
