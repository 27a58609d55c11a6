package io.weir.compat.redis.fault;

/** Something that goes wrong with a store, or on the way to it, and that comes right again. */
public interface Mishap {
  /** Its name in printed results. */
  String title();

  /** Lets it happen; it has when this returns. */
  void begin(ProxiedRedis store);

  /** Brings it to an end. */
  void end(ProxiedRedis store);

  /** Whether nodes aren't answered meanwhile. */
  boolean cutsOff();

  /** Whether something that was counted is gone. */
  default boolean forgets() {
    return false;
  }

  /**
   * The number of times that it was observed, by the proxies or by Redis itself; to be called
   * before it ends.
   */
  long seen(ProxiedRedis store);
}
