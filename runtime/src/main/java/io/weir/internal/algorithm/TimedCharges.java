package io.weir.internal.algorithm;

import io.weir.store.SlottedBucket.ChargeVisitor;
import java.util.Arrays;

/**
 * Keeps permits by the time that they are charged to, oldest first.
 *
 * <p>An entry may stand for several times that were merged; it counts at the latest of them.
 * Entries without permits don't stay.
 */
final class TimedCharges {
  /** Numbers per entry: the first time it stands for, the last one, the permits. */
  private static final int WIDTH = 3;

  /**
   * The largest entry: a debt beyond all measure has the effect of one as large as any limit, and
   * no sum overflows.
   */
  private static final long MAX_ENTRY = BucketState.MAX_PERMITS;

  private long[] entries = new long[WIDTH];
  private int head;
  private int tail;
  private long sum;

  TimedCharges() {}

  TimedCharges(TimedCharges original) {
    entries =
        Arrays.copyOfRange(
            original.entries, original.head, Math.max(original.tail, original.head + WIDTH));
    tail = original.tail - original.head;
    sum = original.sum;
  }

  long sum() {
    return sum;
  }

  int size() {
    return (tail - head) / WIDTH;
  }

  boolean isEmpty() {
    return head == tail;
  }

  long newest() {
    return entries[tail - WIDTH + 1];
  }

  /** Adds permits to a time, or to the newest entry if that is later. */
  void add(long time, long permits) {
    if (permits == 0) {
      return;
    }
    if (isEmpty() || newest() < time) {
      append(time);
    }
    increase(tail - WIDTH, permits);
  }

  /** Adds permits to a time, even one before the newest entry. Nothing may have been merged. */
  void put(long time, long permits) {
    if (permits == 0 || isEmpty() || newest() <= time) {
      add(time, permits);
      return;
    }
    int at = find(time);
    increase(at < 0 ? insert(time) : at, permits);
  }

  private int insert(long time) {
    append(time);
    int at = tail - WIDTH;
    while (at > head && entries[at - WIDTH] > time) {
      at -= WIDTH;
    }
    System.arraycopy(entries, at, entries, at + WIDTH, tail - WIDTH - at);
    entries[at] = time;
    entries[at + 1] = time;
    entries[at + 2] = 0;
    return at;
  }

  private void increase(int at, long permits) {
    long added = Math.min(permits, MAX_ENTRY - Math.min(MAX_ENTRY, entries[at + 2]));
    entries[at + 2] += added;
    sum += added;
  }

  void dropBefore(long time) {
    while (head < tail && entries[head + 1] < time) {
      dropOldest();
    }
  }

  /** Returns all permits except those of the oldest entry. */
  long sumButOldest() {
    return sum - entries[head + 2];
  }

  /** Drops the oldest permits until at most this many are left. */
  void dropBeyond(long most) {
    while (sum > most) {
      long excess = sum - most;
      if (entries[head + 2] <= excess) {
        dropOldest();
      } else {
        entries[head + 2] -= excess;
        sum = most;
      }
    }
  }

  void dropOldest() {
    sum -= entries[head + 2];
    head += WIDTH;
  }

  /** Takes up to this many permits out of the entry that stands for a time; returns how many. */
  long take(long time, long permits) {
    int at = find(time);
    if (at < 0) {
      return 0;
    }
    long taken = Math.min(permits, entries[at + 2]);
    entries[at + 2] -= taken;
    sum -= taken;
    if (entries[at + 2] == 0) {
      System.arraycopy(entries, at + WIDTH, entries, at, tail - at - WIDTH);
      tail -= WIDTH;
    }
    return taken;
  }

  /**
   * Returns the time of the entry, counted from the oldest, with which at least this many are gone.
   */
  long timeOf(long permits) {
    long gone = 0;
    int at = head;
    while ((gone += entries[at + 2]) < permits) {
      at += WIDTH;
    }
    return entries[at + 1];
  }

  /** Merges neighbours into the later time where together they span less than a resolution. */
  void merge(long resolution) {
    int to = head;
    for (int from = head + WIDTH; from < tail; from += WIDTH) {
      if (entries[from + 1] - entries[to] < resolution) {
        entries[to + 1] = entries[from + 1];
        long both = entries[to + 2] + entries[from + 2];
        entries[to + 2] = Math.min(MAX_ENTRY, both);
        sum -= both - entries[to + 2];
      } else {
        to += WIDTH;
        System.arraycopy(entries, from, entries, to, WIDTH);
      }
    }
    tail = to + WIDTH;
  }

  /**
   * Returns the same permits in at most this many entries, merged by this resolution or a coarser
   * one.
   */
  TimedCharges condensed(int most, long resolution) {
    if (size() <= most) {
      return new TimedCharges(this);
    }
    TimedCharges merged = new TimedCharges(this);
    for (long span = resolution; merged.size() > most; span *= 2) {
      merged.merge(span);
    }
    return new TimedCharges(merged); // without the capacity for the others
  }

  /** Writes all entries; each must stand for one time. */
  void write(BucketEncoder writer, long near) {
    long before = near;
    for (int at = head; at < tail; at += WIDTH) {
      putTime(writer, entries[at], before, at == head);
      writer.put(entries[at + 2]);
      before = entries[at];
    }
  }

  /** Writes entries that may span several times. */
  void writeSpans(BucketEncoder writer, long near) {
    long before = near;
    for (int at = head; at < tail; at += WIDTH) {
      putTime(writer, entries[at], before, at == head);
      writer.put(entries[at + 1] - entries[at]);
      writer.put(entries[at + 2]);
      before = entries[at + 1];
    }
  }

  private static void putTime(BucketEncoder writer, long time, long before, boolean first) {
    if (first) {
      writer.putTime(time, before);
    } else {
      writer.put(time - before);
    }
  }

  /** Reads entries up to the end, whose times must be within these bounds. */
  void read(BucketDecoder reader, long near, long earliest, long latest) {
    read(reader, near, earliest, latest, 0);
  }

  /** Reads entries that may span several times. */
  void readSpans(BucketDecoder reader, long near, long earliest, long latest) {
    read(reader, near, earliest, latest, BucketDecoder.LATEST);
  }

  private void read(BucketDecoder reader, long near, long earliest, long latest, long longestSpan) {
    long last = near;
    while (reader.hasMore()) {
      long first =
          isEmpty()
              ? reader.time("the time of the first charge", last)
              : last + reader.number("the time to the next charge", 1, BucketDecoder.LATEST);
      last = longestSpan == 0 ? first : first + reader.number("a span", 0, longestSpan);
      if (last < earliest || last > latest) {
        throw BucketDecoder.wrong(
            "the time of a charge must be " + earliest + " to " + latest + ", not " + last);
      }
      append(first);
      entries[tail - 2] = last;
      entries[tail - 1] = reader.number("the permits of a charge", 1, MAX_ENTRY);
      sum += entries[tail - 1];
    }
  }

  /** Visits the permits of each time; those of merged times at the latest of them. */
  void each(ChargeVisitor visitor) {
    for (int at = head; at < tail; at += WIDTH) {
      visitor.visit(entries[at + 1], entries[at + 2]);
    }
  }

  private void append(long time) {
    if (tail == entries.length) {
      makeRoom();
    }
    entries[tail] = time;
    entries[tail + 1] = time;
    entries[tail + 2] = 0;
    tail += WIDTH;
  }

  private void makeRoom() {
    int length = tail - head;
    long[] target = head >= entries.length / 2 ? entries : new long[entries.length * 2];
    System.arraycopy(entries, head, target, 0, length);
    entries = target;
    head = 0;
    tail = length;
  }

  private int find(long time) {
    int low = 0;
    int high = size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int at = head + middle * WIDTH;
      if (entries[at + 1] < time) {
        low = middle + 1;
      } else if (entries[at] > time) {
        high = middle - 1;
      } else {
        return at;
      }
    }
    return -1;
  }
}
