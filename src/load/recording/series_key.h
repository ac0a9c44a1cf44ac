// SeriesKey: label and tags of a named series in their shared-memory form. A value on the stack; making and comparing
// one allocates nothing.
#pragma once

#include "load/recording/tally_layout.h"
#include "plan/plan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace hyperscale::load {

class SeriesKey {
 public:
  // Cuts texts as TallyRecorder::series() does. `label` must outlive the key.
  SeriesKey(std::string_view label, std::span<const plan::Tag> tags, bool by_path = false)
      : label_(label.substr(0, kSeriesLabelBytesMax)), by_path_(by_path) {
    for (const plan::Tag& tag : tags) {
      if (tag.name.size() + tag.value.size() + 2 > tags_.size() - tags_size_) continue;
      append(tag.name);
      append(tag.value);
    }
    hash_ = std::hash<std::string_view>()(label_) * 31 + std::hash<std::string_view>()(tags_text());
  }

  bool is_by_path() const { return by_path_; }
  bool is(const SeriesLabel& cells) const {
    return cells.hash == hash_ && (cells.by_path != 0) == by_path_ &&
           std::string_view(cells.label, cells.label_size) == label_ &&
           std::string_view(cells.tags, cells.tags_size) == tags_text();
  }

  void write(SeriesLabel& cells) const {
    cells.hash = hash_;
    cells.by_path = by_path_ ? 1 : 0;
    cells.label_size = static_cast<std::uint16_t>(label_.copy(cells.label, sizeof cells.label));
    cells.tags_size = static_cast<std::uint16_t>(tags_text().copy(cells.tags, sizeof cells.tags));
  }

 private:
  std::string_view tags_text() const { return {tags_.data(), tags_size_}; }
  void append(std::string_view text) {
    std::memcpy(tags_.data() + tags_size_, text.data(), text.size());
    tags_size_ += text.size();
    tags_[tags_size_++] = '\0';
  }

  std::string_view label_;
  bool by_path_;
  std::array<char, kSeriesTagsBytesMax> tags_{};
  std::size_t tags_size_ = 0;
  std::uint64_t hash_ = 0;
};

// For a reader that trusts nothing: sizes are bounded, a truncated tag is left out.
inline std::string label_of(const SeriesLabel& cells) {
  return {cells.label, std::min<std::size_t>(cells.label_size, sizeof cells.label)};
}
inline std::map<std::string, std::string> tags_of(const SeriesLabel& cells) {
  std::map<std::string, std::string> tags;
  std::string_view left(cells.tags, std::min<std::size_t>(cells.tags_size, sizeof cells.tags));
  for (;;) {
    const std::size_t name_end = left.find('\0');
    const std::size_t value_end =
        name_end == std::string_view::npos ? std::string_view::npos : left.find('\0', name_end + 1);
    if (value_end == std::string_view::npos) return tags;
    tags[std::string(left.substr(0, name_end))] = left.substr(name_end + 1, value_end - name_end - 1);
    left.remove_prefix(value_end + 1);
  }
}

}  // namespace hyperscale::load
