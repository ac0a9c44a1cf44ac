#include "cluster/frame_gate.h"

#include "small_cluster.h"

#include <gtest/gtest.h>

namespace hyperscale::cluster {
namespace {

using wire::NodeRole;

constexpr WallTime kStart = WallTime() + 1'750'000'000s;

SharedBytes bytes(std::string_view text) {
  return SharedBytes::copy_of(text);
}

class FrameGateTest : public testing::Test {
 protected:
  static ClusterConfig config(const wire::NodeIdentity& self, std::string_view secret = "kT9#vLq2@xRw7!mZ") {
    return config_of(self, 1, secret);
  }

  const wire::NodeIdentity leader = identity(NodeRole::kManager, 1);
  const wire::NodeIdentity worker = identity(NodeRole::kWorker, 2);
  const wire::NodeIdentity other = identity(NodeRole::kWorker, 3);
  FrameGate asks{config(leader), kStart};
  FrameGate answers{config(worker), kStart};
  FrameGate stranger{config(other), kStart};
};

TEST_F(FrameGateTest, AQuestionAndItsAnswerReachEachOther) {
  const auto question = asks.seal_question(worker, "state-sync", bytes("since 5"), kStart + 1s);
  ASSERT_TRUE(question);
  const auto asked = answers.open_question(question->sealed.view(), kStart + 1s);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->from, leader.address);
  EXPECT_EQ(asked->action, "state-sync");
  EXPECT_EQ(asked->data.text(), "since 5");
  const auto sealed = answers.seal_answer(*asked, bytes("here"), kStart + 2s);
  ASSERT_TRUE(sealed);
  const auto answer = asks.open_answer(*question, sealed->view());
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->text(), "here");
}

// proves part: SEC-1 (datagrams, questions and answers; error frames between nodes are plain)
TEST_F(FrameGateTest, QuestionsCannotBeReadOrForgedWithoutSecret) {
  const auto question = asks.seal_question(worker, "state-sync", bytes("a secret thing"), kStart + 1s);
  EXPECT_EQ(question->sealed.text().find("a secret thing"), std::string_view::npos);
  EXPECT_EQ(question->sealed.text().find("state-sync"), std::string_view::npos);
  FrameGate wrong(config(worker, "quite-Another-secret-81"), kStart);
  const auto refused = wrong.open_question(question->sealed.view(), kStart + 1s);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized);
  EXPECT_EQ(wrong.stats().refused_unsealed, 1u);
}

TEST_F(FrameGateTest, AQuestionOpensOnlyWhereItWasMeantToGo) {
  const auto question = asks.seal_question(worker, "state-sync", bytes("q"), kStart + 1s);
  EXPECT_FALSE(stranger.open_question(question->sealed.view(), kStart + 1s));
}

// proves part: SEC-4 (duplicates and stale ones are refused; no setting of a node gives the window)
TEST_F(FrameGateTest, AQuestionPassesOnceAndNotWhenItIsOld) {
  const auto question = asks.seal_question(worker, "state-sync", bytes("q"), kStart + 1s);
  EXPECT_TRUE(answers.open_question(question->sealed.view(), kStart + 1s));
  EXPECT_FALSE(answers.open_question(question->sealed.view(), kStart + 2s));
  const auto late = asks.seal_question(worker, "state-sync", bytes("q"), kStart + 3s);
  EXPECT_FALSE(answers.open_question(late->sealed.view(), kStart + 120s));
  EXPECT_EQ(answers.stats().refused_replayed, 2u);
}

TEST_F(FrameGateTest, AnAnswerFitsItsOwnQuestionOnly) {
  const auto first = asks.seal_question(worker, "state-sync", bytes("1"), kStart + 1s);
  const auto second = asks.seal_question(worker, "state-sync", bytes("2"), kStart + 1s);
  const auto asked = answers.open_question(first->sealed.view(), kStart + 1s);
  const auto sealed = answers.seal_answer(*asked, bytes("to the first"), kStart + 1s);
  EXPECT_FALSE(asks.open_answer(*second, sealed->view()));
  EXPECT_TRUE(asks.open_answer(*first, sealed->view()));
  EXPECT_FALSE(asks.open_answer(*first, first->sealed.view())) << "a question is no answer";
  // Somebody else of the cluster, who has the secret, answers in the place of the one that was asked.
  FrameGate::Asked stolen = *asked;
  const auto instead = stranger.seal_answer(stolen, bytes("me"), kStart + 1s);
  EXPECT_FALSE(asks.open_answer(*first, instead->view()));
}

// proves part: SEC-3 (not datagrams of workers once a node has read its secrets anew)
TEST_F(FrameGateTest, SecretsRotate) {
  asks.rotate(*wire::Keyring::make("quite-Another-secret-81"));
  const auto question = asks.seal_question(worker, "state-sync", bytes("q"), kStart + 1s);
  EXPECT_FALSE(answers.open_question(question->sealed.view(), kStart + 1s));
  answers.rotate(*wire::Keyring::make("kT9#vLq2@xRw7!mZ", "quite-Another-secret-81"));
  EXPECT_TRUE(answers.open_question(question->sealed.view(), kStart + 1s));
}

}  // namespace
}  // namespace hyperscale::cluster
