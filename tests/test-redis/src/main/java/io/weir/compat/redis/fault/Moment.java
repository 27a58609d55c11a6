package io.weir.compat.redis.fault;

/** When a fault strikes a call, seen from the store. */
public enum Moment {
  /** The store hasn't read all of it, and won't execute it unless it gets the rest. */
  BEFORE,
  /** The store has it, and has perhaps executed it. */
  IN_FLIGHT,
  /** The store has executed it, and its reply is on the way. */
  AFTER_COMMIT
}
