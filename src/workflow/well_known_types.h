// The files that come with Protobuf itself (google/protobuf/timestamp.proto and so on), for schemas that import them.
// The library is linked statically, and a linker leaves out what nobody names.
#pragma once

namespace google::protobuf {
class DescriptorPool;
}

namespace hyperscale::workflow {

// Holds all of them. Any thread.
const google::protobuf::DescriptorPool& well_known_types();

}  // namespace hyperscale::workflow
