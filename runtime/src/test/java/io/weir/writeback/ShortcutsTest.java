package io.weir.writeback;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Offer;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.store.Bucket;
import io.weir.store.Wish;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShortcutsTest {
  private static final int MOST = 100;

  private final Node node =
      new Node(
          new NodeClock(Ticker.system()),
          new Pace(100_000, 5_000),
          50_000,
          new Overdraft(new Shares(), 100),
          new Busy(1_000),
          new Leftovers(MOST),
          new Shortcuts(MOST));
  private final Entries entries = new Entries(MOST, node);
  private final Policy policy = policy(Duration.ofMinutes(1));

  private static Policy policy(Duration window) {
    return Policy.builder("policy").limit(10).window(window).build();
  }

  private Entry entry(String key) {
    Bucket bucket = new Bucket(policy.shape(), Key.of(key));
    return entries.of(new Wish(new Offer(policy, 1, 10, 10, 10, 0), bucket, false));
  }

  private @Nullable Entry found(String key) {
    return node.shortcuts().find(policy.shape(), Key.of(key));
  }

  @Test
  void remembersWhatTheCacheFound() {
    Entry entry = entry("key");
    assertNull(found("key"));
    assertSame(entry, entries.find(policy.shape(), Key.of("key")));
    assertSame(entry, found("key"));
  }

  @Test
  void tellsShapesOfOneNameApart() {
    entry("key");
    entries.find(policy.shape(), Key.of("key"));
    assertNull(entries.find(policy(Duration.ofHours(1)).shape(), Key.of("key")));
  }

  @Test
  void anEvictedEntryIsFoundNoMore() {
    Entry entry = entry("key");
    entries.find(policy.shape(), Key.of("key"));
    entries.evictAll();
    assertNull(found("key"));
    node.shortcuts().add(entry); // by whoever found it in the cache just before
    assertNull(found("key"));
    assertNotSame(entry, entry("key"));
  }

  @Test
  void findsTheRightOneAlsoWhereManyShareAPlace() {
    Shortcuts few = new Shortcuts(1);
    int still = 0;
    for (int i = 0; i < MOST; i++) {
      few.add(entry("key" + i));
    }
    for (int i = 0; i < MOST; i++) {
      Entry found = few.find(policy.shape(), Key.of("key" + i));
      assertTrue(found == null || found == entry("key" + i));
      still += found == null ? 0 : 1;
    }
    assertEquals(4, still, "two places of two");
  }
}
