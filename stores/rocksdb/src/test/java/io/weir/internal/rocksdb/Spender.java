package io.weir.internal.rocksdb;

import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import java.nio.file.Path;
import java.time.Duration;

/** A process that takes one permit after the other, and says each one that it was granted. */
final class Spender {
  static final long LIMIT = 1_000_000;

  private Spender() {}

  public static void main(String[] arguments) {
    try (RocksDbStore store = Opened.store(Path.of(arguments[0]), Ticker.system())) {
      for (long taken = 0; taken < LIMIT; taken++) {
        String caller = "caller " + taken % 10;
        if (Opened.take(store, bucket(caller), 1, LIMIT) == 1) {
          System.out.println(taken);
        }
      }
    }
  }

  static BucketId bucket(String caller) {
    return Opened.bucket(Algorithm.FIXED_WINDOW, Duration.ofDays(365), caller);
  }
}
