package io.weir.internal.redis.address;

import java.util.List;

/**
 * The address of a Redis, as given by {@code weir.store}.
 *
 * <p>Immutable.
 *
 * @param kind the kind of servers that the endpoints are
 * @param endpoints at least one; exactly one for a single server
 * @param login how to log in to the Redis
 * @param master the master's name for the sentinels; empty without sentinels
 * @param database 0 and more
 * @param tls whether connections are encrypted
 */
public record RedisAddress(
    Kind kind, List<HostAndPort> endpoints, Login login, String master, int database, boolean tls) {
  /** The kinds of servers that an address names. */
  public enum Kind {
    /** One server. */
    ALONE,
    /** Sentinels, which know the master. */
    SENTINEL,
    /** Some nodes of a cluster. */
    CLUSTER
  }

  /**
   * Validates.
   *
   * @param kind the kind of servers that the endpoints are
   * @param endpoints at least one; exactly one for a single server
   * @param login how to log in to the Redis
   * @param master the master's name for the sentinels; empty without sentinels
   * @param database 0 and more
   * @param tls whether connections are encrypted
   */
  public RedisAddress {
    endpoints = List.copyOf(endpoints);
  }
}
