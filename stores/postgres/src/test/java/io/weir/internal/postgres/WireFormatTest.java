package io.weir.internal.postgres;

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

/** Nodes of other versions know rows by these keys. A change needs another format of the table. */
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
  void keysOfBuckets() {
    assertEquals("01772f6fa08e8b26b9", hex(keys.prefix(HELLO)));
    assertEquals(
        "01772f6fa08e8b26b9afc42babe286356917a9993a0d721d25",
        hex(keys.of(new BucketId(HELLO, Key.user("alice")))));
    assertEquals(
        "02434e24d1ece188cbc6281e0ee9aa4fa0",
        hex(
            keys.of(
                StepRefillRequest.builder("any".getBytes(US_ASCII), 10, 1_000).build().bucket())));
  }

  @Test
  void keysOfTheStoreItself() {
    assertEquals("006d656d62657273", hex(NodeRegistry.COUNT));
    assertEquals(
        "0065706f63682e626561747300000000000000010000000000000002",
        hex(BucketKeyEncoder.ofBeat(1, 2)));
  }
}
