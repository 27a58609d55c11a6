package io.weir.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.weir.Key;
import io.weir.Policy;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests how many bytes a claim takes once its code is compiled, which the JVM of tests doesn't do
 * far enough. One is made for each request that asks the store.
 */
class ClaimAllocationTest {
  /** Suffices for a claim, but not for a builder as well. */
  private static final double MAX_BYTES = 120;

  @Test
  void compiledCodeAllocatesAClaimButNoBuilder() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xbatch", // compiles before it goes on, so that compiled code is counted
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Claims.class.getName())
            .redirectErrorStream(true)
            .start();
    try (InputStream output = process.getInputStream()) {
      String said = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
      assertEquals(0, process.waitFor(), said);
      double bytes = Double.parseDouble(said.substring(said.lastIndexOf('\n') + 1));
      assertTrue(bytes <= MAX_BYTES, said);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Another JVM, which compiles as that of an application. */
  static final class Claims {
    private static final int COUNT = 50_000;

    @SuppressWarnings("unused") // keeps claims from being optimized away
    private static volatile Claim last = claim(bucket(), 0);

    private Claims() {}

    public static void main(String[] args) {
      BucketId bucket = bucket();
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long thread = Thread.currentThread().getId();
      long before = 0;
      for (int round = 0; round < 3; round++) {
        before = threads.getThreadAllocatedBytes(thread);
        for (int i = 0; i < COUNT; i++) {
          last = claim(bucket, i);
        }
      }
      System.out.println((threads.getThreadAllocatedBytes(thread) - before) / (double) COUNT);
    }

    private static BucketId bucket() {
      Policy policy = Policy.builder("api").limit(100).window(Duration.ofMinutes(1)).build();
      return new BucketId(policy.spec(), Key.user("ann"));
    }

    /** Sets what a node sets for a request. */
    private static Claim claim(BucketId bucket, long number) {
      return Claim.builder(bucket, 100, 100)
          .needed(1 + number % 3)
          .atLeast(1)
          .extra(number % 7)
          .far(number % 5)
          .giveBacks(List.of())
          .debt(0)
          .lostDebt(0)
          .refusedAt(0)
          .clearBefore(0)
          .usedAtLeast(0)
          .build();
    }
  }
}
