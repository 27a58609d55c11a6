package io.weir.internal.body;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bounds how many bodies this node reads at once, and how many of these come from one address: a
 * tenth, but at least one.
 *
 * <p>Safe for concurrent use.
 */
public final class BodySlots {
  private static final int ADDRESSES_SHARE = 10;

  private final AtomicInteger taken = new AtomicInteger();
  private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();

  /**
   * Takes a slot for one body.
   *
   * @param address the caller's; empty if it isn't known
   * @param atOnce how many slots there are
   * @return false if none is free for this caller; else {@link #release} must follow
   */
  boolean take(Optional<String> address, int atOnce) {
    if (taken.incrementAndGet() > atOnce) {
      taken.decrementAndGet();
      return false;
    }
    int share = Math.max(1, atOnce / ADDRESSES_SHARE);
    if (address.isPresent() && byAddress.merge(address.get(), 1, Integer::sum) > share) {
      release(address);
      return false;
    }
    return true;
  }

  /** Returns a slot. */
  void release(Optional<String> address) {
    address.ifPresent(
        each -> byAddress.computeIfPresent(each, (any, of) -> of > 1 ? of - 1 : null));
    taken.decrementAndGet();
  }
}
