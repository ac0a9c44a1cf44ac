#include "workflow/well_known_types.h"

#include <array>

#include <google/protobuf/any.pb.h>
#include <google/protobuf/api.pb.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/duration.pb.h>
#include <google/protobuf/empty.pb.h>
#include <google/protobuf/field_mask.pb.h>
#include <google/protobuf/source_context.pb.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/timestamp.pb.h>
#include <google/protobuf/type.pb.h>
#include <google/protobuf/wrappers.pb.h>

namespace hyperscale::workflow {

const google::protobuf::DescriptorPool& well_known_types() {
  namespace pb = google::protobuf;
  // One type per file: its descriptor adds the whole file to the pool.
  static const std::array<const pb::Descriptor*, 10> named{pb::Any::descriptor(),       pb::Api::descriptor(),
                                                           pb::Duration::descriptor(),  pb::Empty::descriptor(),
                                                           pb::FieldMask::descriptor(), pb::SourceContext::descriptor(),
                                                           pb::Struct::descriptor(),    pb::Timestamp::descriptor(),
                                                           pb::Type::descriptor(),      pb::DoubleValue::descriptor()};
  return *named.front()->file()->pool();
}

}  // namespace hyperscale::workflow
