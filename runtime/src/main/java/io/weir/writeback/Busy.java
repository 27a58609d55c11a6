package io.weir.writeback;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The entries that the next flush looks at, so that its work grows with the buckets in use and not
 * with all that are cached.
 *
 * <p>Safe for concurrent use; never blocks.
 */
final class Busy {
  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  /** Adds an entry that isn't in here: the entry's own flag sees to that. */
  void add(Entry entry) {
    entries.add(entry);
    size.incrementAndGet();
  }

  int size() {
    return size.get();
  }

  /** Takes out all that are in here at the beginning. */
  void drain(Consumer<Entry> look) {
    for (int i = size.get(); i > 0; i--) {
      Entry entry = entries.poll();
      if (entry == null) {
        return;
      }
      size.decrementAndGet();
      look.accept(entry);
    }
  }
}
