package io.weir.internal.rocksdb;

import io.weir.store.BucketArithmetic;
import io.weir.store.BucketFormatException;
import io.weir.store.BucketId;
import io.weir.store.BucketPage;
import io.weir.store.BucketUpdate;
import io.weir.store.Claim;
import io.weir.store.Grant;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/**
 * Executes claims that are written together. Each claim sees the changes of those before it; grants
 * count only after {@link #write}.
 *
 * <p>Used by the writing thread alone.
 */
final class ClaimBatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("io.weir");
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final BucketDatabase database;
  private final BucketKeyEncoder keys;
  private final BucketArithmetic arithmetic;
  private final long now;
  private final WriteBatch changes = new WriteBatch();

  /** The buckets that this batch has read or written, as they are now, by key. */
  private final Map<ByteBuffer, Optional<StoredBucket>> seen = new HashMap<>();

  ClaimBatch(
      BucketDatabase database, BucketKeyEncoder keys, BucketArithmetic arithmetic, long now) {
    this.database = database;
    this.keys = keys;
    this.arithmetic = arithmetic;
    this.now = now;
  }

  /** Executes a claim; empty if this claim can't be executed and others may. */
  Optional<Grant> execute(Claim claim) throws RocksDBException {
    byte[] key = keys.of(claim.bucket());
    Optional<StoredBucket> before;
    byte[] bytes;
    BucketUpdate update;
    try {
      before = find(key);
      bytes = before.map(StoredBucket::bytes).orElse(null);
      update = arithmetic.execute(bytes, claim, now);
    } catch (BucketFormatException | DatabaseException unreadable) {
      if (WARNED.compareAndSet(false, true)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "a bucket can't be read, so its requests are decided as if the store couldn't be"
                + " reached (logged once): "
                + unreadable.getMessage());
      }
      return Optional.empty();
    } catch (IllegalArgumentException windowTooShort) {
      return Optional.empty();
    }
    if (update.isChanged() || before.isPresent() && bytes == null) {
      put(key, before, update.bytes(), update.expiresAt());
    }
    return Optional.of(update.grant());
  }

  /** Deletes a bucket, which is full again then. */
  void forget(BucketId bucket) throws RocksDBException {
    byte[] key = keys.of(bucket);
    remove(key, find(key), null);
    seen.put(ByteBuffer.wrap(key), Optional.empty());
  }

  /** Scans what earlier batches have written. */
  BucketPage scan(BucketPageReader scan) {
    return scan.run(database, keys, arithmetic, now);
  }

  private Optional<StoredBucket> find(byte[] key) {
    ByteBuffer wrapped = ByteBuffer.wrap(key);
    Optional<StoredBucket> known = seen.get(wrapped);
    if (known == null) {
      known = database.find(key, now);
      seen.put(wrapped, known);
    }
    return known;
  }

  private void put(
      byte[] key, Optional<StoredBucket> before, byte @Nullable [] bytes, long expiresAt)
      throws RocksDBException {
    if (bytes == null) {
      remove(key, before, null);
      seen.put(ByteBuffer.wrap(key), Optional.empty());
      return;
    }
    BucketGeneration generation =
        database.generation(
            before.map(StoredBucket::generation).orElse(null), expiresAt - now, now);
    remove(key, before, generation);
    changes.put(generation.family(), key, StoredBucket.write(bytes, expiresAt));
    generation.markWritten();
    seen.put(ByteBuffer.wrap(key), Optional.of(new StoredBucket(generation, bytes, expiresAt)));
  }

  private void remove(byte[] key, Optional<StoredBucket> before, @Nullable BucketGeneration except)
      throws RocksDBException {
    if (before.isPresent() && before.get().generation() != except) {
      changes.delete(before.get().generation().family(), key);
    }
  }

  /** Returns the time at which the batch is executed, in microseconds. */
  long now() {
    return now;
  }

  void write() throws RocksDBException {
    if (changes.count() > 0) {
      keys.writeNew(database.specs(), changes);
      database.write(changes);
      keys.markStored();
    }
  }

  @Override
  public void close() {
    changes.close();
  }
}
