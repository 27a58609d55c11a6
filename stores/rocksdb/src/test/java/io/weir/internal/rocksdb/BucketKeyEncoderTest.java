package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.annotation.Algorithm;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDB;
import org.rocksdb.WriteBatch;

/** Each spec has a number of its own, which is stored with the buckets. */
class BucketKeyEncoderTest {
  private final BucketKeyEncoder keys = new BucketKeyEncoder(BucketHasher.of("secret"));

  private static BucketId hours(int number) {
    return Opened.bucket(Algorithm.FIXED_WINDOW, Duration.ofHours(number), "alice");
  }

  private int number(BucketId bucket) {
    return ByteBuffer.wrap(keys.of(bucket)).getInt();
  }

  private void addStored(int number, BucketId bucket) {
    keys.add(
        ByteBuffer.allocate(Integer.BYTES).putInt(number).array(),
        bucket.spec().toString().getBytes(StandardCharsets.UTF_8));
  }

  private Optional<Integer> prefix(BucketId bucket) {
    return keys.prefix(bucket.spec()).map(each -> ByteBuffer.wrap(each).getInt());
  }

  @Test
  void aNewSpecGetsANumberThatNoStoredOneHas() {
    addStored(7, hours(1));
    addStored(3, hours(2));
    assertEquals(8, number(hours(3)));
    assertEquals(7, number(hours(1)));
    assertEquals(3, number(hours(2)));
    assertEquals(9, number(hours(4)));
  }

  @Test
  void numbersOfAnEarlierDatabaseAreForgotten() throws Exception {
    addStored(7, hours(1));
    assertEquals(8, number(hours(2)));
    keys.clear();
    assertEquals(Optional.empty(), prefix(hours(1)));
    assertEquals(Optional.empty(), prefix(hours(2)));
    assertEquals(0, written(), "that of the earlier one");
    addStored(2, hours(2));
    assertEquals(2, number(hours(2)));
    assertEquals(3, number(hours(1)));
    assertEquals(Optional.of(3), prefix(hours(1)));
  }

  /** Returns how many numbers would be stored now. */
  private int written() throws Exception {
    RocksDB.loadLibrary();
    try (WriteBatch changes = new WriteBatch();
        ColumnFamilyHandle none = null) {
      keys.writeNew(none, changes);
      return changes.count();
    }
  }
}
