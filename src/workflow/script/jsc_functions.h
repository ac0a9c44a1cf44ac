// Pointers to the functions of JavaScriptCore that this folder calls; load_jsc() sets them.
//
// The library is loaded with the first script, not when the program starts: most processes of a run have no script
// (decision 0011). A pointer has the name of its function and is in the namespace of the callers, so an unqualified
// call finds it before the function of the library's headers; a call from another namespace, or of a function that is
// not in the list, does not link. REQUIRES, for every call: load_jsc() has succeeded.
#pragma once

#include <cstddef>

#include <JavaScriptCore/JavaScript.h>

// Exported functions that no installed header declares.
extern "C" {
using JSShouldTerminateCallback = bool (*)(JSContextRef context, void* argument);
void JSContextGroupSetExecutionTimeLimit(JSContextGroupRef group, double seconds, JSShouldTerminateCallback callback,
                                         void* argument);
void JSContextGroupClearExecutionTimeLimit(JSContextGroupRef group);
JSObjectRef JSGetMemoryUsageStatistics(JSContextRef context);
JSStringRef JSContextCreateBacktrace(JSContextRef context, unsigned frames_max);
void JSGlobalContextSetEvalEnabled(JSGlobalContextRef context, bool enabled, JSStringRef message);
void JSSynchronousGarbageCollectForDebugging(JSContextRef context);
}

// clang-format off: one to a line
#define HYPERSCALE_JSC_FUNCTIONS(each)          \
  each(JSContextCreateBacktrace)                \
  each(JSContextGetGlobalObject)                \
  each(JSContextGetGroup)                       \
  each(JSContextGroupClearExecutionTimeLimit)   \
  each(JSContextGroupCreate)                    \
  each(JSContextGroupRelease)                   \
  each(JSContextGroupSetExecutionTimeLimit)     \
  each(JSEvaluateScript)                        \
  each(JSGetMemoryUsageStatistics)              \
  each(JSGlobalContextCreateInGroup)            \
  each(JSGlobalContextRelease)                  \
  each(JSGlobalContextSetEvalEnabled)           \
  each(JSObjectCallAsFunction)                  \
  each(JSObjectCopyPropertyNames)               \
  each(JSObjectGetProperty)                     \
  each(JSObjectGetPropertyAtIndex)              \
  each(JSObjectGetTypedArrayByteLength)         \
  each(JSObjectGetTypedArrayByteOffset)         \
  each(JSObjectGetTypedArrayBytesPtr)           \
  each(JSObjectMake)                            \
  each(JSObjectMakeArray)                       \
  each(JSObjectMakeError)                       \
  each(JSObjectMakeFunctionWithCallback)        \
  each(JSObjectMakeTypedArray)                  \
  each(JSObjectSetProperty)                     \
  each(JSObjectSetPropertyAtIndex)              \
  each(JSPropertyNameArrayGetCount)             \
  each(JSPropertyNameArrayGetNameAtIndex)       \
  each(JSPropertyNameArrayRelease)              \
  each(JSStringCreateWithCharacters)            \
  each(JSStringCreateWithUTF8CString)           \
  each(JSStringGetCharactersPtr)                \
  each(JSStringGetLength)                       \
  each(JSStringGetMaximumUTF8CStringSize)       \
  each(JSStringGetUTF8CString)                  \
  each(JSStringRelease)                         \
  each(JSStringRetain)                          \
  each(JSSynchronousGarbageCollectForDebugging) \
  each(JSValueGetTypedArrayType)                \
  each(JSValueIsNull)                           \
  each(JSValueIsObject)                         \
  each(JSValueIsString)                         \
  each(JSValueIsUndefined)                      \
  each(JSValueMakeBoolean)                      \
  each(JSValueMakeNull)                         \
  each(JSValueMakeNumber)                       \
  each(JSValueMakeString)                       \
  each(JSValueMakeUndefined)                    \
  each(JSValueProtect)                          \
  each(JSValueToBoolean)                        \
  each(JSValueToNumber)                         \
  each(JSValueToStringCopy)                     \
  each(JSValueUnprotect)
// clang-format on

namespace hyperscale::workflow {

#define HYPERSCALE_JSC_POINTER(function) inline decltype(&::function) function = nullptr;
HYPERSCALE_JSC_FUNCTIONS(HYPERSCALE_JSC_POINTER)
#undef HYPERSCALE_JSC_POINTER

}  // namespace hyperscale::workflow
