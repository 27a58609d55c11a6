package io.weir.internal.rocksdb;

import io.weir.Ticker;
import io.weir.store.ExactBuckets;
import io.weir.store.StepRefillRequest;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;

/**
 * A process that takes tokens in some threads until it is killed, and notes after each reply how
 * many it was given, where that survives.
 */
final class ExactSpender {
  static final int BUCKETS = 400;
  static final int THREADS = 3;
  static final long TOKENS = 100_000_000;

  private static final int BUSY = 10;
  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private ExactSpender() {}

  /** Begins to spend; the directory of the store, the file of notes, a seed. */
  public static void main(String[] args) throws IOException {
    ByteBuffer notes = notes(Path.of(args[1]));
    RocksDbStore store = Opened.tight(Path.of(args[0]), Ticker.system());
    for (int i = 0; i < THREADS; i++) {
      Random random = new Random(Long.parseLong(args[2]) + i);
      new Thread(() -> spend(store.exactBuckets().orElseThrow(), notes, random)).start();
    }
  }

  private static void spend(ExactBuckets buckets, ByteBuffer notes, Random random) {
    while (true) {
      int bucket = random.nextInt(random.nextBoolean() ? BUSY : BUCKETS);
      buckets.execute(request(bucket, 1)).toCompletableFuture().join();
      LONGS.getAndAdd(notes, bucket * Long.BYTES, 1L);
    }
  }

  static StepRefillRequest request(int bucket, long take) {
    byte[] name = ("bucket " + bucket).getBytes(StandardCharsets.UTF_8);
    return StepRefillRequest.builder(name, TOKENS, 86_400_000).take(take).build();
  }

  /** The tokens granted, by bucket. */
  static ByteBuffer notes(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) BUCKETS * Long.BYTES);
    }
  }

  static long noted(ByteBuffer notes, int bucket) {
    return (long) LONGS.getVolatile(notes, bucket * Long.BYTES);
  }
}
