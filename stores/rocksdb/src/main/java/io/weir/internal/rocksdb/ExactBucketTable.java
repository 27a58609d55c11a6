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
 * Holds the exactly counted buckets of an open database. Recently used ones are in memory, where
 * any thread decides at once; each change is in the {@link Journal} before its reply is used. The
 * writing thread loads the others, and writes changed buckets to the database in small steps.
 *
 * <p>Methods that any thread may call say so; all others belong to the writing thread.
 */
final class ExactBucketTable {
  private static final System.Logger LOG = System.getLogger("io.weir");

  /** The number of buckets that are written or evicted at a time. */
  private static final int SOME = 512;

  private static final int MAX_LOOKS = 8 * SOME;
  private static final int RECOVERED_AT_ONCE = 50_000;

  private final Path directory;
  private final ExactTableSizes sizes;
  private final BucketDatabase database;
  private final BucketKeyEncoder keys;
  private final DiskSync disk;
  private final Runnable filling;
  private final Runnable syncSoon;
  private final ConcurrentHashMap<ExactBucketId, ExactBucket> inMemory = new ConcurrentHashMap<>();

  /** Made with the first bucket, since most applications have none. */
  private volatile @Nullable Journal journal;

  /** All buckets in memory, the next one to evict first. */
  private final ArrayDeque<ExactBucket> line = new ArrayDeque<>();

  /** Buckets still to check for changes that the other segment holds; null if there are none. */
  private @Nullable Iterator<ExactBucket> unsaved;

  /** Whether all of them are in the database, so that the other segment waits only for a sync. */
  private volatile boolean isSaved;

  /** Held while syncing, or while a file of the journal is begun anew. */
  private final Object syncLock = new Object();

  /**
   * Makes an empty table, which must then {@linkplain #recover recover} an earlier journal.
   *
   * @param filling is run by any thread when the writing thread has something to {@link #save}
   * @param syncSoon is run by the writing thread when {@link #sync} is needed ahead of time
   */
  ExactBucketTable(
      Path directory,
      ExactTableSizes sizes,
      BucketDatabase database,
      BucketKeyEncoder keys,
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
   * Writes the journal of an earlier process to the database.
   *
   * @throws DamagedJournalException if it can't be read
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
              + " of the last changes by the Redis protocol: they hadn't been synced before the"
              + " power cut");
    }
  }

  /** Opens the journal of an earlier process; null if there is none. */
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
        recover(changes, each.getKey().array(), each.getValue(), now);
      }
      database.write(changes);
    }
    states.clear();
  }

  /** Writes the whole state of a bucket: what is stored of it isn't needed, even if unreadable. */
  private void recover(WriteBatch changes, byte[] key, byte[] value, long now)
      throws RocksDBException {
    try {
      StoredBucket before = database.find(key, now).orElse(null);
      put(changes, key, value, before == null ? null : before.generation(), now);
    } catch (DatabaseException unreadable) {
      long life = StoredBucket.expiresAt(value) - now;
      database.replace(changes, database.generation(null, life, now), key, value);
    }
  }

  /** Writes a value; it stays in its generation while its life fits there. */
  private BucketGeneration put(
      WriteBatch changes, byte[] key, byte[] value, @Nullable BucketGeneration before, long now)
      throws RocksDBException {
    BucketGeneration stored = before == null || before.isDropped() ? null : before;
    BucketGeneration to = database.generation(stored, StoredBucket.expiresAt(value) - now, now);
    if (stored != null && stored != to) {
      changes.delete(stored.family(), key);
    }
    changes.put(to.family(), key, value);
    to.markWritten();
    return to;
  }

  private Journal createJournal() throws RocksDBException {
    try {
      Journal made = Journal.create(directory, sizes.journalBytes(), disk);
      database.noteJournal();
      return made;
    } catch (IOException | UncheckedIOException refused) {
      throw DatabaseException.of(directory, "can't create its journal: " + refused, refused);
    }
  }

  /**
   * Executes a request if its bucket is in memory. Any thread may call it.
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
   * @throws io.weir.store.BucketFormatException if the stored value can't be read
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

  /** Returns whether there is more to {@link #save}. */
  boolean isSaving() {
    return unsaved != null;
  }

  /**
   * Writes some of the changed buckets to the database if the journal is half full, or one of its
   * files couldn't be synced.
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

  /** Writes the dirty ones. */
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

  /** Evicts some idle buckets if there are too many in memory. */
  void evict(long now) throws RocksDBException {
    int tooMany = line.size() - sizes.inMemory();
    if (tooMany < SOME) {
      return;
    }
    List<ExactBucket> idle = new ArrayList<>(SOME);
    for (int looks = 0; idle.size() < tooMany && looks < MAX_LOOKS; looks++) {
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
        line.add(each); // it was used meanwhile
      }
    }
  }

  /**
   * Syncs database and journal to the disk. Any thread may call it.
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
   * Syncs the database. If it holds all changes of the journal's other file, that file may be
   * filled again.
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

  /** Stops executing requests; their changes are in the journal. Any thread may call it. */
  void stop() {
    Journal open = journal;
    if (open != null) {
      open.close();
    }
  }

  /** Stops, and writes all changed buckets to the database. */
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
