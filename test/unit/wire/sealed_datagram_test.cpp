#include "wire/sealed_datagram.h"

#include "arbitrary_message.h"
#include "nonce_audit.h"
#include "sim/bugs/bug_planter.h"
#include "wire/message_key.h"
#include "wire/seeded_entropy.h"

#include <set>

#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

constexpr std::string_view kSecret = "kT9#vLq2@xRw7!mZ";
constexpr std::string_view kNewSecret = "b64:3oJ9wqYtVn1sXgA8";
const ClusterScope kScope{.cluster = "prod", .environment = "eu"};
const SnowflakeId kId(0x0123456789abcdef);

DatagramSealer sealer_of(std::string_view secret, const ClusterScope& scope = kScope) {
  return DatagramSealer(*Keyring::make(secret), scope);
}

class SealedDatagram : public testing::Test {
 protected:
  DatagramSealer sealer_ = sealer_of(kSecret);
  SeededEntropy entropy_ = SeededEntropy(Prng(1));

  SharedBytes packet_of(std::string_view text) { return sealer_.seal(as_bytes(text), kId, entropy_); }
  OpenRefusal refusal(ByteView packet) {
    const OpenResult opened = sealer_.open(packet);
    EXPECT_FALSE(opened);
    return opened ? OpenRefusal::kMalformed : opened.error();
  }
};

TEST_F(SealedDatagram, OpensToWhatWasSealed) {
  EXPECT_TRUE(rc::check("round trip", [this](const std::vector<std::uint8_t>& plain, std::uint64_t id) {
    const SharedBytes packet = sealer_.seal(plain, SnowflakeId(id), entropy_);
    RC_ASSERT(packet.size() == plain.size() + kSealOverheadBytes);
    const OpenResult opened = sealer_.open(packet.view());
    RC_ASSERT(opened.has_value());
    RC_ASSERT(opened->id == SnowflakeId(id));
    RC_ASSERT(std::ranges::equal(opened->plain.view(), plain));
    RC_ASSERT(!opened->with_previous_key);
  }));
}

// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST_F(SealedDatagram, ShowsNothingOfItsContent) {
  const std::string text(200, 'A');
  const SharedBytes packet = packet_of(text);
  EXPECT_EQ(packet.text().find("AAAA"), std::string_view::npos);
  // The id is inside as well: who listens cannot tell a repeated message from a new one.
  std::array<std::uint8_t, 8> id{};
  store_be64(id.data(), kId.value());
  EXPECT_EQ(packet.text().find(std::string_view(reinterpret_cast<const char*>(id.data()), id.size())),
            std::string_view::npos);
}

// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST_F(SealedDatagram, EveryFlippedBitIsNoticed) {
  const SharedBytes packet = packet_of("a message");
  std::vector<std::uint8_t> bytes(packet.view().begin(), packet.view().end());
  ASSERT_TRUE(sealer_.open(bytes));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      bytes[at] ^= static_cast<std::uint8_t>(1 << bit);
      const OpenRefusal why = refusal(bytes);
      EXPECT_EQ(why, at == 0   ? OpenRefusal::kMalformed
                     : at <= 4 ? OpenRefusal::kUnknownKey
                               : OpenRefusal::kForged)
          << "byte " << at << " bit " << bit;
      bytes[at] ^= static_cast<std::uint8_t>(1 << bit);
    }
  }
  EXPECT_TRUE(sealer_.open(bytes));
}

// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST_F(SealedDatagram, EveryTruncationAndEveryAddedByteIsNoticed) {
  const SharedBytes packet = packet_of("a message");
  for (std::size_t kept = 0; kept < packet.size(); ++kept) {
    EXPECT_EQ(refusal(packet.view().first(kept)),
              kept < kSealOverheadBytes ? OpenRefusal::kMalformed : OpenRefusal::kForged);
  }
  std::vector<std::uint8_t> longer(packet.view().begin(), packet.view().end());
  longer.push_back(0);
  EXPECT_EQ(refusal(longer), OpenRefusal::kForged);
  longer.resize(kDatagramBytesMax + 1);
  EXPECT_EQ(refusal(longer), OpenRefusal::kMalformed);
}

TEST_F(SealedDatagram, RandomBytesNeverOpen) {
  EXPECT_TRUE(rc::check("garbage", [this](std::vector<std::uint8_t> bytes) {
    RC_ASSERT(!sealer_.open(bytes));
    if (bytes.size() < kSealOverheadBytes) return;
    // Past the checks that need no key.
    const SharedBytes packet = packet_of("");
    std::copy_n(packet.data(), 1 + kSealKeyIdBytes, bytes.begin());
    RC_ASSERT(!sealer_.open(bytes));
  }));
}

// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST_F(SealedDatagram, ForeignScopeOrSecretCannotOpen) {
  const SharedBytes packet = packet_of("for prod/eu only");
  for (const ClusterScope& scope :
       {ClusterScope{.cluster = "prod", .environment = "us"}, ClusterScope{.cluster = "test", .environment = "eu"},
        ClusterScope{.cluster = "prode", .environment = "u"}, ClusterScope{.cluster = "eu", .environment = "prod"},
        ClusterScope{.cluster = "", .environment = ""}}) {
    DatagramSealer other = sealer_of(kSecret, scope);
    EXPECT_EQ(other.open(packet.view()).error(), OpenRefusal::kUnknownKey);
    // Also not when the key id is made to fit.
    std::vector<std::uint8_t> forged(packet.view().begin(), packet.view().end());
    const SharedBytes theirs = other.seal({}, kId, entropy_);
    std::copy_n(theirs.data(), 1 + kSealKeyIdBytes, forged.begin());
    EXPECT_EQ(other.open(forged).error(), OpenRefusal::kForged);
  }
  EXPECT_EQ(sealer_of(kNewSecret).open(packet.view()).error(), OpenRefusal::kUnknownKey);
}

TEST_F(SealedDatagram, BoundToAReceiverItOpensNowhereElse) {
  const AddressBytes here = address_bytes(address_v4(10, 0, 0, 1, 7100));
  const AddressBytes there = address_bytes(address_v4(10, 0, 0, 1, 7101));
  const SharedBytes vote = sealer_.seal(as_bytes("granted"), kId, entropy_, here);
  EXPECT_TRUE(sealer_.open(vote.view(), here));
  EXPECT_EQ(sealer_.open(vote.view(), there).error(), OpenRefusal::kForged);
  EXPECT_EQ(sealer_.open(vote.view()).error(), OpenRefusal::kForged);
}

// proves part: SEC-3 (not datagrams of workers once a node has read its secrets anew)
TEST_F(SealedDatagram, RotationOpensOldSecretAndSealsWithNew) {
  const SharedBytes before = packet_of("old");
  DatagramSealer rotated(*Keyring::make(kNewSecret, kSecret), kScope);
  const OpenResult opened = rotated.open(before.view());
  ASSERT_TRUE(opened);
  EXPECT_TRUE(opened->with_previous_key);
  EXPECT_EQ(opened->plain.text(), "old");

  const SharedBytes after = rotated.seal(as_bytes("new"), kId, entropy_);
  EXPECT_TRUE(sealer_of(kNewSecret).open(after.view()));
  EXPECT_FALSE(sealer_.open(after.view()));

  // One node after the other takes both secrets; then the old one is dropped.
  sealer_.rotate(*Keyring::make(kNewSecret, kSecret));
  EXPECT_TRUE(sealer_.open(after.view()));
  EXPECT_TRUE(sealer_.open(before.view()));
  sealer_.rotate(*Keyring::make(kNewSecret));
  EXPECT_EQ(refusal(before.view()), OpenRefusal::kUnknownKey);
}

// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST_F(SealedDatagram, NoTwoPacketsShareSaltOrNonce) {
  std::set<std::string> salts;
  std::set<std::string> nonces;
  NonceAudit audit;
  for (int i = 0; i < 5000; ++i) {
    const SharedBytes packet = packet_of("the same text");
    EXPECT_TRUE(audit.is_new(packet.view()));
    salts.emplace(packet.text().substr(5, kSealSaltBytes));
    nonces.emplace(packet.text().substr(5 + kSealSaltBytes, kSealNonceBytes));
  }
  EXPECT_EQ(salts.size(), 5000u);
  EXPECT_EQ(nonces.size(), 5000u);
}

TEST_F(SealedDatagram, ThePlantedFaultIsWhatTheAuditFinds) {
  DatagramSealer faulty(*Keyring::make(kSecret), kScope, {.reuse_nonce = BugPlanter::planted()});
  NonceAudit audit;
  EXPECT_TRUE(audit.is_new(faulty.seal(as_bytes("one"), kId, entropy_).view()));
  const SharedBytes second = faulty.seal(as_bytes("two"), kId, entropy_);
  EXPECT_FALSE(audit.is_new(second.view()));
  EXPECT_TRUE(sealer_.open(second.view()));  // works, which is why somebody has to look
}

TEST(NonceAudit, ForgetsTheOldestBeyondItsLimit) {
  DatagramSealer sealer = sealer_of(kSecret);
  SeededEntropy entropy(Prng(3));
  std::vector<SharedBytes> packets;
  for (int i = 0; i < 3; ++i) packets.push_back(sealer.seal({}, kId, entropy));
  NonceAudit audit(2);
  for (const SharedBytes& packet : packets) EXPECT_TRUE(audit.is_new(packet.view()));
  EXPECT_FALSE(audit.is_new(packets[2].view()));
  EXPECT_FALSE(audit.is_new(packets[1].view()));
  EXPECT_TRUE(audit.is_new(packets[0].view()));
  EXPECT_TRUE(audit.is_new({}));
}

TEST(SealForm, AFrameIsNoDatagram) {
  const Keyring keys = *Keyring::make(kSecret);
  MessageSeal frames(SealForm::kFrame, keys, kScope);
  DatagramSealer datagrams(keys, kScope);
  SeededEntropy entropy(Prng(1));
  const SharedBytes frame = frames.seal(as_bytes("text"), kId, entropy);
  EXPECT_EQ(datagrams.open(frame.view()).error(), OpenRefusal::kMalformed);
  std::vector<std::uint8_t> disguised(frame.view().begin(), frame.view().end());
  disguised[0] = static_cast<std::uint8_t>(SealForm::kDatagram);
  EXPECT_EQ(datagrams.open(disguised).error(), OpenRefusal::kUnknownKey);
  const SharedBytes datagram = datagrams.seal({}, kId, entropy);
  std::copy_n(datagram.data(), 1 + kSealKeyIdBytes, disguised.begin());
  EXPECT_EQ(datagrams.open(disguised).error(), OpenRefusal::kForged);
}

// The library's own HKDF, with the info that docs/formats/wire.md gives.
KeyBytes hkdf(std::string_view secret, const std::string& info) {
  EVP_KDF* kdf = EVP_KDF_fetch(nullptr, "HKDF", nullptr);
  EVP_KDF_CTX* context = EVP_KDF_CTX_new(kdf);
  EVP_KDF_free(kdf);
  char digest[] = "SHA256";
  std::string salt(kExtractSalt);
  std::string key(secret);
  std::string information = info;
  const OSSL_PARAM parameters[] = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, key.data(), key.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, salt.data(), salt.size()),
      OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, information.data(), information.size()),
      OSSL_PARAM_construct_end()};
  KeyBytes out{};
  EXPECT_EQ(EVP_KDF_derive(context, out.data(), out.size(), parameters), 1);
  EVP_KDF_CTX_free(context);
  return out;
}

// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST(MessageKeys, AreThoseOfHkdf) {
  const std::string scope = std::string("\xD1\x04") + "prod" + "\x02" + "eu";
  const std::string salt = "0123456789abcdef";
  MessageKeys keys(kSecret, SealForm::kDatagram, kScope);
  KeyBytes derived{};
  for (int again = 0; again < 3; ++again) {
    keys.derive(as_bytes(salt), derived);
    EXPECT_EQ(derived, hkdf(kSecret, std::string(kMessageKeyLabel) + scope + salt));
  }
  const KeyBytes id = hkdf(kSecret, std::string(kKeyIdLabel) + scope);
  EXPECT_TRUE(std::equal(keys.id().begin(), keys.id().end(), id.begin()));
}

}  // namespace
}  // namespace hyperscale::wire
