package io.weir.internal.rocksdb;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.rocksdb.RocksDBException;

/**
 * Records the changes of exactly counted buckets in order, each as the whole state of its bucket.
 * So a bucket needn't be written to the database before its reply is used.
 *
 * <p>Two segments take turns. While one is filled, the buckets that were changed in the other are
 * written to the database. Once the database has been synced, the other segment is begun anew and
 * may be filled next. A segment that couldn't be synced is replaced in the same way, because its
 * pages may never reach the disk, even if a later sync succeeds.
 *
 * <p>Invariant: the newest replied state of each bucket is its last record in the two segments or,
 * if there is none, its value in the database. So buckets may be written to the database late, but
 * only in states that are recorded here; and a segment is begun anew only after each of its buckets
 * has been written to the database and synced.
 *
 * <p>Safe for concurrent use.
 */
final class Journal {
  private static final String FIRST = "exact-1.journal";
  private static final String SECOND = "exact-2.journal";

  /** More than there are threads that have seen room and haven't appended yet. */
  private static final int MAX_RESERVED = 4_096;

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
    this.reserved = Math.min(MAX_RESERVED, half / 2);
  }

  /**
   * Opens a journal that the database doesn't know of. Empty if there is none, or if its process
   * ended while making it, so that nothing was ever appended.
   *
   * @throws IOException if it can't be read or written
   * @throws DamagedJournalException if another file is in its place
   */
  static Optional<Journal> openUnnoted(Path directory, DiskSync disk) throws IOException {
    boolean isMade = true;
    for (String name : List.of(FIRST, SECOND)) {
      Path file = directory.resolve(name);
      if (JournalSegment.isBlank(file)) {
        isMade = false;
      } else if (!JournalSegment.isBegun(file)) {
        throw new DamagedJournalException(name + " isn't a journal of this version");
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
   * Makes a journal and begins it, replacing one that was never used.
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
   * Reads the records of an earlier process, oldest first.
   *
   * @return how many records a power cut has lost
   * @throws DamagedJournalException if a synced record can't be read
   */
  synchronized int read(JournalSegment.Visitor visitor) throws RocksDBException {
    return other.read(visitor) + active.read(visitor); // open put the later one into active
  }

  /**
   * Begins anew, after all its buckets were written to the database and synced.
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

  /**
   * Returns whether there is room for a record, with a reserve for threads that ask at the same
   * time.
   */
  boolean hasRoom() {
    return left > reserved;
  }

  /** Returns whether it is half full, so that it is time to {@link #turn}. */
  boolean isFilling() {
    return left <= half;
  }

  /**
   * Adds a record.
   *
   * @param state up to 31 bytes
   * @return whether this record has made it {@linkplain #isFilling half full}
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

  /** Returns whether the active segment couldn't be synced, so that it must be replaced. */
  synchronized boolean isSpoiled() {
    return active.isSpoiled();
  }

  /**
   * Switches to the other segment, if that is {@linkplain #prepare prepared}.
   *
   * @return whether it has switched; if so, all changed buckets have to be written to the database
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
   * Begins the other segment anew, after all its buckets were written to the database and synced.
   * Don't call it during {@link #sync}.
   *
   * @throws UncheckedIOException if its head can't be synced; try again
   */
  void prepare() {
    JournalSegment next;
    long number;
    synchronized (this) {
      if (isReady || isClosed) {
        return;
      }
      next = other; // not used elsewhere until it is ready
      number = Math.max(active.number(), other.number()) + 1;
    }
    next.begin(number);
    synchronized (this) {
      isReady = true;
    }
  }

  /**
   * Syncs it to the disk. One thread at a time may call it.
   *
   * @throws UncheckedIOException if that fails, or if an earlier sync failed and its segment hasn't
   *     been replaced yet
   */
  void sync() {
    List<JournalSegment> unsynced;
    List<Integer> sizes;
    synchronized (this) {
      if (isSynced) {
        return;
      }
      isSynced = true; // unless a record is appended meanwhile
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
        unsynced.get(i).markSynced(sizes.get(i));
      }
      if (active.isSpoiled() || !isReady && other.isSpoiled()) {
        isSynced = false;
        throw new UncheckedIOException(
            new IOException("a file of the journal couldn't be written, and is being replaced"));
      }
    }
  }

  /** Refuses further records. */
  synchronized void close() {
    isClosed = true;
    left = 0;
  }
}
