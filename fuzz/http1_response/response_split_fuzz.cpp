// Any bytes as an HTTP/1.1 response: how they were cut into reads makes no difference to what is told.
#include "response_properties.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hyperscale::load::fuzz::check_response_parser({data, size});
  return 0;
}
