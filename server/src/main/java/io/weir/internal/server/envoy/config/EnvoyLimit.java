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
 */
public final class EnvoyLimit {
  private final String name;
  private final boolean unlimited;
  private final @Nullable Policy policy;
  private final long permits;
  private final @Nullable RateUnit unit;
  private final boolean shadow;
  private final boolean quota;
  private final Set<String> replaces;
  private final @Nullable Struct metadata;
  private final DescriptorKeyFactory keys;
  private final RateLimit current;

  private EnvoyLimit(Builder parts) {
    this.name = parts.name;
    this.unlimited = parts.unlimited;
    this.policy = parts.policy;
    this.permits = parts.permits;
    this.unit = parts.unit;
    this.shadow = parts.shadow;
    this.quota = parts.quota;
    this.replaces = Set.copyOf(parts.replaces);
    this.metadata = parts.metadata;
    this.keys = parts.keys;
    this.current = parts.current();
  }

  /**
   * Returns the name that {@link #replaces()} of other limits uses.
   *
   * @return empty if it has no name
   */
  public String name() {
    return name;
  }

  /**
   * Returns whether it admits everything and counts nothing.
   *
   * @return true if it has neither policy nor number
   */
  public boolean isUnlimited() {
    return unlimited;
  }

  /**
   * Returns whether it refuses every request that costs anything.
   *
   * @return true for 0 requests per unit
   */
  public boolean isZero() {
    return policy == null && !unlimited;
  }

  /**
   * Returns the policy that decides.
   *
   * @return null if it is unlimited, or of no requests
   */
  public @Nullable Policy policy() {
    return policy;
  }

  /**
   * Returns the number of requests per unit.
   *
   * @return 0 to 1,000,000,000
   */
  public long permits() {
    return permits;
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
   * Returns whether it counts and refuses nothing.
   *
   * @return true for {@code shadow_mode}
   */
  public boolean isShadow() {
    return shadow;
  }

  /**
   * Returns whether it refuses only together with all other quotas of a request.
   *
   * @return true for {@code quota_mode}
   */
  public boolean isQuota() {
    return quota;
  }

  /**
   * Returns the names of limits that don't apply to a request that this one counts.
   *
   * @return unmodifiable
   */
  public Set<String> replaces() {
    return replaces;
  }

  /**
   * Returns the metadata that responses have while the limit isn't used up.
   *
   * @return null if there is none
   */
  public @Nullable Struct metadata() {
    return metadata;
  }

  /**
   * Returns the key of the bucket that counts a request.
   *
   * @param entries those of the request's descriptor
   * @return one for each value that the configuration leaves open
   */
  public Key key(List<Entry> entries) {
    return keys.of(entries);
  }

  /**
   * Returns the limit as responses show it.
   *
   * @return name, number and unit
   */
  public RateLimit current() {
    return current;
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
      return new EnvoyLimit(this);
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
