#pragma once
#include "asio.h"
#include "gtest.h"
