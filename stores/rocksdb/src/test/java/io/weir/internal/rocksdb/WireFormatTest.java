package io.weir.internal.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketHasher;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.StepRefillRequest;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Other versions read the same files. */
class WireFormatTest {
  private static final BucketSpec HELLO =
      BucketSpec.builder("Hello.hello")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .window(Duration.ofSeconds(60))
          .build();

  private final BucketKeyEncoder keys = new BucketKeyEncoder(BucketHasher.of("a secret"));

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  @Test
  void keysAndValues() {
    assertEquals(
        "00000001afc42babe286356917a9993a0d721d25",
        hex(keys.of(new BucketId(HELLO, Key.user("alice")))));
    assertEquals(
        "00000000434e24d1ece188cbc6281e0ee9aa4fa0",
        hex(
            keys.of(
                StepRefillRequest.builder("any".getBytes(US_ASCII), 10, 1_000).build().bucket())));
    assertEquals(
        "006b49d2010708", hex(StoredBucket.write(new byte[] {7, 8}, 1_800_000_000_000_001L)));
  }
}
