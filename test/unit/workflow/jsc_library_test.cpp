#include "workflow/script/jsc_library.h"

#include "workflow/script/jsc_functions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hyperscale::workflow {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(JscLibrary, MissingLibraryErrorNamesThePackage) {
  const Status loaded = load_jsc_from("libno-such-engine.so.0");
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().context,
              AllOf(HasSubstr("workflow files need JavaScriptCore"), HasSubstr("libno-such-engine.so.0"),
                    HasSubstr("install the Debian package libjavascriptcoregtk-4.1-0")));
}

TEST(JscLibrary, AnotherLibraryIsRefusedAndChangesNothing) {
  ASSERT_TRUE(load_jsc());
  const auto before = JSEvaluateScript;
  const Status loaded = load_jsc_from("libc.so.6");
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().context, AllOf(HasSubstr("it lacks JSContextCreateBacktrace, JSContextGetGlobalObject, "),
                                            HasSubstr("JSValueUnprotect; install the Debian package")));
  EXPECT_NE(before, nullptr);
  EXPECT_EQ(JSEvaluateScript, before);
}

}  // namespace
}  // namespace hyperscale::workflow
