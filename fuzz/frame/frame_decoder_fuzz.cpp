#include "frame_properties.h"

#include <cstddef>
#include <cstdint>

// proves: NODE-TEST-5
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hyperscale::wire::fuzz::check_frame_decoder({data, size});
  return 0;
}
