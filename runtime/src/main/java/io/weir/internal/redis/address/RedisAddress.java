package io.weir.internal.redis.address;

import java.util.List;

/**
 * What {@code weir.store} says about a Redis.
 *
 * <p>Immutable.
 *
 * @param kind whom the endpoints belong to
 * @param endpoints at least one; exactly one if it stands alone
 * @param login how to log in to the Redis
 * @param master what the sentinels call it; empty without sentinels
 * @param database 0 and more
 * @param tls whether connections are encrypted
 */
public record RedisAddress(
    Kind kind, List<HostAndPort> endpoints, Login login, String master, int database, boolean tls) {
  /** How the servers that an address names belong together. */
  public enum Kind {
    /** One server. */
    ALONE,
    /** Sentinels, which know the server. */
    SENTINEL,
    /** Some nodes of a cluster. */
    CLUSTER
  }

  /**
   * Validates.
   *
   * @param kind see the record
   * @param endpoints see the record
   * @param login see the record
   * @param master see the record
   * @param database see the record
   * @param tls see the record
   */
  public RedisAddress {
    endpoints = List.copyOf(endpoints);
  }
}
