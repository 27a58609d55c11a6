package io.weir.internal.redis.connection;

import io.weir.internal.redis.address.HostAndPort;

/**
 * Locates the servers. Each is a partition: a small number, which stays the same when another
 * server takes over.
 *
 * <p>Safe for concurrent use.
 */
interface Topology {
  /** Returns the partition of a key, as far as is known. */
  int partition(byte[] key);

  /**
   * Returns the first slot of a cluster that a partition has, as far as is known; 0 where there are
   * none.
   */
  default int slot(int partition) {
    return 0;
  }

  /** Returns the number of partitions, as far as is known. */
  default int partitions() {
    return 1;
  }

  /** Returns whether a partition has any slots, or whatever else its keys live in. */
  default boolean has(int partition) {
    return true;
  }

  /**
   * Determines the partitions, unless they are known; may ask a server and wait for the answer.
   *
   * @throws ConnectionException if no server answers
   */
  default void learn() {}

  /**
   * Locates a partition's server for a new connection; may ask a server and wait for the answer.
   *
   * @throws ConnectionException if no server answers
   */
  HostAndPort find(int partition);

  /** Returns whether that is where the partition's server is, as far as is known. */
  boolean knows(int partition, HostAndPort endpoint);

  /**
   * Returns whether a server may redirect a call to another one, which is then trusted with the
   * login.
   */
  default boolean redirects() {
    return false;
  }

  /** Checks that a new connection leads to the partition's server. */
  default void check(RedisConnection connection) {}

  /** Notes that something is odd, so that servers are asked again soon. */
  default void doubt() {}

  /** Asks again if that is due. Called about once a second. */
  default void poll() {}

  /** Makes the topology of a single server without failover. */
  static Topology of(HostAndPort only) {
    return new Topology() {
      @Override
      public int partition(byte[] key) {
        return 0;
      }

      @Override
      public HostAndPort find(int partition) {
        return only;
      }

      @Override
      public boolean knows(int partition, HostAndPort endpoint) {
        return true;
      }
    };
  }
}
