// The files that come with Protobuf itself (google/protobuf/timestamp.proto and so on), for schemas that import them.
// The library is linked statically, and the linker omits unreferenced files.
#pragma once

namespace google::protobuf {
class DescriptorPool;
}

namespace hyperscale::workflow {

// Contains all of them. Any thread.
const google::protobuf::DescriptorPool& well_known_types();

}  // namespace hyperscale::workflow
