package io.weir.guard;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.RateLimiters;
import io.weir.policy.PolicyCatalog;
import io.weir.settings.LiveSettings;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A switch is thrown within ten seconds: how often settings are read, without waiting for it. */
class RereadTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir Path directory;

  /** Remembers what is to run and how often, and runs it only when it is told. */
  private static final class Recording extends ScheduledThreadPoolExecutor {
    private Runnable task = () -> {};
    private Duration longest = Duration.ofDays(1);

    Recording() {
      super(1);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(
        Runnable command, long initialDelay, long delay, TimeUnit unit) {
      task = command;
      longest = Duration.of(Math.max(initialDelay, delay), unit.toChronoUnit());
      return schedule(() -> {}, 1, TimeUnit.DAYS);
    }
  }

  @Test
  void aChangeOfTheFileIsInForceWithinTenSeconds() throws IOException {
    Path file = Files.writeString(directory.resolve("weir.properties"), "weir.enabled=true\n");
    ClassLoader loader = getClass().getClassLoader();
    Recording scheduler = new Recording();
    LiveSettings settings = LiveSettings.load(loader, Map.of("weir.config", file.toString()));
    WeirParts parts =
        new WeirParts(
            settings,
            RateLimiters.inProcess(),
            FoundParts.of(Weir.builder(), loader),
            new PolicyCatalog(settings, Set.of()),
            new FakeTicker(),
            scheduler);
    try {
      assertTrue(parts.setup().enabled());
      Files.writeString(file, "weir.enabled=false\n");
      Duration waited = Duration.ZERO;
      while (parts.setup().enabled() && waited.compareTo(LIMIT) <= 0) {
        waited = waited.plus(scheduler.longest);
        scheduler.task.run();
      }
      assertFalse(parts.setup().enabled());
      assertTrue(waited.compareTo(LIMIT) <= 0, "after " + waited);
    } finally {
      parts.close();
    }
  }
}
