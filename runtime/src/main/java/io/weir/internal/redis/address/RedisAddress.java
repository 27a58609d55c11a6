package io.weir.internal.redis.address;

import java.util.List;

/**
 * The address of a Redis, as given by {@code weir.store}.
 *
 * <p>Immutable.
 *
 * @param endpoints at least one; exactly one for a single server
 * @param master the master's name for the sentinels; empty without sentinels
 * @param database 0 and more
 */
public record RedisAddress(
    Kind kind, List<HostAndPort> endpoints, Login login, String master, int database, boolean tls) {
  /** The kinds of servers that an address names. */
  public enum Kind {
    ALONE,
    /** Sentinels, which know the master. */
    SENTINEL,
    /** Some nodes of a cluster. */
    CLUSTER
  }

  public RedisAddress {
    endpoints = List.copyOf(endpoints);
  }
}
