#include "job_message_properties.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hyperscale::wire::fuzz::check_job_messages({data, size});
  return 0;
}
