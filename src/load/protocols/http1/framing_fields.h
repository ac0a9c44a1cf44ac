// FramingFields: derives the end of the message and the reuse of the connection from the fields of one head (RFC 9112,
// sections 6 and 9.3). Private to this folder.
//
// Several fields of one name count as one list. fault() keeps the first error; the owner decides whether it matters,
// because an answer to CONNECT must be read with these fields ignored.
#pragma once

#include <cstdint>
#include <string_view>

namespace hyperscale::load {

class FramingFields {
 public:
  // REQUIRES: `name` holds token characters only; `value` has no white space around it.
  void note(std::string_view name, std::string_view value) {
    const char first = static_cast<char>(name[0] | 0x20);
    if (first == 'c' && (name.size() == 14 || name.size() == 10)) {
      note_c(name, value);
    } else if (first == 't' && name.size() == 17) {
      note_t(name, value);
    }
  }

  // Null when the fields agree. Complete only after the last field.
  const char* fault() const;

  bool transfer_encoded() const { return codings_ != 0; }
  bool chunked() const { return last_is_chunked_; }  // chunked is the last coding
  bool has_length() const { return has_length_; }
  std::uint64_t length() const { return length_; }
  bool says_close() const { return close_; }
  bool says_keep_alive() const { return keep_alive_; }

 private:
  void note_c(std::string_view name, std::string_view value);
  void note_t(std::string_view name, std::string_view value);
  void note_content_length(std::string_view value);
  void note_transfer_encoding(std::string_view value);
  void note_coding(std::string_view element);
  void note_connection(std::string_view value);
  void set_fault(const char* fault) {
    if (fault_ == nullptr) fault_ = fault;
  }

  const char* fault_ = nullptr;
  std::uint64_t length_ = 0;
  std::uint32_t codings_ = 0;
  bool has_length_ = false;
  bool has_transfer_encoding_ = false;
  bool chunked_ = false;  // anywhere in the list
  bool last_is_chunked_ = false;
  bool close_ = false;
  bool keep_alive_ = false;
};

}  // namespace hyperscale::load
