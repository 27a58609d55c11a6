package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Permits by their times, against a list that does the same without any art. */
class TimedChargesTest {
  /** Stands for the times from the first to the last. */
  private record Entry(long first, long last, long permits) {
    Entry with(long other) {
      return new Entry(first, last, other);
    }
  }

  private final TimedCharges charges = new TimedCharges();
  private final List<Entry> twin = new ArrayList<>();
  private long time;

  private void add(long at, long permits) {
    charges.add(at, permits);
    Entry newest = twin.isEmpty() ? null : twin.get(twin.size() - 1);
    if (permits > 0 && (newest == null || newest.last < at)) {
      twin.add(new Entry(at, at, permits));
    } else if (permits > 0) {
      twin.set(twin.size() - 1, newest.with(newest.permits + permits));
    }
  }

  private void dropBefore(long at) {
    charges.dropBefore(at);
    twin.removeIf(each -> each.last < at);
  }

  private void dropBeyond(long most) {
    charges.dropBeyond(most);
    while (sum() > most) {
      Entry oldest = twin.remove(0);
      long excess = sum() + oldest.permits - most;
      if (oldest.permits > excess) {
        twin.add(0, oldest.with(oldest.permits - excess));
      }
    }
  }

  private void take(long at, long permits) {
    long expected = 0;
    for (int i = 0; i < twin.size(); i++) {
      Entry each = twin.get(i);
      if (each.first <= at && at <= each.last) {
        expected = Math.min(permits, each.permits);
        twin.set(i, each.with(each.permits - expected));
      }
    }
    twin.removeIf(each -> each.permits == 0);
    assertEquals(expected, charges.take(at, permits), "taken at " + at);
  }

  private void merge(long resolution) {
    charges.merge(resolution);
    for (int i = 0; i + 1 < twin.size(); ) {
      Entry one = twin.get(i);
      Entry next = twin.get(i + 1);
      if (next.last - one.first < resolution) {
        twin.set(i, new Entry(one.first, next.last, one.permits + next.permits));
        twin.remove(i + 1);
      } else {
        i++;
      }
    }
  }

  private long sum() {
    return twin.stream().mapToLong(Entry::permits).sum();
  }

  private void assertSame(TimedCharges actual) {
    assertEquals(sum(), actual.sum());
    assertEquals(twin.size(), actual.size());
    assertEquals(twin.isEmpty(), actual.isEmpty());
    if (!twin.isEmpty()) {
      assertEquals(twin.get(twin.size() - 1).last, actual.newest());
      assertEquals(sum() - twin.get(0).permits, actual.sumButOldest());
    }
    long gone = 0;
    for (Entry each : twin) {
      assertEquals(each.last, actual.timeOf(gone + 1));
      gone += each.permits;
      assertEquals(each.last, actual.timeOf(gone));
    }
  }

  private void change(Random random) {
    switch (random.nextInt(12)) {
      case 0 -> dropBefore(time - random.nextInt(60));
      case 1 -> dropBeyond(Math.max(0, sum() - random.nextInt(12)));
      case 2, 3 -> take(time - random.nextInt(40), 1 + random.nextInt(9));
      case 4 -> mergeIfAny(1 + random.nextInt(6));
      default -> {
        time += random.nextInt(4);
        add(time - random.nextInt(2), random.nextInt(6));
      }
    }
  }

  private void mergeIfAny(long resolution) {
    if (!twin.isEmpty()) {
      merge(resolution);
    }
  }

  @Test
  void doesWhatAListDoes() {
    Random random = new Random(11);
    for (int i = 0; i < 6_000; i++) {
      change(random);
      assertSame(charges);
      assertSame(new TimedCharges(charges));
    }
  }

  @Test
  void aCopyGoesItsOwnWayWhereverTheOriginalBegins() {
    for (int i = 0; i < 9; i++) {
      add(i, 2);
    }
    dropBefore(5);
    TimedCharges copy = new TimedCharges(charges);
    charges.add(20, 7);
    charges.dropBefore(8);
    assertSame(copy);
    copy.add(9, 3);
    assertEquals(11, copy.sum());
    assertEquals(9, charges.sum());
    charges.dropBefore(100);
    TimedCharges empty = new TimedCharges(charges);
    empty.add(200, 1);
    assertEquals(200, empty.newest());
  }

  @Test
  void condensesToAsManyAsAskedAndNoFewerThanItMust() {
    for (int i = 0; i < 64; i++) {
      add(10L * i, 1);
    }
    assertSame(charges.condensed(64, 20));
    TimedCharges half = charges.condensed(32, 20);
    assertEquals(32, half.size(), "each with its neighbour");
    assertEquals(10, half.timeOf(1), "at the later time");
    assertEquals(16, charges.condensed(31, 20).size(), "twice as coarse");
    assertEquals(64, charges.condensed(31, 20).sum());
    assertSame(charges);
  }

  @Test
  void anEntryCountsNoMoreThanAnyCapacity() {
    charges.add(1, Long.MAX_VALUE);
    charges.add(1, 5);
    assertEquals(BucketState.MAX_PERMITS, charges.sum());
    charges.add(2, BucketState.MAX_PERMITS - 1);
    charges.add(2, 1);
    charges.add(2, 1);
    assertEquals(2 * BucketState.MAX_PERMITS, charges.sum());
    charges.merge(5);
    assertEquals(BucketState.MAX_PERMITS, charges.sum(), "also when two are one");
    assertEquals(1, charges.size());
  }
}
