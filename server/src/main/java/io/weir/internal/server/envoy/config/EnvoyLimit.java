package io.weir.internal.server.envoy.config;

import com.google.protobuf.Struct;
import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor.Entry;
import io.weir.internal.server.envoy.proto.RateLimitResponse.RateLimit;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a descriptor: how many requests, and by which keys. Immutable.
 *
 * <p>There are three kinds: most have a policy that decides; a limit of no requests has none, since
 * it refuses without counting; an unlimited one has none and admits.
 *
 * @param name the name that {@link #replaces} of other limits uses; empty if it has none
 * @param isUnlimited whether it admits everything and counts nothing
 * @param policy the policy that decides; null if it is unlimited, or of no requests
 * @param permits the requests per unit, 0 to 1,000,000,000
 * @param unit null if it is unlimited
 * @param isShadow whether it counts and refuses nothing: {@code shadow_mode}
 * @param isQuota whether it refuses only together with all other quotas of a request: {@code
 *     quota_mode}
 * @param replaces the names of limits that don't apply to a request that this one counts
 * @param metadata the metadata that responses have while the limit isn't used up; null if there is
 *     none
 * @param current the limit as responses show it
 */
public record EnvoyLimit(
    String name,
    boolean isUnlimited,
    @Nullable Policy policy,
    long permits,
    @Nullable RateUnit unit,
    boolean isShadow,
    boolean isQuota,
    Set<String> replaces,
    @Nullable Struct metadata,
    DescriptorKeyFactory keys,
    RateLimit current) {
  public EnvoyLimit {
    replaces = Set.copyOf(replaces);
  }

  /** Returns whether it refuses every request that costs anything: it is of 0 requests per unit. */
  public boolean isZero() {
    return policy == null && !isUnlimited;
  }

  /**
   * Returns the time until its window ends, whether anything was taken from it or not.
   *
   * @param epochMicros the time, in microseconds since 1970
   * @return zero if it is unlimited
   */
  public Duration restOfWindow(long epochMicros) {
    return unit == null ? Duration.ZERO : unit.rest(epochMicros);
  }

  /**
   * Returns the key of the bucket that counts a request: one for each value that the configuration
   * leaves open.
   */
  public Key key(List<Entry> entries) {
    return keys.of(entries);
  }

  /** Collects the parts of a limit. Confine to one thread. */
  static final class Builder {
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
      return new EnvoyLimit(
          name, unlimited, policy, permits, unit, shadow, quota, replaces, metadata, keys,
          current());
    }

    private RateLimit current() {
      RateLimit.Builder limit =
          RateLimit.newBuilder().setName(name).setRequestsPerUnit((int) permits);
      if (unit != null) {
        limit.setUnitValue(unit.number());
      }
      return limit.build();
    }
  }
}
