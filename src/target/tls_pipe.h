// TlsPipe: the server's side of TLS between a BytePipe that carries the records and the PipeUser that reads the
// plaintext.
//
// Single-threaded; rules as in byte_pipe.h. A peer that violates TLS gets an alert, then the connection ends.
#pragma once

#include "target/byte_pipe.h"
#include "target/outbox.h"

#include <memory>

#include <openssl/ssl.h>

namespace hyperscale::target {

class TlsPipe final : public BytePipe, public PipeUser {
 public:
  TlsPipe(SSL_CTX* context, PipeUser& upper);
  void set_lower(BytePipe& lower) { lower_ = &lower; }

  bool send(ByteView plaintext) override;
  void pause() override { lower_->pause(); }
  void resume() override { lower_->resume(); }
  void finish() override;
  void reset() override { lower_->reset(); }

 private:
  void on_pipe_bytes(ByteView records) override;
  void on_pipe_sent() override;
  void on_pipe_end() override;
  void on_pipe_closed() override;
  void read_plaintext();
  void flush_records();
  void end_of_peer();

  struct Deleter {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };

  PipeUser& upper_;
  BytePipe* lower_ = nullptr;
  std::unique_ptr<SSL, Deleter> ssl_;
  Outbox outbox_;
  bool upper_waits_ = false;
  bool peer_done_ = false;
  bool finishing_ = false;
  bool closed_ = false;
};

}  // namespace hyperscale::target
