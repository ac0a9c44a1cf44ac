#include "target/tls_pipe.h"

#include "base/check.h"

#include <array>
#include <utility>

#include <openssl/bio.h>
#include <openssl/err.h>

namespace hyperscale::target {
namespace {

constexpr std::size_t kRecordBytesMax = 16 << 10;

}  // namespace

TlsPipe::TlsPipe(SSL_CTX* context, PipeUser& upper) : upper_(upper), ssl_(SSL_new(context)) {
  CHECK(ssl_ != nullptr, "SSL_new");
  BIO* in = BIO_new(BIO_s_mem());
  BIO* out = BIO_new(BIO_s_mem());
  CHECK(in != nullptr && out != nullptr, "BIO_new");
  SSL_set_bio(ssl_.get(), in, out);
  SSL_set_accept_state(ssl_.get());
}

bool TlsPipe::send(ByteView plaintext) {
  if (closed_ || finishing_) return true;
  ERR_clear_error();
  const int written = SSL_write(ssl_.get(), plaintext.data(), static_cast<int>(plaintext.size()));
  // A write into memory always succeeds, unless the connection has failed.
  if (written <= 0) {
    lower_->reset();
    return true;
  }
  flush_records();
  upper_waits_ = outbox_.busy();
  return !upper_waits_;
}

void TlsPipe::finish() {
  if (closed_ || std::exchange(finishing_, true)) return;
  ERR_clear_error();
  if (SSL_is_init_finished(ssl_.get()) == 1) SSL_shutdown(ssl_.get());
  flush_records();
  if (outbox_.empty()) lower_->finish();
}

void TlsPipe::on_pipe_bytes(ByteView records) {
  CHECK(BIO_write(SSL_get_rbio(ssl_.get()), records.data(), static_cast<int>(records.size())) ==
        static_cast<int>(records.size()));
  read_plaintext();
}

void TlsPipe::read_plaintext() {
  std::array<std::uint8_t, kRecordBytesMax> plaintext;
  while (!closed_ && !finishing_) {
    ERR_clear_error();
    const int count = SSL_read(ssl_.get(), plaintext.data(), static_cast<int>(plaintext.size()));
    // Sends handshake messages and alerts.
    flush_records();
    if (count > 0) {
      upper_.on_pipe_bytes(ByteView(plaintext.data(), static_cast<std::size_t>(count)));
      continue;
    }
    const int why = SSL_get_error(ssl_.get(), count);
    if (why == SSL_ERROR_ZERO_RETURN) {
      end_of_peer();
    } else if (why != SSL_ERROR_WANT_READ) {
      finish();
    }
    return;
  }
}

void TlsPipe::flush_records() {
  BIO* out = SSL_get_wbio(ssl_.get());
  char* records = nullptr;
  const long size = BIO_get_mem_data(out, &records);
  if (size > 0) outbox_.queued().append(records, static_cast<std::size_t>(size));
  CHECK(BIO_reset(out) == 1);
  while (!closed_ && !outbox_.empty() && outbox_.flush(*lower_)) {
  }
}

void TlsPipe::on_pipe_sent() {
  outbox_.on_sent();
  flush_records();
  if (!outbox_.empty() || closed_) return;
  if (finishing_) {
    lower_->finish();
  } else if (std::exchange(upper_waits_, false)) {
    upper_.on_pipe_sent();
  }
}

void TlsPipe::on_pipe_end() {
  end_of_peer();
}

void TlsPipe::end_of_peer() {
  if (!std::exchange(peer_done_, true) && !finishing_) upper_.on_pipe_end();
}

void TlsPipe::on_pipe_closed() {
  closed_ = true;
  upper_.on_pipe_closed();
}

}  // namespace hyperscale::target
