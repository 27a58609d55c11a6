package io.weir.annotation;

/** Whom a policy counts. Several together form one composite key. */
public enum By {
  /** The signed-in user; a request without one counts by address. Decided after authentication. */
  USER,
  /**
   * The address of the caller: IPv4 whole, IPv6 by its /64 unless the setting {@code
   * weir.ipv6.prefix} says otherwise.
   */
  IP,
  /** What {@link RateLimit#key()} names; a request without it counts by address. */
  KEY,
  /** Everybody together: one bucket for the policy. */
  ENDPOINT
}
