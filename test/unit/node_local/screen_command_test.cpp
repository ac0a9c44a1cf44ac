#include "node/local/screen_command.h"

#include <gtest/gtest.h>

namespace hyperscale::node {
namespace {

using plan::LoadChangeKind;
using plan::Pacing;
using tui::Action;

TEST(ScreenCommand, UsersChangeByATenthAndAtLeastOne) {
  EXPECT_EQ(command_of(Action::kMoreUsers, Pacing::kClosed, 200, false),
            (plan::LoadCommand{LoadChangeKind::kUsers, 220}));
  EXPECT_EQ(command_of(Action::kFewerUsers, Pacing::kClosed, 200, false),
            (plan::LoadCommand{LoadChangeKind::kUsers, 180}));
  EXPECT_EQ(command_of(Action::kMoreUsers, Pacing::kClosed, 0, false), (plan::LoadCommand{LoadChangeKind::kUsers, 1}));
  EXPECT_EQ(command_of(Action::kFewerUsers, Pacing::kClosed, 1, false), (plan::LoadCommand{LoadChangeKind::kUsers, 0}));
  EXPECT_EQ(command_of(Action::kFewerUsers, Pacing::kClosed, 0, false), (plan::LoadCommand{LoadChangeKind::kUsers, 0}));
}

TEST(ScreenCommand, RatesToo) {
  EXPECT_EQ(command_of(Action::kHigherRate, Pacing::kOpen, 5000, false),
            (plan::LoadCommand{LoadChangeKind::kRate, 5500}));
  EXPECT_EQ(command_of(Action::kLowerRate, Pacing::kOpen, 5, false), (plan::LoadCommand{LoadChangeKind::kRate, 4}));
}

TEST(ScreenCommand, WhatALoadDoesNotHaveCannotBeChanged) {
  EXPECT_FALSE(command_of(Action::kMoreUsers, Pacing::kOpen, 5, false));
  EXPECT_FALSE(command_of(Action::kHigherRate, Pacing::kClosed, 5, false));
  EXPECT_FALSE(command_of(Action::kStop, Pacing::kClosed, 5, false));
}

TEST(ScreenCommand, OneKeyPausesAndResumes) {
  EXPECT_EQ(command_of(Action::kPauseOrResume, Pacing::kOpen, 5, false)->kind, LoadChangeKind::kPause);
  EXPECT_EQ(command_of(Action::kPauseOrResume, Pacing::kOpen, 5, true)->kind, LoadChangeKind::kResume);
}

}  // namespace
}  // namespace hyperscale::node
