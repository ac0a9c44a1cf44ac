#include "plan/fleet/wiped.h"

#include "plan/job_fields.h"

#include <concepts>
#include <string_view>

#include <string.h>  // NOLINT(modernize-deprecated-headers): explicit_bzero is not in <cstring>

namespace hyperscale::plan {
namespace {

// Visits the fields of a record as FieldWriter does, so that a new field is wiped too.
class FieldWiper {
 public:
  template <typename T>
  using Ref = T&;

  void text(std::string_view, std::string& value, std::size_t) { wipe(value); }
  template <typename Item, typename Describe>
  void list(std::string_view, std::vector<Item>& items, std::size_t, const Describe& describe) {
    for (Item& item : items) describe(item);
  }
  template <std::unsigned_integral Number>
  void number(std::string_view, Number&, std::uint64_t) {}
  template <typename Enum>
  void choice(std::string_view, Enum&, Enum) {}
  void flag(std::string_view, bool&) {}
  void duration(std::string_view, Duration&, Duration) {}
  void real(std::string_view, double&, double) {}
};

}  // namespace

void wipe(std::string& text) {
  text.resize(text.capacity());
  ::explicit_bzero(text.data(), text.size());
  text.clear();
}

void wipe(Job& job) {
  FieldWiper wiper;
  describe<FieldWiper>(wiper, job);
}

WipedBytes::~WipedBytes() {
  if (!bytes_.empty()) ::explicit_bzero(bytes_.data(), bytes_.size());
}

}  // namespace hyperscale::plan
