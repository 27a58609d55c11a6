package io.weir.internal.server.envoy.config;

import io.weir.Policy;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor.RateLimitOverride;
import java.util.Optional;

/**
 * The limits of a domain: those of its files, and those that come with a request. Immutable.
 *
 * <p>Limits that come with requests share one policy for each unit. Their keys are made of the
 * entries alone, so that counts continue when the limit changes.
 */
public final class EnvoyDomain {
  private final DescriptorNode root;
  private final EnvoyPolicyFactory policies;
  private final DescriptorKeyFactory overrideKeys;

  EnvoyDomain(String name, DescriptorNode root, EnvoyPolicyFactory policies) {
    this.root = root;
    this.policies = policies;
    this.overrideKeys = DescriptorKeyFactory.ofDomain(name);
  }

  /**
   * Finds the limit of a descriptor: its own if it has one, else that of its files.
   *
   * @param descriptor that of a request; if it has a limit, its unit is one of {@link RateUnit}
   * @return empty if nothing limits it
   */
  public Optional<EnvoyLimit> limit(RateLimitDescriptor descriptor) {
    return descriptor.hasLimit()
        ? Optional.of(override(descriptor.getLimit()))
        : root.match(descriptor.getEntriesList());
  }

  private EnvoyLimit override(RateLimitOverride given) {
    RateUnit unit = RateUnit.of(given.getUnitValue()).orElseThrow();
    EnvoyLimit.Builder parts = new EnvoyLimit.Builder();
    parts.unit = unit;
    parts.permits = Math.min(Policy.MAX_LIMIT, Integer.toUnsignedLong(given.getRequestsPerUnit()));
    parts.keys = overrideKeys;
    if (parts.permits > 0) {
      parts.policy = policies.ofOverrides(unit);
    }
    return parts.build();
  }
}
