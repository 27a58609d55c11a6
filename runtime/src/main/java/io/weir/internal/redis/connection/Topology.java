package io.weir.internal.redis.connection;

import io.weir.internal.redis.address.HostAndPort;

/**
 * Which servers there are. Each is a partition: a small number, which stays the same when another
 * server takes over.
 *
 * <p>Safe for concurrent use.
 */
interface Topology {
  /** Which partition a key lives in, as far as is known. */
  int partition(byte[] key);

  /**
   * The first slot of a cluster that a partition has, as far as is known; 0 where there are none.
   */
  default int slot(int partition) {
    return 0;
  }

  /** How many partitions there are, as far as is known. */
  default int partitions() {
    return 1;
  }

  /** Whether a partition has any slots, or whatever else its keys live in. */
  default boolean has(int partition) {
    return true;
  }

  /**
   * Finds out which partitions there are, unless that is known; may ask somebody and wait for the
   * answer.
   *
   * @throws ConnectionException if nobody knows
   */
  default void learn() {}

  /**
   * Where a partition's server is, for a new connection; may ask somebody and wait for the answer.
   *
   * @throws ConnectionException if nobody knows
   */
  HostAndPort find(int partition);

  /** Whether that is where the partition's server is, as far as is known. */
  boolean knows(int partition, HostAndPort endpoint);

  /** Whether a server may send a call on to another one, which is trusted with the login then. */
  default boolean redirects() {
    return false;
  }

  /** Makes sure that a new connection leads to the partition's server. */
  default void check(RedisConnection connection) {}

  /** Something is odd: ask anew soon. */
  default void doubt() {}

  /** Asks anew if that is due. Called about once a second. */
  default void poll() {}

  /** One server that nobody takes over from. */
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
