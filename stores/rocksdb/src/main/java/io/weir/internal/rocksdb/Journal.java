package io.weir.internal.rocksdb;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/**
 * The changes of exactly counted buckets in the order in which they happened, each the whole state
 * of its bucket, so that it needn't be written to the database before it is used.
 *
 * <p>Two segments take turns. While one is filled, the buckets that were changed in the other are
 * written to the database; then that one may be filled anew.
 *
 * <p>Invariant: of each bucket the last record in both segments, or else what the database has, is
 * its newest state that somebody was told of. So whoever writes a bucket to the database may write
 * late, but nothing that isn't here; and a segment begins anew only when each of its buckets was
 * written since.
 *
 * <p>Safe for concurrent use.
 */
final class Journal {
  private static final String FIRST = "exact-1.journal";
  private static final String SECOND = "exact-2.journal";

  /** More than there are threads that have seen room and haven't appended yet. */
  private static final int MOST_RESERVED = 4_096;

  /** Guarded by this, as all that is in them. */
  private JournalSegment active;

  private JournalSegment other;
  private boolean isClosed;
  private boolean isSynced;
  private final int half;
  private final int reserved;
  private volatile int left;

  private Journal(JournalSegment active, JournalSegment other) {
    this.active = active;
    this.other = other;
    this.half = Math.min(active.capacity(), other.capacity()) / 2;
    this.reserved = Math.min(MOST_RESERVED, half / 2);
  }

  /** Whether there is one in a directory. */
  static boolean exists(Path directory) {
    return Stream.of(FIRST, SECOND).anyMatch(each -> directory.resolve(each).toFile().exists());
  }

  /**
   * Opens the journal of a directory, and makes it if there is none. It must be {@linkplain #read
   * read} and then {@linkplain #begin begun}.
   *
   * @param bytes of each of the two files, where they are made
   * @throws IOException if it can't be made
   */
  static Journal open(Path directory, int bytes) throws IOException {
    JournalSegment first = JournalSegment.open(directory.resolve(FIRST), bytes);
    JournalSegment second = JournalSegment.open(directory.resolve(SECOND), bytes);
    return first.number() >= second.number()
        ? new Journal(first, second)
        : new Journal(second, first);
  }

  /**
   * Reads what an earlier process has left, the oldest record first.
   *
   * @return how many records were lost when the machine lost its power
   * @throws DamagedJournalException if something that was synced can't be read
   */
  synchronized int read(JournalSegment.Visitor visitor) throws RocksDBException {
    return other.read(visitor) + active.read(visitor); // open put the later one into active
  }

  /** Begins anew: all that was in it is in the database. */
  synchronized void begin() {
    long number = Math.max(active.number(), other.number());
    other.begin(number + 1);
    active.begin(number + 2);
    left = isClosed ? 0 : active.capacity();
  }

  /** Whether a record has room. A few threads may ask at a time before they append. */
  boolean hasRoom() {
    return left > reserved;
  }

  /** Whether it is time to write changed buckets to the database. */
  boolean isFilling() {
    return left <= half;
  }

  /**
   * Adds a record.
   *
   * @param state up to 31 bytes
   * @return whether it is this record that makes it {@linkplain #isFilling fill}
   * @throws IllegalStateException if it is closed or full
   */
  synchronized boolean append(byte[] key, long expiresAt, byte[] state) {
    if (isClosed || left == 0) {
      throw new IllegalStateException(isClosed ? "the journal is closed" : "the journal is full");
    }
    active.append(key, expiresAt, state);
    isSynced = false;
    left = active.capacity() - active.size();
    return left == half;
  }

  /** Fills the other segment from now on: all that was changed in it is in the database. */
  synchronized void turn() {
    JournalSegment next = other;
    next.begin(active.number() + 1);
    other = active;
    active = next;
    left = next.capacity();
  }

  /** Has the system write it to the disk. */
  void sync() {
    List<JournalSegment> both;
    int size;
    synchronized (this) {
      if (isSynced) {
        return;
      }
      isSynced = true; // unless something comes meanwhile
      both = List.of(active, other);
      size = active.size();
    }
    JournalSegment filled = both.get(0);
    long number = filled.number();
    both.forEach(JournalSegment::force);
    synchronized (this) {
      filled.synced(number, size);
      JournalSegment full = both.get(1);
      if (full == other) {
        full.synced(full.number(), full.size());
      }
    }
  }

  /** Takes no more records. */
  synchronized void close() {
    isClosed = true;
    left = 0;
  }
}
