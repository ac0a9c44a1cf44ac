#include "job_manifest_properties.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hyperscale::plan::fuzz::check_manifest({data, size});
  hyperscale::plan::fuzz::check_split({data, size});
  return 0;
}
