package io.weir.internal.rocksdb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Reads and writes buckets in an open RocksDB: knows its column families, finds buckets, and drops
 * those that have expired.
 *
 * <p>Invariant: a key is in one generation at most. A bucket that is written to another one is
 * deleted where it was by the same write.
 *
 * <p>Failed reads throw {@link DatabaseException}, failed writes {@link RocksDBException}. After a
 * failed read everything else may go on.
 *
 * <p>Used by the writing thread alone, except {@link #sync}.
 */
final class BucketDatabase implements AutoCloseable {
  private static final byte[] SPECS = "specs".getBytes(StandardCharsets.UTF_8);
  private static final byte[] JOURNAL = "exact journal".getBytes(StandardCharsets.UTF_8);

  private final Path directory;
  private final DiskSync disk;
  private final SyncedSequence synced;
  private final DatabaseOptions options;
  private final RocksDB database;
  private final List<ColumnFamilyHandle> handles;
  private final ColumnFamilyHandle specs;

  /** The newest of each lifetime last. */
  private final Map<LifetimeClass, List<BucketGeneration>> generations =
      new EnumMap<>(LifetimeClass.class);

  /** Whether something was written since it was synced. */
  private volatile boolean dirty = true;

  /** Whether a sync of its log failed. Guarded by this. */
  private boolean isSpoiled;

  private BucketDatabase(
      Path directory,
      DiskSync disk,
      SyncedSequence synced,
      DatabaseOptions options,
      RocksDB database,
      List<ColumnFamilyHandle> handles)
      throws RocksDBException {
    this.directory = directory;
    this.disk = disk;
    this.synced = synced;
    this.options = options;
    this.database = database;
    this.handles = handles;
    ColumnFamilyHandle found = null;
    for (ColumnFamilyHandle handle : handles) {
      if (Arrays.equals(handle.getName(), SPECS)) {
        found = handle;
      }
      String name = new String(handle.getName(), StandardCharsets.UTF_8);
      BucketGeneration.of(name, handle, isEmpty(database, handle)).ifPresent(this::add);
    }
    specs =
        found != null
            ? found
            : family(database.createColumnFamily(new ColumnFamilyDescriptor(SPECS)));
    generations.values().forEach(each -> each.sort(BucketGeneration.OLDEST_FIRST));
  }

  /** Looks for a row: RocksDB's estimate is 0 if as many keys were deleted as are left. */
  private static boolean isEmpty(RocksDB database, ColumnFamilyHandle family) {
    try (var rows = database.newIterator(family)) {
      rows.seekToFirst();
      rows.status();
      return !rows.isValid();
    } catch (RocksDBException unreadable) { // claims that need it fail by themselves
      return false;
    }
  }

  private ColumnFamilyHandle family(ColumnFamilyHandle made) {
    handles.add(made);
    return made;
  }

  private void add(BucketGeneration generation) {
    generations.computeIfAbsent(generation.lifetime(), any -> new ArrayList<>()).add(generation);
  }

  /**
   * Opens the database in a directory, which is made if it isn't there.
   *
   * @throws DatabaseException if it can't be opened; nothing of it was changed
   */
  static BucketDatabase open(Path directory, long cacheBytes, DiskSync disk) {
    loadLibrary(directory);
    DatabaseOptions options = new DatabaseOptions(cacheBytes);
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    @Nullable RocksDB database = null;
    try {
      makeDirectory(directory);
      SyncedSequence synced = SyncedSequence.open(directory);
      requireSynced(directory, options, synced.noted());
      database =
          RocksDB.open(
              options.database(), directory.toString(), families(directory, options), handles);
      if (database.getLatestSequenceNumber() < synced.noted()) {
        throw DatabaseException.incomplete(directory);
      }
      return new BucketDatabase(directory, disk, synced, options, database, handles);
    } catch (DatabaseException incomplete) {
      close(options, database, handles);
      throw incomplete;
    } catch (RocksDBException refused) {
      close(options, database, handles);
      throw DatabaseException.of(directory, refused);
    } catch (IOException | RuntimeException | LinkageError failed) {
      close(options, database, handles);
      throw DatabaseException.of(directory, "can't be opened: " + failed, failed);
    }
  }

  /**
   * Reads the log without changing anything, and throws if it ends too early. Opening it to write
   * would throw the rest of a damaged log away.
   */
  private static void requireSynced(Path directory, DatabaseOptions options, long sequence)
      throws RocksDBException {
    if (sequence == 0) {
      return;
    }
    if (!directory.resolve("CURRENT").toFile().exists()) {
      throw DatabaseException.incomplete(directory);
    }
    List<ColumnFamilyHandle> handles = new ArrayList<>();
    try (RocksDB reader =
        RocksDB.openReadOnly(
            options.database(), directory.toString(), families(directory, options), handles)) {
      boolean isIncomplete = reader.getLatestSequenceNumber() < sequence;
      handles.forEach(ColumnFamilyHandle::close);
      if (isIncomplete) {
        throw DatabaseException.incomplete(directory);
      }
    }
  }

  private static void loadLibrary(Path directory) {
    try {
      RocksDB.loadLibrary();
    } catch (RuntimeException | LinkageError failed) {
      throw DatabaseException.of(
          directory,
          "needs its native library, which can't be loaded on this machine; set"
              + " ROCKSDB_SHAREDLIB_DIR to a directory from which programs may be run: "
              + failed,
          failed);
    }
  }

  private static void makeDirectory(Path directory) throws IOException {
    if (Files.isDirectory(directory)) {
      return;
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.createDirectory(directory, OwnerOnlyPermissions.directory(directory));
  }

  private static List<ColumnFamilyDescriptor> families(Path directory, DatabaseOptions options)
      throws RocksDBException {
    List<byte[]> names = new ArrayList<>();
    try (Options listing = new Options()) {
      names.addAll(RocksDB.listColumnFamilies(listing, directory.toString()));
    }
    if (names.isEmpty()) {
      names.add(RocksDB.DEFAULT_COLUMN_FAMILY);
    }
    return names.stream().map(name -> new ColumnFamilyDescriptor(name, options.family())).toList();
  }

  void readSpecs(BucketKeyEncoder keys) throws RocksDBException {
    keys.clear();
    try (var rows = database.newIterator(specs)) {
      for (rows.seekToFirst(); rows.isValid(); rows.next()) {
        keys.add(rows.key(), rows.value());
      }
      rows.status();
    }
  }

  /** Finds a bucket; empty if it isn't stored or has expired. */
  Optional<StoredBucket> find(byte[] key, long now) {
    for (LifetimeClass lifetime : LifetimeClass.values()) {
      for (BucketGeneration each : generations.getOrDefault(lifetime, List.of())) {
        byte[] value = each.isEmpty() ? null : read(each.family(), key);
        if (value != null) {
          return Optional.of(StoredBucket.read(each, value, now));
        }
      }
    }
    return Optional.empty();
  }

  private byte @Nullable [] read(ColumnFamilyHandle family, byte[] key) {
    try {
      return database.get(family, key);
    } catch (RocksDBException unreadable) {
      throw DatabaseException.unreadable(directory, unreadable);
    }
  }

  /** Returns whether exactly counted buckets have a journal, which must then exist. */
  boolean hasJournal() {
    return read(database.getDefaultColumnFamily(), JOURNAL) != null;
  }

  /** Records that exactly counted buckets have a journal from now on, and syncs that. */
  void noteJournal() throws RocksDBException {
    try (WriteBatch changes = new WriteBatch()) {
      changes.put(database.getDefaultColumnFamily(), JOURNAL, new byte[] {1});
      write(changes);
    }
    sync();
  }

  /** Writes a bucket to a generation, wherever it was: what can't be read can be deleted. */
  void replace(WriteBatch changes, BucketGeneration to, byte[] key, byte[] value)
      throws RocksDBException {
    for (List<BucketGeneration> all : generations.values()) {
      for (BucketGeneration each : all) {
        if (each != to) {
          changes.delete(each.family(), key);
        }
      }
    }
    changes.put(to.family(), key, value);
    to.markWritten();
  }

  /** Chooses the generation for a life time. A bucket whose life gets shorter needn't move. */
  BucketGeneration generation(@Nullable BucketGeneration before, long life, long now)
      throws RocksDBException {
    return before != null && before.holds(life, now)
        ? before
        : current(LifetimeClass.of(life), now);
  }

  /** Returns the generation that a bucket of some lifetime is written to now. */
  private BucketGeneration current(LifetimeClass lifetime, long now) throws RocksDBException {
    List<BucketGeneration> all = generations.computeIfAbsent(lifetime, any -> new ArrayList<>());
    if (!all.isEmpty() && all.get(all.size() - 1).takes(now)) {
      return all.get(all.size() - 1);
    }
    byte[] name = BucketGeneration.name(lifetime, now).getBytes(StandardCharsets.UTF_8);
    ColumnFamilyHandle made =
        family(database.createColumnFamily(new ColumnFamilyDescriptor(name, options.family())));
    BucketGeneration generation = new BucketGeneration(lifetime, now, made, true);
    all.add(generation);
    return generation;
  }

  /** Drops the generations in which all buckets have expired, and their files. */
  void dropExpired(long now) throws RocksDBException {
    for (List<BucketGeneration> all : generations.values()) {
      for (BucketGeneration each : List.copyOf(all)) {
        if (each.isExpired(now)) {
          database.dropColumnFamily(each.family());
          each.markDropped();
          all.remove(each);
          handles.remove(each.family());
          each.family().close();
        }
      }
    }
  }

  /**
   * Visits the values of keys in their order, in one generation after another.
   *
   * @param from the first key
   * @param visit is given key and value; false ends this generation
   */
  void visit(byte[] from, BiPredicate<byte[], byte[]> visit) {
    for (List<BucketGeneration> all : generations.values()) {
      for (BucketGeneration each : all) {
        try (var rows = database.newIterator(each.family())) {
          rows.seek(from);
          while (rows.isValid() && visit.test(rows.key(), rows.value())) {
            rows.next();
          }
          rows.status();
        } catch (RocksDBException unreadable) {
          throw DatabaseException.unreadable(directory, unreadable);
        }
      }
    }
  }

  ColumnFamilyHandle specs() {
    return specs;
  }

  /** Writes all changes or none. They survive the end of this process. */
  void write(WriteBatch changes) throws RocksDBException {
    database.write(options.write(), changes);
    dirty = true;
  }

  /** Estimates the number of buckets. */
  long size() throws RocksDBException {
    long sum = 0;
    for (List<BucketGeneration> all : generations.values()) {
      for (BucketGeneration each : all) {
        sum += database.getLongProperty(each.family(), "rocksdb.estimate-num-keys");
      }
    }
    return sum;
  }

  /**
   * Syncs all writes so far to the disk. Any thread may call it while the database is open.
   *
   * @throws RocksDBException if that fails, or failed before: the system may take for written what
   *     it couldn't write, so a later success says nothing until the database is opened again
   */
  synchronized void sync() throws RocksDBException {
    if (isSpoiled) {
      throw new RocksDBException("its log couldn't be synced, and is being rewritten");
    }
    if (!dirty) {
      return;
    }
    dirty = false; // unless something is written meanwhile
    long sequence = database.getLatestSequenceNumber();
    isSpoiled = true;
    disk.log(database);
    isSpoiled = false;
    synced.note(sequence);
  }

  @Override
  public void close() {
    close(options, database, handles);
  }

  private static void close(
      DatabaseOptions options, @Nullable RocksDB database, List<ColumnFamilyHandle> handles) {
    handles.forEach(ColumnFamilyHandle::close);
    if (database != null) {
      database.close();
    }
    options.close();
  }
}
