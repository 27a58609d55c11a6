package io.weir.annotation;

/** The ways to identify a caller. Several together form one composite key. */
public enum By {
  /** The signed-in user; a request without one counts by address. Decided after authentication. */
  USER,
  /**
   * The address of the caller: IPv4 whole, IPv6 by its /64 unless the setting {@code
   * weir.ipv6.prefix} says otherwise.
   */
  IP,
  /** The texts that {@link RateLimit#key()} reads; a request without them counts by address. */
  KEY,
  /** All callers together: one bucket for the policy. */
  ENDPOINT
}
