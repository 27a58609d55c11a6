package io.weir.internal.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.StepRefillRequest;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Nodes of other versions use the same keys, and their scripts the same values. If a script
 * changes, what it writes must stay readable for the one before.
 */
class WireFormatTest {
  private static final BucketSpec HELLO =
      BucketSpec.builder("Hello.hello")
          .algorithm(Algorithm.SLIDING_WINDOW)
          .window(Duration.ofSeconds(60))
          .build();

  private final BucketKeyEncoder keys = new BucketKeyEncoder("weir", "a secret");

  private static String text(byte[] bytes) {
    return new String(bytes, US_ASCII);
  }

  @Test
  void keysOfBuckets() {
    assertEquals(
        "weir:{r8Qrq-KGNWkXqZk6DXIdJQ}:Hello.hello",
        text(keys.of(new BucketId(HELLO, Key.user("alice")))));
    assertEquals(
        "weir:{Q04k0ezhiMvGKB4O6apPoA}:reduce*",
        text(
            keys.of(
                StepRefillRequest.builder("any".getBytes(US_ASCII), 10, 1_000).build().bucket())));
  }

  @Test
  void scripts() {
    Map<String, String> digests = new TreeMap<>();
    Scripts scripts = new Scripts();
    for (BucketScript each : BucketScript.values()) {
      digests.put(each.name(), text(scripts.of(each).sha()).substring(0, 8));
    }
    for (String each :
        new String[] {
          "epoch",
          "forget",
          "heartbeat",
          "leave",
          "mark",
          "neighbours",
          "reduce",
          "throttle",
          "zones"
        }) {
      digests.put(each, text(RedisScript.read(each + ".lua").sha()).substring(0, 8));
    }
    assertEquals(
        "{ATTEMPTS=80ca1d8f, CALENDAR=7c26962e, FIXED=b9159cf8, LEVEL=2446e355, REFILL=788a05d4,"
            + " SLIDING=18e00b39, epoch=4fbc5395, forget=fb6c02a2, heartbeat=4da9184d,"
            + " leave=20644fec, mark=28d86ee9, neighbours=147952cd, reduce=6bd6d8fe,"
            + " throttle=a1984733, zones=4238266c}",
        digests.toString());
  }
}
