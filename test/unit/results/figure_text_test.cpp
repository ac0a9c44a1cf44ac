#include "results/figure_text.h"

#include <gtest/gtest.h>

namespace hyperscale::results {
namespace {

TEST(FigureText, Numbers) {
  EXPECT_EQ(number_text(0, 3), "0");
  EXPECT_EQ(number_text(0.4, 3), "0.4");
  EXPECT_EQ(number_text(0.01234, 3), "0.0123");
  EXPECT_EQ(number_text(1234.5, 3), "1230");
  EXPECT_EQ(number_text(1234.5, 5), "1234.5");
  EXPECT_EQ(number_text(100, 3), "100");
  EXPECT_EQ(number_text(999.6, 3), "1000");
  EXPECT_EQ(number_text(12.5, 3), "12.5");
}

TEST(FigureText, Latencies) {
  EXPECT_EQ(latency_text(0, 3), "0ns");
  EXPECT_EQ(latency_text(850, 3), "850ns");
  EXPECT_EQ(latency_text(950e3, 3), "950us");
  EXPECT_EQ(latency_text(213.4e6, 3), "213ms");
  EXPECT_EQ(latency_text(1.239e9, 3), "1.24s");
  EXPECT_EQ(latency_text(999.9e6, 3), "1s");
  EXPECT_EQ(latency_text(125e9, 3), "125s");
}

}  // namespace
}  // namespace hyperscale::results
