package io.weir.internal.rocksdb;

import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/**
 * A process that takes a permit for caller after caller. It says how many were granted and why one
 * failed, and tries that one again until it is granted.
 */
final class Filler {
  private Filler() {}

  public static void main(String[] arguments) throws Exception {
    long callers = Long.parseLong(arguments[1]);
    try (RocksDbStore store = Opened.store(Path.of(arguments[0]), Ticker.system())) {
      System.out.println("ready");
      System.in.read(); // the disk is full from here on
      String last = "";
      for (long caller = 0; caller < callers; ) {
        try {
          if (Opened.take(store, bucket(caller), 1, 1) != 1) {
            System.out.println("not granted to " + caller);
          }
          caller++;
          last = "";
        } catch (CompletionException refused) {
          String message = String.valueOf(refused.getCause().getMessage());
          if (!message.equals(last)) {
            System.out.println("failed at " + caller + ": " + message);
            last = message;
          }
          Thread.sleep(100);
        }
      }
    }
    System.out.println("done");
  }

  static BucketId bucket(long caller) {
    return Opened.bucket(Algorithm.FIXED_WINDOW, Duration.ofDays(365), "caller " + caller);
  }
}
