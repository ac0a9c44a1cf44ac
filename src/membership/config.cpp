#include "membership/config.h"

#include "base/check.h"

namespace hyperscale::membership {

Config Config::scaled_to(Duration probe_interval, wire::NodeRole observer) {
  CHECK(probe_interval >= 10ms, "a probe interval of {} ns", probe_interval.count());
  Config config;
  const double factor =
      static_cast<double>(probe_interval.count()) / static_cast<double>(config.probe_interval.count());
  for (Duration* duration : {&config.probe_interval, &config.direct_timeout, &config.direct_timeout_max,
                             &config.indirect_timeout, &config.proxy_timeout, &config.gossip_interval,
                             &config.gossip_kept, &config.sync_interval, &config.introduce_for, &config.introduce_again,
                             &config.unconfirmed_warning, &config.death_doubt, &config.leave_linger}) {
    *duration = Duration(static_cast<Duration::rep>(static_cast<double>(duration->count()) * factor));
  }
  config.detection = DetectionConfig::scaled_to(probe_interval, observer);
  config.coordinates = CoordinateConfig::scaled_to(probe_interval);
  return config;
}

}  // namespace hyperscale::membership
