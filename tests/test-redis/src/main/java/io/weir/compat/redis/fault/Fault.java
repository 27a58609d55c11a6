package io.weir.compat.redis.fault;

/** The faults that can happen to a call. */
public enum Fault {
  /** It takes longer than anybody waits for it, then goes on. */
  DELAY,
  /** Nothing moves until all is well again; then it goes on. */
  STALL,
  /** The connection breaks. */
  CUT,
  /** Half of it arrives, then the connection breaks. */
  TRUNCATE,
  /** The data that arrives isn't valid protocol. */
  CORRUPT,
  /** It arrives byte by byte, with a pause after each. */
  DRIP,
  /** One direction of the connection ends, the other stays open. */
  HALF_CLOSE
}
