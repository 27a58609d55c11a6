package io.weir.compat.redis.fault;

/** Something that goes wrong with a store, or on the way to it, and that comes right again. */
public interface Mishap {
  /** Returns its name in printed results. */
  String title();

  /** Lets it happen; it has when this returns. */
  void begin(ProxiedRedis store);

  /** Brings it to an end. */
  void end(ProxiedRedis store);

  /** Returns whether nodes aren't answered meanwhile. */
  boolean cutsOff();

  /** Returns whether something that was counted is gone. */
  default boolean forgets() {
    return false;
  }

  /**
   * Returns the number of times that it was observed, by the proxies or by Redis itself; to be
   * called before it ends.
   */
  long seen(ProxiedRedis store);
}
