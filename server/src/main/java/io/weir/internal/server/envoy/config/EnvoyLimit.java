package io.weir.internal.server.envoy.config;

import com.google.protobuf.Struct;
import io.weir.Key;
import io.weir.Policy;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor.Entry;
import io.weir.internal.server.envoy.proto.RateLimitResponse.RateLimit;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a descriptor: how much, and whom it counts. Immutable.
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

  EnvoyLimit(LimitBuilder parts) {
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
   * What {@link #replaces()} of other limits calls it.
   *
   * @return empty if it has no name
   */
  public String name() {
    return name;
  }

  /**
   * Whether it admits everything and counts nothing.
   *
   * @return true if it has neither policy nor number
   */
  public boolean isUnlimited() {
    return unlimited;
  }

  /**
   * Whether it refuses whatever costs anything.
   *
   * @return true for 0 requests a unit
   */
  public boolean isNothing() {
    return policy == null && !unlimited;
  }

  /**
   * What decides.
   *
   * @return null if it is unlimited, or of no requests
   */
  public @Nullable Policy policy() {
    return policy;
  }

  /**
   * How many requests a unit has.
   *
   * @return 0 to 1,000,000,000
   */
  public long permits() {
    return permits;
  }

  /**
   * The rest of its window, whether anything was taken from it or not.
   *
   * @param epochMicros the time, in microseconds since 1970
   * @return zero if it is unlimited
   */
  public Duration restOfWindow(long epochMicros) {
    return unit == null ? Duration.ZERO : unit.rest(epochMicros);
  }

  /**
   * Whether it counts and refuses nobody.
   *
   * @return true for {@code shadow_mode}
   */
  public boolean isShadow() {
    return shadow;
  }

  /**
   * Whether it refuses only if all limits of a request that are so do.
   *
   * @return true for {@code quota_mode}
   */
  public boolean isQuota() {
    return quota;
  }

  /**
   * The names of limits that don't count for a request which this one counts.
   *
   * @return unmodifiable
   */
  public Set<String> replaces() {
    return replaces;
  }

  /**
   * What the client is told while there is something left.
   *
   * @return null if there is nothing to tell
   */
  public @Nullable Struct metadata() {
    return metadata;
  }

  /**
   * Whom it counts.
   *
   * @param entries of the request's descriptor
   * @return one for each value that the configuration leaves open
   */
  public Key key(List<Entry> entries) {
    return keys.of(entries);
  }

  /**
   * The limit as clients are told it.
   *
   * @return name, number and unit
   */
  public RateLimit current() {
    return current;
  }
}
