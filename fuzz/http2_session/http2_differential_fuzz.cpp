// Any bytes as what an HTTP/2 server says: check_conversation() of conversation.h holds.
#include "conversation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hyperscale::load::fuzz::check_conversation({data, size});
  return 0;
}
