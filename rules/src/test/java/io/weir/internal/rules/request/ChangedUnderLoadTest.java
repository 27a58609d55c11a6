package io.weir.internal.rules.request;

import static io.weir.internal.rules.request.RuleRequests.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.Algorithm;
import io.weir.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Limits raised and lowered while threads are at them; the time stands still, so sums are exact.
 */
class ChangedUnderLoadTest {
  private static final String POSTS = "/api/posts";
  private static final int THREADS = 3;

  private final RuleRequests app = new RuleRequests();
  private final AtomicInteger admitted = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Future<?>> running = new ArrayList<>();
  private volatile boolean stop;

  @AfterEach
  void close() throws Exception {
    stop = true;
    threads.shutdown();
    assertTrue(threads.awaitTermination(1, TimeUnit.MINUTES));
    app.close();
  }

  private void load() {
    for (int i = 0; i < THREADS; i++) {
      running.add(
          threads.submit(
              () -> {
                while (!stop) {
                  if (app.send(get(POSTS, "bob")).isAdmitted()) {
                    admitted.incrementAndGet();
                  }
                  sent.incrementAndGet();
                }
              }));
    }
  }

  /** So many are admitted in all, and no more. */
  private void assertAdmitted(int expected, String when) throws InterruptedException {
    for (int i = 0; admitted.get() < expected; i++) {
      assertTrue(i < 60_000, () -> when + " only " + admitted);
      Thread.sleep(1);
    }
    settle();
    assertEquals(expected, admitted.get(), when);
  }

  /** Lets requests come that began after now. */
  private void settle() throws InterruptedException {
    int enough = sent.get() + 500;
    for (int i = 0; sent.get() < enough; i++) {
      assertTrue(i < 60_000, "no load");
      Thread.sleep(1);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Algorithm.class, mode = EnumSource.Mode.EXCLUDE, names = "LEAKY_BUCKET")
  void existingBucketsTakeAChangedLimitAtOnce(Algorithm algorithm) throws Exception {
    Rule posts =
        Rule.builder("free", POSTS).row(7, 1).algorithm(algorithm).name("posts").limit(100).build();
    app.rule(posts).start();
    load();
    assertAdmitted(100, "at first");
    app.rule(posts.toBuilder().limit(300).build()).apply();
    assertAdmitted(300, "raised");
    app.rule(posts.toBuilder().limit(50).build()).apply();
    assertAdmitted(300, "lowered");
    stop = true;
    for (Future<?> each : running) {
      each.get(1, TimeUnit.MINUTES);
    }
  }

  @Test
  void aRequestSeesTheOldRulesOrTheNewOnesAndNeverNone() throws Exception {
    app.rule("free", POSTS, 1).start();
    app.send(get(POSTS, "bob"));
    load();
    for (int i = 0; i < 50; i++) {
      app.apply();
      settleBriefly();
    }
    assertEquals(0, admitted.get());
  }

  private void settleBriefly() throws InterruptedException {
    int enough = sent.get() + 10;
    for (int i = 0; sent.get() < enough; i++) {
      assertTrue(i < 60_000, "no load");
      Thread.sleep(1);
    }
  }
}
