package io.weir.internal.server.envoy.config;

import com.google.protobuf.Struct;
import io.weir.Policy;
import io.weir.internal.server.envoy.proto.RateLimitResponse.RateLimit;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the parts of an {@link EnvoyLimit}. Confine to one thread. */
final class LimitBuilder {
  String name = "";
  boolean unlimited;
  @Nullable Policy policy;
  long permits;
  @Nullable RateUnit unit;
  boolean shadow;
  boolean quota;
  final Set<String> replaces = new LinkedHashSet<>();
  @Nullable Struct metadata;
  DescriptorKeyFactory keys = DescriptorKeyFactory.ofValues();

  EnvoyLimit build() {
    return new EnvoyLimit(this);
  }

  RateLimit current() {
    RateLimit.Builder told = RateLimit.newBuilder().setName(name).setRequestsPerUnit((int) permits);
    if (unit != null) {
      told.setUnitValue(unit.number());
    }
    return told.build();
  }
}
