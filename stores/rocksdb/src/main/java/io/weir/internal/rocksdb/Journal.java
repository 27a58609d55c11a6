package io.weir.internal.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/**
 * The changes of exactly counted buckets in the order in which they happened, each the whole state
 * of its bucket, so that it needn't be written to the database before it is used.
 *
 * <p>Two segments take turns. While one is filled, the buckets that were changed in the other are
 * written to the database. When that has been synced, the other one is begun anew, and may be
 * filled next. A segment that couldn't be synced is replaced in the same way: its pages may never
 * reach the disk, whatever a later sync says.
 *
 * <p>Invariant: of each bucket the last record in both segments, or else what the database has, is
 * its newest state that somebody was told of. So whoever writes a bucket to the database may write
 * late, but nothing that isn't here; and a segment begins anew only when each of its buckets was
 * written since, and is on the disk.
 *
 * <p>Safe for concurrent use.
 */
final class Journal {
  private static final String FIRST = "exact-1.journal";
  private static final String SECOND = "exact-2.journal";

  /** More than there are threads that have seen room and haven't appended yet. */
  private static final int MOST_RESERVED = 4_096;

  private final int half;
  private final int reserved;

  /** Guarded by this, as all that is in them. */
  private JournalSegment active;

  private JournalSegment other;
  private boolean isReady;
  private boolean isClosed;
  private boolean isSynced;
  private volatile int left;

  private Journal(JournalSegment active, JournalSegment other) {
    this.active = active;
    this.other = other;
    this.half = Math.min(active.capacity(), other.capacity()) / 2;
    this.reserved = Math.min(MOST_RESERVED, half / 2);
  }

  /**
   * Opens a journal that the database doesn't know of: nothing if there is none, or if it was being
   * made when its process ended, so that nothing was ever added to it.
   *
   * @throws IOException if it can't be read or written
   * @throws DamagedJournalException if there is something else in its place
   */
  static Optional<Journal> openUnnoted(Path directory, DiskSync disk) throws IOException {
    boolean isMade = true;
    for (String name : List.of(FIRST, SECOND)) {
      Path file = directory.resolve(name);
      if (JournalSegment.isBlank(file)) {
        isMade = false;
      } else if (!JournalSegment.isBegun(file)) {
        throw new DamagedJournalException(name + " doesn't begin as a journal of this version");
      }
    }
    try {
      return isMade ? Optional.of(open(directory, disk)) : Optional.empty();
    } catch (DamagedJournalException unfinished) {
      return Optional.empty();
    }
  }

  /**
   * Opens the journal of a directory. It must be {@linkplain #read read} and then {@linkplain
   * #begin begun}.
   *
   * @throws IOException if it can't be read or written
   * @throws DamagedJournalException if it is missing or damaged
   */
  static Journal open(Path directory, DiskSync disk) throws IOException {
    JournalSegment first = JournalSegment.open(directory.resolve(FIRST), disk);
    JournalSegment second = JournalSegment.open(directory.resolve(SECOND), disk);
    return first.number() >= second.number()
        ? new Journal(first, second)
        : new Journal(second, first);
  }

  /**
   * Makes a journal, in place of one that was never used, and begins it.
   *
   * @param bytes of each of the two files
   * @throws IOException if it can't be made
   */
  static Journal create(Path directory, int bytes, DiskSync disk) throws IOException {
    Journal made =
        new Journal(
            JournalSegment.create(directory.resolve(FIRST), bytes, disk),
            JournalSegment.create(directory.resolve(SECOND), bytes, disk));
    made.begin();
    disk.directory(directory);
    return made;
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

  /**
   * Begins anew: all that was in it is in the database, and on the disk there.
   *
   * @throws UncheckedIOException if it can't be written
   */
  synchronized void begin() {
    long number = Math.max(active.number(), other.number());
    other.begin(number + 1);
    active.begin(number + 2);
    JournalSegment next = other;
    other = active;
    active = next;
    isReady = true;
    left = isClosed ? 0 : active.capacity();
  }

  /** Whether a record has room. A few threads may ask at a time before they append. */
  boolean hasRoom() {
    return left > reserved;
  }

  /** Whether it is time to {@link #turn} and to write changed buckets to the database. */
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

  /** Whether the segment that is filled couldn't be synced, so that it must be replaced. */
  synchronized boolean isSpoiled() {
    return active.isSpoiled();
  }

  /**
   * Fills the other segment from now on, if that is {@linkplain #prepare prepared}.
   *
   * @return whether it is; then all changed buckets have to be written to the database
   */
  synchronized boolean turn() {
    if (!isReady || isClosed) {
      return false;
    }
    JournalSegment next = other;
    other = active;
    active = next;
    isReady = false;
    left = active.capacity();
    return true;
  }

  /**
   * Begins the other segment anew: all that was changed in it is in the database, and on the disk
   * there. Not while this is {@linkplain #sync synced}.
   *
   * @throws UncheckedIOException if its head can't be synced; to be tried again
   */
  void prepare() {
    JournalSegment next;
    long number;
    synchronized (this) {
      if (isReady || isClosed) {
        return;
      }
      next = other; // nobody else uses it until it is ready
      number = Math.max(active.number(), other.number()) + 1;
    }
    next.begin(number);
    synchronized (this) {
      isReady = true;
    }
  }

  /**
   * Has the system write it to the disk. One thread at a time.
   *
   * @throws UncheckedIOException if it can't, or couldn't before and the segment wasn't replaced
   *     since
   */
  void sync() {
    List<JournalSegment> unsynced;
    List<Integer> sizes;
    synchronized (this) {
      if (isSynced) {
        return;
      }
      isSynced = true; // unless something comes meanwhile
      unsynced = Stream.of(active, other).filter(each -> !each.isSpoiled()).toList();
      sizes = unsynced.stream().map(JournalSegment::size).toList();
    }
    try {
      for (int i = 0; i < unsynced.size(); i++) {
        unsynced.get(i).force(sizes.get(i));
      }
    } catch (RuntimeException | Error failed) {
      synchronized (this) {
        isSynced = false;
      }
      throw failed;
    }
    synchronized (this) {
      for (int i = 0; i < unsynced.size(); i++) {
        unsynced.get(i).synced(sizes.get(i));
      }
      if (active.isSpoiled() || !isReady && other.isSpoiled()) {
        isSynced = false;
        throw new UncheckedIOException(
            new IOException("a file of the journal couldn't be written, and is replaced"));
      }
    }
  }

  /** Takes no more records. */
  synchronized void close() {
    isClosed = true;
    left = 0;
  }
}
