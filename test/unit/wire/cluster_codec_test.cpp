#include "wire/cluster_codec.h"

#include "arbitrary_message.h"
#include "wire/heartbeat.h"
#include "wire/proto/cluster.pb.h"

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace hyperscale::wire {
namespace {

constexpr std::size_t kKinds = std::variant_size_v<ClusterBody>;
const NodeAddress kTarget = address_v4(192, 168, 1, 10, 8001);

ClusterMessage said(ClusterBody body) {
  ClusterMessage message;
  message.sender = {.name = "m1", .role = NodeRole::kManager, .datacenter = "a", .address = kTarget, .tcp_port = 8002};
  message.incarnation = Incarnation(3);
  message.body = std::move(body);
  return message;
}

ClusterMessage sent(const ClusterMessage& message) {
  Result<ClusterMessage> read = decode_cluster(encode_cluster(message));
  EXPECT_TRUE(read) << (read ? "" : read.error().to_string());
  return read ? std::move(*read) : ClusterMessage{};
}

template <typename Body>
Body sent_body(const Body& body) {
  const ClusterMessage message = sent(said(body));
  EXPECT_TRUE(std::holds_alternative<Body>(message.body));
  EXPECT_EQ(message.sender.address, kTarget);
  return std::get<Body>(message.body);
}

void expect_same(const ClusterMessage& a, const ClusterMessage& b) {
  EXPECT_EQ(a.version, b.version);
  EXPECT_EQ(a.sender, b.sender);
  EXPECT_EQ(a.incarnation, b.incarnation);
  EXPECT_EQ(a.body, b.body);
  EXPECT_EQ(a.coordinate, b.coordinate);
  EXPECT_EQ(a.embedded_state.text(), b.embedded_state.text());
  EXPECT_EQ(a.gossip, b.gossip);
}

// What a message of protobuf says after the change.
std::string refusal(const std::function<void(proto::ClusterMessage&)>& change, ClusterBody body = Join{}) {
  const std::vector<std::uint8_t> bytes = encode_cluster(said(std::move(body)));
  proto::ClusterMessage message;
  EXPECT_TRUE(message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())));
  change(message);
  const std::string changed = message.SerializeAsString();
  const Result<ClusterMessage> read = decode_cluster(as_bytes(changed));
  return read ? "" : read.error().context;
}

// proves: MSG-UDP-1, AD35-VIV-3
TEST(ClusterCodec, AProbeNamesItsTargetAndMayCarryState) {
  const Probe probe{.sequence = 7, .target = address_v4(192, 168, 1, 20, 8003)};
  EXPECT_EQ(sent_body(probe), probe);
  ClusterMessage message = said(probe);
  EXPECT_TRUE(sent(message).embedded_state.empty());
  message.embedded_state = SharedBytes::copy_of("state");
  EXPECT_EQ(sent(message).embedded_state.text(), "state");
  EXPECT_EQ(sent(message).sender.address, kTarget);
}

// proves: MSG-UDP-2, MSG-HB-3, AD35-VIV-3
TEST(ClusterCodec, AckCarriesSenderAndHeartbeat) {
  WorkerHeartbeat heartbeat;
  heartbeat.node_id = "w1";
  heartbeat.available_cores = 8;
  ClusterMessage message = said(Ack{.sequence = 9, .rtt_us = 250});
  message.embedded_state = SharedBytes::adopt(encode_heartbeat(heartbeat));
  const ClusterMessage read = sent(message);
  EXPECT_EQ(std::get<Ack>(read.body), (Ack{.sequence = 9, .rtt_us = 250}));
  EXPECT_EQ(read.sender.address, kTarget);
  EXPECT_EQ(decode_heartbeat(read.embedded_state.view()), Heartbeat(heartbeat));
  EXPECT_TRUE(sent(said(Ack{.sequence = 9})).embedded_state.empty());
}

// proves: AD35-VIV-2, AD35-VIV-3, AD35-VIV-7
TEST(ClusterCodec, CoordinateTakesFiftyToEightyBytes) {
  const Coordinate place{.position = {-12.5F, 250.25F, 0.125F, 99},
                         .height_ms = 3.5F,
                         .relative_error = 0.25F,
                         .error_ms = 7.75F,
                         .sample_count = 123'456};
  for (const ClusterBody& body :
       {ClusterBody(Probe{.sequence = 7, .target = kTarget}), ClusterBody(Ack{.sequence = 9, .rtt_us = 250})}) {
    ClusterMessage message = said(body);
    message.coordinate.reset();
    const std::size_t without = encode_cluster(message).size();
    message.coordinate = place;
    EXPECT_LE(encode_cluster(message).size() - without, 80U);
    EXPECT_EQ(sent(message).coordinate, place);
  }
}

// proves: MSG-UDP-3
TEST(ClusterCodec, AnIndirectProbeNamesItsTargetAndItsOutcomes) {
  const NodeAddress v6 = *parse_node_address("[2001:db8::7]:7100");
  EXPECT_EQ(sent_body(PingReq{.sequence = 1, .target = v6}).target, v6);
  EXPECT_EQ(sent_body(IndirectAck{.sequence = 1, .target = v6}).target, v6);
  EXPECT_EQ(sent_body(Nack{.sequence = 2, .target = v6}), (Nack{.sequence = 2, .target = v6}));
}

// proves: MSG-UDP-4
TEST(ClusterCodec, JoinAndLeaveNameTheirSender) {
  for (const ClusterBody& body : {ClusterBody(Join{}), ClusterBody(Leave{})}) {
    const ClusterMessage read = sent(said(body));
    EXPECT_EQ(read.body, body);
    EXPECT_EQ(read.sender.address, kTarget);
    EXPECT_EQ(read.incarnation, Incarnation(3));
  }
}

// proves: MSG-UDP-5, MSG-UDP-6
TEST(ClusterCodec, UpdatesOfEveryKindCarryTheIncarnation) {
  for (const UpdateKind kind : {UpdateKind::kAlive, UpdateKind::kSuspect, UpdateKind::kDead}) {
    MemberUpdate update{
        .kind = kind, .subject = said(Join{}).sender, .incarnation = Incarnation(41), .origin = kTarget};
    EXPECT_EQ(sent_body(Announce{.update = update}).update, update);
  }
}

// proves: MSG-UDP-7, MSG-UDP-8
TEST(ClusterCodec, PreVotesCarryTheirTermAndAnswer) {
  const PreVoteRequest request{.term = Term(12), .rank = {.health_score = 2, .priority = 5}};
  EXPECT_EQ(sent_body(request), request);
  for (const bool granted : {true, false}) {
    const PreVoteResponse response{.term = Term(12), .granted = granted};
    EXPECT_EQ(sent_body(response), response);
  }
}

// proves: MSG-UDP-9
TEST(ClusterCodec, VotesCarryTheirTermAndAnswer) {
  const VoteRequest request{.term = Term(UINT64_MAX), .rank = {.health_score = 255, .priority = UINT32_MAX}};
  EXPECT_EQ(sent_body(request), request);
  for (const bool granted : {true, false}) {
    const VoteResponse response{.term = Term(13), .granted = granted};
    EXPECT_EQ(sent_body(response), response);
  }
}

// proves: MSG-UDP-10
TEST(ClusterCodec, ALeaderAnnouncesItselfAndBeats) {
  EXPECT_EQ(sent_body(LeaderAnnounce{.term = Term(4)}).term, Term(4));
  const LeaderHeartbeat beat{.term = Term(4), .sequence = 99, .rank = {.health_score = 1, .priority = 0}};
  EXPECT_EQ(sent_body(beat), beat);
  EXPECT_EQ(sent_body(LeaderHeartbeatAck{.term = Term(4), .sequence = 99}).sequence, 99u);
}

// The catalogue's example: two updates after an ack, in their order.
// proves part: MSG-UDP-11 (not in a message to a suspect, which hears of itself first)
TEST(ClusterCodec, UpdatesRidePiggyback) {
  const auto update = [](UpdateKind kind, std::uint8_t last, std::uint16_t port, std::uint64_t incarnation) {
    return MemberUpdate{.kind = kind,
                        .subject = {.name = "n",
                                    .role = NodeRole::kWorker,
                                    .datacenter = "a",
                                    .address = address_v4(192, 168, 1, last, port),
                                    .tcp_port = 0},
                        .incarnation = Incarnation(incarnation),
                        .origin = kTarget};
  };
  ClusterMessage message = said(Ack{.sequence = 1});
  message.gossip = {update(UpdateKind::kJoin, 20, 8003, 0), update(UpdateKind::kAlive, 10, 8001, 5),
                    update(UpdateKind::kLeave, 1, 1, 1), update(UpdateKind::kSuspect, 2, 2, 2),
                    update(UpdateKind::kDead, 3, 3, 3)};
  EXPECT_EQ(sent(message).gossip, message.gossip);
}

// proves: MSG-UDP-9, MSG-UDP-1, MSG-UDP-3, MSG-UDP-5, MSG-UDP-6, MSG-UDP-7, MSG-UDP-8, MSG-UDP-10
// proves part: MSG-UDP-11 (not in a message to a suspect, which hears of itself first)
TEST(ClusterCodec, EveryMessageReadsBackAsItWas) {
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    EXPECT_TRUE(rc::check("round trip", [kind](std::uint64_t seed) {
      ArbitraryMessage arbitrary(seed);
      const ClusterMessage message = arbitrary.full_message(kind);
      const std::vector<std::uint8_t> bytes = encode_cluster(message);
      const Result<ClusterMessage> read = decode_cluster(bytes);
      RC_ASSERT(read.has_value());
      RC_ASSERT(read->body == message.body);
      RC_ASSERT(read->gossip == message.gossip);
      RC_ASSERT(read->coordinate == message.coordinate);
      RC_ASSERT(encode_cluster(*read) == bytes);
    }));
  }
  ArbitraryMessage arbitrary(1);
  const ClusterMessage message = arbitrary.full_message(1);
  expect_same(sent(message), message);
}

// proves part: SEC-7 (kinds, values and methods; not the action inside a sealed frame, nor bundles of workflows)
TEST(ClusterCodec, NoBytesOutsideTheListOfKindsAreAMessage) {
  EXPECT_NE(refusal([](proto::ClusterMessage& message) { message.clear_body(); }).find("does not know"),
            std::string::npos);
  // Field 40 is a kind that does not exist.
  std::vector<std::uint8_t> bytes = encode_cluster(said(Join{}));
  ASSERT_EQ(bytes[bytes.size() - 3], 0xaa);  // field 21, length-delimited, empty
  bytes[bytes.size() - 3] = 0xc2;
  bytes[bytes.size() - 2] = 0x02;
  EXPECT_FALSE(decode_cluster(bytes));
  for (const std::string_view text : {"", "probe>127.0.0.1:7100", "\x80\x04\x95os.system", "{}"}) {
    EXPECT_FALSE(decode_cluster(as_bytes(text))) << text;
  }
}

TEST(ClusterCodec, EveryTruncationIsRefusedOrStillAMessage) {
  ArbitraryMessage arbitrary(77);
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const std::vector<std::uint8_t> bytes = encode_cluster(arbitrary.full_message(kind));
    for (std::size_t kept = 0; kept < bytes.size(); ++kept) {
      // Cut between two fields, what is left may be a whole message with less in it.
      if (const auto read = decode_cluster(ByteView(bytes).first(kept))) encode_cluster(*read);
    }
  }
}

// proves: AD25-5
TEST(ClusterCodec, UnknownFieldsAreIgnored) {
  const ClusterMessage message = said(Probe{.sequence = 7, .target = kTarget});
  std::vector<std::uint8_t> bytes = encode_cluster(message);
  const std::vector<std::uint8_t> later{0xfa, 0x07, 0x03, 'n', 'e', 'w',  // field 127, bytes
                                        0xf8, 0x06, 0x2a};                // field 111, a number
  bytes.insert(bytes.end(), later.begin(), later.end());
  const Result<ClusterMessage> read = decode_cluster(bytes);
  ASSERT_TRUE(read);
  expect_same(*read, message);
}

// proves: AD25-5
TEST(ClusterCodec, MissingOptionalFieldsHaveDefaults) {
  EXPECT_EQ(refusal([](proto::ClusterMessage& message) {
              message.clear_version_minor();
              message.clear_incarnation();
              message.mutable_sender()->clear_datacenter();
              message.mutable_sender()->clear_tcp_port();
            }),
            "");
  ClusterMessage bare;
  bare.sender = {.name = "g", .role = NodeRole::kGate, .datacenter = "", .address = kTarget, .tcp_port = 0};
  bare.body = SyncRequest{};
  bare.version.minor = 0;
  const ClusterMessage read = sent(bare);
  EXPECT_EQ(read.incarnation, Incarnation(0));
  EXPECT_EQ(read.coordinate, std::nullopt);
  EXPECT_TRUE(read.gossip.empty());

  proto::ClusterMessage required;
  required.set_version_major(1);
  required.mutable_sender()->set_name("m1");
  required.mutable_sender()->set_role(2);
  required.mutable_sender()->mutable_address()->set_ip(std::string("\x0a\0\0\x01", 4));
  required.mutable_sender()->mutable_address()->set_port(8001);
  const auto with_defaults = [&](const ClusterBody& body) {
    const std::string bytes = required.SerializeAsString();
    const Result<ClusterMessage> got = decode_cluster(as_bytes(bytes));
    ASSERT_TRUE(got) << got.error().context;
    ClusterMessage expected;
    expected.version = {.major = 1, .minor = 0};
    expected.sender.name = "m1";
    expected.sender.role = NodeRole::kManager;
    expected.sender.address = address_v4(10, 0, 0, 1, 8001);
    expected.body = body;
    expect_same(*got, expected);
  };
  required.mutable_leader_heartbeat()->set_term(4);
  with_defaults(LeaderHeartbeat{.term = Term(4), .sequence = 0, .rank = {}});
  required.mutable_vote_request()->set_term(4);
  with_defaults(VoteRequest{.term = Term(4), .rank = {}});
  required.mutable_ack()->set_sequence(9);
  with_defaults(Ack{.sequence = 9, .rtt_us = 0});
  required.mutable_leader_heartbeat_ack()->set_term(4);
  with_defaults(LeaderHeartbeatAck{.term = Term(4), .sequence = 0});
  required.mutable_sync_request();
  with_defaults(SyncRequest{});
  required.mutable_sync_page();
  with_defaults(SyncPage{});
  proto::Update& update = *required.mutable_announce()->mutable_update();
  update.set_kind(5);
  *update.mutable_subject() = required.sender();
  NodeIdentity subject;
  subject.name = "m1";
  subject.role = NodeRole::kManager;
  subject.address = address_v4(10, 0, 0, 1, 8001);
  with_defaults(Announce{.update = {.kind = UpdateKind::kDead, .subject = subject, .incarnation = {}, .origin = {}}});
}

// proves: AD25-5
TEST(ClusterCodec, EachMissingRequiredFieldIsNamed) {
  using Message = proto::ClusterMessage;
  const Probe probe{.sequence = 7, .target = kTarget};
  const Announce announce{
      .update = {.kind = UpdateKind::kDead, .subject = said(Join{}).sender, .incarnation = {}, .origin = {}}};
  const auto says = [](std::string_view what, const std::string& refused) {
    EXPECT_NE(refused.find(what), std::string::npos) << "said: " << refused;
  };
  says("version_major is missing", refusal([](Message& m) { m.clear_version_major(); }));
  says("sender is missing", refusal([](Message& m) { m.clear_sender(); }));
  says("sender.name is missing", refusal([](Message& m) { m.mutable_sender()->clear_name(); }));
  says("sender.role is missing", refusal([](Message& m) { m.mutable_sender()->clear_role(); }));
  says("sender.address is missing", refusal([](Message& m) { m.mutable_sender()->clear_address(); }));
  says("sender.address.ip is missing", refusal([](Message& m) { m.mutable_sender()->mutable_address()->clear_ip(); }));
  says("sender.address.port is missing",
       refusal([](Message& m) { m.mutable_sender()->mutable_address()->clear_port(); }));
  says("body: is missing", refusal([](Message& m) { m.clear_body(); }));
  says("sequence is missing", refusal([](Message& m) { m.mutable_probe()->clear_sequence(); }, probe));
  says("target is missing", refusal([](Message& m) { m.mutable_probe()->clear_target(); }, probe));
  says("sequence is missing", refusal([](Message& m) { m.mutable_ack()->clear_sequence(); }, Ack{}));
  says("update is missing", refusal([](Message& m) { m.mutable_announce()->clear_update(); }, announce));
  says("kind is missing", refusal([](Message& m) { m.mutable_announce()->mutable_update()->clear_kind(); }, announce));
  says("subject is missing",
       refusal([](Message& m) { m.mutable_announce()->mutable_update()->clear_subject(); }, announce));
  says("term is missing", refusal([](Message& m) { m.mutable_pre_vote_request()->clear_term(); }, PreVoteRequest{}));
  says("term is missing", refusal([](Message& m) { m.mutable_vote_response()->clear_term(); }, VoteResponse{}));
  says("granted is missing", refusal([](Message& m) { m.mutable_vote_response()->clear_granted(); }, VoteResponse{}));
  says("term is missing", refusal([](Message& m) { m.mutable_leader_announce()->clear_term(); }, LeaderAnnounce{}));
  says("term is missing", refusal([](Message& m) { m.mutable_leader_heartbeat()->clear_term(); }, LeaderHeartbeat{}));
  says("term is missing",
       refusal([](Message& m) { m.mutable_leader_heartbeat_ack()->clear_term(); }, LeaderHeartbeatAck{}));
}

// proves part: SEC-7 (kinds, values and methods; not the action inside a sealed frame, nor bundles of workflows)
TEST(ClusterCodec, ValuesOutsideTheirRangeAreRefused) {
  using Message = proto::ClusterMessage;
  EXPECT_NE(refusal([](Message& m) { m.set_version_major(65536); }), "");
  EXPECT_NE(refusal([](Message& m) { m.mutable_sender()->set_role(4); }), "");
  EXPECT_NE(refusal([](Message& m) { m.mutable_sender()->set_tcp_port(65536); }), "");
  EXPECT_NE(refusal([](Message& m) { m.mutable_sender()->mutable_address()->set_port(65536); }), "");
  EXPECT_NE(refusal([](Message& m) { m.mutable_sender()->mutable_address()->set_ip("12345"); }), "");
  EXPECT_NE(refusal([](Message& m) { m.mutable_sender()->set_name("two words"); }), "");
  EXPECT_NE(refusal([](Message& m) { m.mutable_sender()->set_name("line\n"); }), "");
  EXPECT_NE(refusal([](Message& m) { m.mutable_sender()->set_name(std::string(kNodeNameBytesMax + 1, 'n')); }), "");
  EXPECT_EQ(refusal([](Message& m) { m.mutable_sender()->set_name(std::string(kNodeNameBytesMax, 'n')); }), "");
  EXPECT_NE(refusal([](Message& m) { m.mutable_sender()->set_datacenter(std::string(kDatacenterBytesMax + 1, 'd')); }),
            "");
  EXPECT_NE(refusal([](Message& m) { m.set_embedded_state(std::string(kEmbeddedStateBytesMax + 1, 's')); }), "");
  EXPECT_EQ(refusal([](Message& m) { m.set_embedded_state(std::string(kEmbeddedStateBytesMax, 's')); }), "");
  EXPECT_NE(refusal([](Message& m) { m.mutable_vote_request()->mutable_rank()->set_health_score(256); }, VoteRequest{}),
            "");
  EXPECT_NE(refusal([](Message& m) { m.add_gossip()->set_kind(6); }), "");
}

// proves: AD25-5
TEST(ClusterCodec, UpdatesAreCheckedAsTheSenderIs) {
  const auto with_subject = [](const std::function<void(proto::Identity&)>& change) {
    return refusal([&](proto::ClusterMessage& message) {
      proto::Update& update = *message.add_gossip();
      update.set_kind(3);
      *update.mutable_subject() = message.sender();
      change(*update.mutable_subject());
    });
  };
  EXPECT_EQ(with_subject([](proto::Identity&) {}), "");
  EXPECT_NE(with_subject([](proto::Identity& subject) { subject.set_name("two words"); }), "");
  EXPECT_NE(with_subject([](proto::Identity& subject) { subject.set_name(std::string(kNodeNameBytesMax + 1, 'n')); }),
            "");
  EXPECT_NE(with_subject([](proto::Identity& subject) { subject.set_datacenter("a\nb"); }), "");
}

TEST(ClusterCodec, CountsAreLimited) {
  const auto with_updates = [](int count) {
    return refusal([count](proto::ClusterMessage& message) {
      for (int i = 0; i < count; ++i) {
        proto::Update& update = *message.add_gossip();
        update.set_kind(3);
        *update.mutable_subject() = message.sender();
        update.mutable_subject()->set_name("n");
        update.mutable_subject()->clear_datacenter();
        update.mutable_subject()->clear_tcp_port();
      }
    });
  };
  EXPECT_EQ(with_updates(20), "");
  EXPECT_NE(with_updates(static_cast<int>(kGossipUpdatesMax) + 1), "");
  const Result<ClusterMessage> large = decode_cluster(std::vector<std::uint8_t>(kClusterMessageBytesMax + 1));
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().code, ErrorCode::kTooLarge);
}

// proves: AD25-5
TEST(ClusterCodec, ACoordinateIsFiniteAndHasFourDimensions) {
  using Message = proto::ClusterMessage;
  const auto with = [](auto change) {
    return refusal([change](Message& message) {
      for (int i = 0; i < 4; ++i) message.mutable_coordinate()->add_position(1.5F);
      change(*message.mutable_coordinate());
    });
  };
  EXPECT_EQ(with([](proto::Coordinate&) {}), "");
  EXPECT_NE(with([](proto::Coordinate& c) { c.add_position(1); }), "");
  EXPECT_NE(with([](proto::Coordinate& c) { c.clear_position(); }), "");
  for (const float bad : {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_NE(with([bad](proto::Coordinate& c) { c.set_position(2, bad); }), "");
    EXPECT_NE(with([bad](proto::Coordinate& c) { c.set_height_ms(bad); }), "");
    EXPECT_NE(with([bad](proto::Coordinate& c) { c.set_relative_error(bad); }), "");
    EXPECT_NE(with([bad](proto::Coordinate& c) { c.set_error_ms(bad); }), "");
  }
}

TEST(ClusterCodec, APageTellsStatesOnly) {
  ClusterMessage message = said(SyncPage{
      .members = {{.kind = UpdateKind::kDead, .subject = said(Join{}).sender, .incarnation = {}, .origin = {}}}});
  EXPECT_TRUE(check_cluster_message(message));
  std::get<SyncPage>(message.body).members[0].kind = UpdateKind::kJoin;
  EXPECT_FALSE(check_cluster_message(message));
}

}  // namespace
}  // namespace hyperscale::wire
