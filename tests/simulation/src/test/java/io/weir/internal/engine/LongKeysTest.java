package io.weir.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.annotation.By;
import io.weir.internal.key.ClientAddress;
import io.weir.internal.key.KeyReader;
import io.weir.internal.settings.SettingsSnapshot;
import io.weir.testkit.FakeRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The memory of a node depends on the number of callers, not on the length of their keys. */
class LongKeysTest {
  private static final int CALLERS = 6_000;
  private static final String HEAP = "-Xmx28m"; // their keys are nearly twice as much

  @ParameterizedTest
  @ValueSource(strings = {"inprocess", "leases"})
  void callersWithTheLongestKeysDoNotExhaustTheHeap(String store) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                Flood.class.getName(),
                store)
            .redirectErrorStream(true)
            .start();
    try (InputStream output = process.getInputStream()) {
      String said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), said);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Another JVM, whose heap is small. */
  static final class Flood {
    private Flood() {}

    public static void main(String[] args) throws IOException {
      if (args[0].equals("leases")) {
        try (Leasing node = new Leasing()) {
          node.store.atOnce = true;
          flood(node.limiter);
        }
      } else {
        try (RateLimiter limiter = RateLimiter.builder().build()) {
          flood(limiter);
        }
      }
    }

    private static void flood(RateLimiter limiter) {
      Policy policy = Policy.builder("keys").limit(10).window(Duration.ofHours(1)).build();
      ClientAddress addresses = new ClientAddress(SettingsSnapshot.of(Map.of()));
      KeyReader reader =
          KeyReader.of(
              "keys", List.of(By.KEY), List.of("header:X-Api-Key"), Map.of(), () -> addresses);
      for (int i = 0; i < CALLERS; i++) {
        String key = i + "k".repeat(8_000);
        Key read = reader.read(FakeRequest.from("192.0.2.1").header("X-Api-Key", key));
        if (!limiter.tryAcquire(List.of(new PermitRequest(policy, read))).admitted()) {
          throw new IllegalStateException("caller " + i + " was refused");
        }
      }
    }
  }
}
