#include "load/protocols/tls/stream_bio.h"

#include "base/check.h"

#include <algorithm>
#include <cstring>

namespace hyperscale::load {
namespace {

StreamBio& owner_of(BIO* bio) {
  return *static_cast<StreamBio*>(BIO_get_data(bio));
}

int read_bytes(BIO* bio, char* out, std::size_t size, std::size_t* got) {
  StreamBio& stream = owner_of(bio);
  BIO_clear_retry_flags(bio);
  const std::size_t count = std::min(size, stream.input.size());
  *got = count;
  if (count == 0) {
    BIO_set_retry_read(bio);
    return -1;
  }
  std::memcpy(out, stream.input.data(), count);
  stream.input = stream.input.subspan(count);
  return 1;
}

int write_bytes(BIO* bio, const char* bytes, std::size_t size, std::size_t* written) {
  StreamBio& stream = owner_of(bio);
  BIO_clear_retry_flags(bio);
  if (stream.output.capacity() == 0) stream.output = stream.context.take_buffer();
  stream.output.insert(stream.output.end(), bytes, bytes + size);
  *written = size;
  return 1;
}

long control(BIO*, int command, long, void*) {
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

int create(BIO* bio) {
  BIO_set_init(bio, 1);
  return 1;
}

BIO_METHOD* make_method() {
  BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "stream");
  CHECK(method != nullptr, "out of memory");
  BIO_meth_set_read_ex(method, read_bytes);
  BIO_meth_set_write_ex(method, write_bytes);
  BIO_meth_set_ctrl(method, control);
  BIO_meth_set_create(method, create);
  return method;
}

}  // namespace

void StreamBio::attach(SSL* ssl) {
  static BIO_METHOD* const method = make_method();
  BIO* bio = BIO_new(method);
  CHECK(bio != nullptr, "out of memory");
  BIO_set_data(bio, this);
  SSL_set_bio(ssl, bio, bio);
}

}  // namespace hyperscale::load
