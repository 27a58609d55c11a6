package io.weir.internal.rocksdb;

import io.weir.store.ExactArithmetic;
import io.weir.store.ExactBucketId;
import io.weir.store.ExactRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * The exactly counted buckets of an open database. Those that were used last are in memory, where
 * any thread decides at once; what it changes is in the {@link Journal} before it is used. The
 * writing thread reads the others, and writes what was changed to the database, a little at a time.
 *
 * <p>Safe for concurrent use as far as it says so; all else is for the writing thread.
 */
final class ExactBucketTable {
  private static final System.Logger LOG = System.getLogger("io.weir");

  /** How many are written, or evicted, at a time. */
  private static final int SOME = 512;

  private static final int MOST_LOOKS = 8 * SOME;
  private static final int RECOVERED_AT_ONCE = 50_000;

  private final Path directory;
  private final ExactSizes sizes;
  private final BucketDatabase database;
  private final BucketKeys keys;
  private final DiskSync disk;
  private final Runnable filling;
  private final Runnable syncSoon;
  private final ConcurrentHashMap<ExactBucketId, ExactBucket> inMemory = new ConcurrentHashMap<>();

  /** Made with the first bucket: most applications have none. */
  private volatile @Nullable Journal journal;

  /** All that are in memory, the next ones to be evicted first. */
  private final ArrayDeque<ExactBucket> line = new ArrayDeque<>();

  /** The buckets that were changed in the other segment may be among these; null: none were. */
  private @Nullable Iterator<ExactBucket> unsaved;

  /** Whether all of these are in the database, and the other segment waits for its next sync. */
  private volatile boolean isSaved;

  /** Held by whoever syncs, or begins a file of the journal anew. */
  private final Object syncLock = new Object();

  /**
   * The buckets of a database. They must be {@linkplain #recover recovered}.
   *
   * @param filling is run by any thread when the writing thread has something to {@link #save}
   * @param syncSoon is run by the writing thread when {@link #sync} is needed ahead of time
   */
  ExactBucketTable(
      Path directory,
      ExactSizes sizes,
      BucketDatabase database,
      BucketKeys keys,
      DiskSync disk,
      Runnable filling,
      Runnable syncSoon) {
    this.directory = directory;
    this.sizes = sizes;
    this.database = database;
    this.keys = keys;
    this.disk = disk;
    this.filling = filling;
    this.syncSoon = syncSoon;
  }

  /**
   * Writes to the database what an earlier process has left in its journal.
   *
   * @throws DamagedJournalException if that can't be read
   */
  void recover(long now) throws RocksDBException {
    Journal found = earlierJournal();
    if (found == null) {
      return;
    }
    Map<ByteBuffer, byte[]> states = new HashMap<>();
    int lost =
        found.read(
            (key, expiresAt, bytes) -> {
              states.put(ByteBuffer.wrap(key), StoredBucket.write(bytes, expiresAt));
              if (states.size() == RECOVERED_AT_ONCE) {
                write(states, now);
              }
            });
    write(states, now);
    database.noteJournal();
    found.begin();
    journal = found;
    if (lost > 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the RocksDB in "
              + directory
              + " has lost "
              + lost
              + " of the last changes by the Redis protocol: they hadn't been synced when the"
              + " power went");
    }
  }

  /** The journal that an earlier process has left; null if there is none. */
  private @Nullable Journal earlierJournal() {
    try {
      return database.hasJournal()
          ? Journal.open(directory, disk)
          : Journal.openUnnoted(directory, disk).orElse(null);
    } catch (IOException unreadable) {
      throw DatabaseException.of(directory, "can't open its journal: " + unreadable, unreadable);
    }
  }

  private void write(Map<ByteBuffer, byte[]> states, long now) throws RocksDBException {
    try (WriteBatch changes = new WriteBatch()) {
      for (Map.Entry<ByteBuffer, byte[]> each : states.entrySet()) {
        byte[] key = each.getKey().array();
        StoredBucket before = database.find(key, now).orElse(null);
        put(changes, key, each.getValue(), before == null ? null : before.generation(), now);
      }
      database.write(changes);
    }
    states.clear();
  }

  /** Writes a value; it needn't move while the generation that it is in has room for its life. */
  private Generation put(
      WriteBatch changes, byte[] key, byte[] value, @Nullable Generation before, long now)
      throws RocksDBException {
    Generation stored = before == null || before.isDropped() ? null : before;
    Generation to = database.generation(stored, StoredBucket.expiresAt(value) - now, now);
    if (stored != null && stored != to) {
      changes.delete(stored.family(), key);
    }
    changes.put(to.family(), key, value);
    to.wasWritten();
    return to;
  }

  private Journal createJournal() throws RocksDBException {
    try {
      Journal made = Journal.create(directory, sizes.journalBytes(), disk);
      database.noteJournal();
      return made;
    } catch (IOException | UncheckedIOException refused) {
      throw DatabaseException.of(directory, "can't be given a journal: " + refused, refused);
    }
  }

  /**
   * Executes a request if its bucket is in memory. By any thread.
   *
   * @return the reply, which counts; null if the writing thread has to execute it
   * @throws IllegalStateException if this was closed
   */
  <R> @Nullable R tryExecute(ExactRequest<R> request, long now) {
    Journal open = journal;
    ExactBucket bucket = inMemory.get(request.bucket());
    return open == null || bucket == null || !open.hasRoom()
        ? null
        : bucket.execute(request, now, open, filling);
  }

  /**
   * Executes a request.
   *
   * @throws io.weir.store.BucketFormatException if what is stored can't be read
   * @throws DatabaseException if the journal can't be made
   */
  <R> R execute(ExactRequest<R> request, long now) throws RocksDBException {
    Journal open = journalWithRoom(now);
    ExactBucket bucket = inMemory.get(request.bucket());
    if (bucket == null) {
      bucket = stored(request.bucket(), now);
      inMemory.put(request.bucket(), bucket);
      line.add(bucket);
    }
    // Only this thread evicts.
    return Objects.requireNonNull(bucket.execute(request, now, open, filling));
  }

  private ExactBucket stored(ExactBucketId id, long now) {
    byte[] key = keys.of(id);
    StoredBucket found = database.find(key, now).orElse(null);
    if (found == null) {
      return new ExactBucket(id, key, ExactArithmetic.fresh(id), null, 0);
    }
    byte[] bytes = found.bytes();
    return bytes == null
        ? new ExactBucket(id, key, ExactArithmetic.fresh(id), found.generation(), 0)
        : new ExactBucket(
            id, key, ExactArithmetic.read(id, bytes), found.generation(), found.expiresAt());
  }

  private Journal journalWithRoom(long now) throws RocksDBException {
    Journal open = journal;
    if (open == null) {
      open = createJournal();
      journal = open;
    }
    while (!open.hasRoom()) {
      save(now);
      if (unsaved == null && !open.hasRoom()) {
        syncDatabase(open);
      }
    }
    return open;
  }

  /** Whether there is more to {@link #save}. */
  boolean isSaving() {
    return unsaved != null;
  }

  /**
   * Writes some of the changed buckets to the database, if the journal begins to be full, or a file
   * of it couldn't be synced.
   */
  void save(long now) throws RocksDBException {
    Journal open = journal;
    if (open != null && unsaved == null && (open.isFilling() || open.isSpoiled()) && open.turn()) {
      unsaved = inMemory.values().iterator();
    }
    Iterator<ExactBucket> rest = unsaved;
    if (rest != null) {
      List<ExactBucket> some = new ArrayList<>(SOME);
      while (rest.hasNext() && some.size() < SOME) {
        some.add(rest.next());
      }
      write(some, now);
      if (!rest.hasNext()) {
        unsaved = null;
        isSaved = true;
        syncSoon.run();
      }
    }
  }

  /** Writes those that are dirty. */
  private void write(Collection<ExactBucket> buckets, long now) throws RocksDBException {
    try (WriteBatch changes = new WriteBatch()) {
      for (ExactBucket each : buckets) {
        byte[] value = each.takeDirty();
        if (value != null) {
          each.storedIn(put(changes, each.key(), value, each.generation(), now));
        }
      }
      if (changes.count() > 0) {
        database.write(changes);
      }
    }
  }

  /** Evicts some of those that nobody uses, if there are too many. */
  void evict(long now) throws RocksDBException {
    int tooMany = line.size() - sizes.inMemory();
    if (tooMany < SOME) {
      return;
    }
    List<ExactBucket> idle = new ArrayList<>(SOME);
    for (int looks = 0; idle.size() < tooMany && looks < MOST_LOOKS; looks++) {
      ExactBucket next = line.remove();
      if (next.isIdle() || tooMany > sizes.inMemory()) {
        idle.add(next);
      } else {
        line.add(next);
      }
    }
    write(idle, now);
    for (ExactBucket each : idle) {
      if (each.evict()) {
        inMemory.remove(each.id());
      } else {
        line.add(each); // somebody has just used it
      }
    }
  }

  /**
   * Has the system write database and journal to the disk. By any thread.
   *
   * @throws DatabaseException if the journal can't be synced; its file is going to be replaced
   */
  void sync() throws RocksDBException {
    synchronized (syncLock) {
      Journal open = journal;
      if (open == null) {
        database.sync();
        return;
      }
      syncDatabase(open);
      try {
        open.sync();
      } catch (UncheckedIOException | InternalError failed) {
        throw DatabaseException.of(directory, "can't sync its journal: " + failed, failed);
      }
    }
  }

  /**
   * Syncs the database. If all that was changed in the journal's other file is there, that file may
   * be filled again.
   */
  private void syncDatabase(Journal open) throws RocksDBException {
    synchronized (syncLock) {
      boolean wasSaved = isSaved;
      database.sync();
      if (wasSaved) {
        isSaved = false; // before the journal may turn, which makes it true again
        try {
          open.prepare();
        } catch (UncheckedIOException | InternalError failed) {
          isSaved = true;
          throw DatabaseException.of(directory, "can't sync its journal: " + failed, failed);
        }
      }
    }
  }

  /** Executes nothing any more; what was changed is in the journal. By any thread. */
  void stop() {
    Journal open = journal;
    if (open != null) {
      open.close();
    }
  }

  /** Stops, and writes all that was changed to the database. */
  void close(long now) throws RocksDBException {
    stop();
    Journal open = journal;
    if (open != null) {
      synchronized (syncLock) {
        write(inMemory.values(), now);
        database.sync();
        open.begin();
      }
    }
  }
}
