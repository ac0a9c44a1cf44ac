#include "runtime/tls/peer_tls.h"

#include "peer_files.h"

#include <gmock/gmock.h>
#include <openssl/ssl.h>

namespace hyperscale::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using wire::PeerRole;

TEST(PeerTls, BothSidesAreMadeFromTheSameThreeFiles) {
  PeerFiles files;
  const PeerTlsFiles of_node = files.make(certificate_of(PeerRole::kManager));
  for (const auto& context : {make_acceptor_tls_context(of_node), make_initiator_tls_context(of_node)}) {
    ASSERT_TRUE(context);
    EXPECT_EQ(SSL_CTX_get_min_proto_version((*context)->native_handle()), TLS1_2_VERSION);
    EXPECT_EQ(SSL_CTX_get_verify_mode((*context)->native_handle()), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT);
  }
}

// proves part: AD28-SEC-3 (of who connects, and a node's own; not that it asks nobody whose certificate lacks them)
TEST(PeerTls, TheUrisOfACertificateAreRead) {
  PeerFiles files;
  const auto context = make_acceptor_tls_context(files.make(certificate_of(PeerRole::kGate)));
  ASSERT_TRUE(context);
  EXPECT_THAT(own_uris(**context), ElementsAre("hyperscale://role/gate", "hyperscale://cluster/prod",
                                               "hyperscale://env/eu", "hyperscale://dc/ams1"));
}

TEST(PeerTls, AFileThatIsWrongIsNamed) {
  PeerFiles files;
  const auto refusal = [](const PeerTlsFiles& which) {
    const auto context = make_acceptor_tls_context(which);
    return context ? "" : context.error().context;
  };
  const PeerTlsFiles good = files.make(certificate_of(PeerRole::kManager));
  PeerTlsFiles bad = good;
  bad.ca_file = files.path("none.pem");
  EXPECT_THAT(refusal(bad), HasSubstr("cannot read CA file " + bad.ca_file));
  bad.ca_file = files.write(files.path("text.pem"), "no certificate\n");
  EXPECT_THAT(refusal(bad), HasSubstr("CA file " + bad.ca_file + " holds no certificate in PEM form"));
  bad.ca_file = files.write(files.path("half.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
  EXPECT_THAT(refusal(bad), HasSubstr("CA file " + bad.ca_file + " is damaged"));
  bad = good;
  bad.key_file = files.make(certificate_of(PeerRole::kManager)).key_file;
  EXPECT_THAT(refusal(bad), HasSubstr("does not belong to the certificate"));
  bad = good;
  std::filesystem::permissions(bad.key_file, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  EXPECT_THAT(refusal(bad), HasSubstr("can be read by others"));
}

}  // namespace
}  // namespace hyperscale::runtime
