package io.weir.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.RateLimiter;
import io.weir.internal.inprocess.InProcessStore;
import io.weir.internal.load.InFlightCounter;
import io.weir.internal.policy.PolicyCatalog;
import io.weir.internal.settings.LiveSettings;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A switch is thrown within ten seconds: how often settings are read, without waiting for it. */
class RereadTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir Path directory;

  /** Remembers scheduled tasks and their intervals, and runs them only on request. */
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

  /** A task that fails, whose report fails too: a scheduler would drop it for good. */
  @Test
  void aLoggerThatThrowsEndsNoTask() {
    Recording scheduler = new Recording();
    int[] runs = {0};
    Handler broken =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            throw new IllegalStateException("the disk is full");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.weir");
    logger.addHandler(broken);
    try (MaintenanceTasks tasks =
        new MaintenanceTasks(scheduler, () -> runs[0]++)
            .add(
                () -> {
                  runs[0]++;
                  throw new IllegalStateException("a task that fails");
                })) {
      tasks.start();
      scheduler.task.run();
      scheduler.task.run();
      assertEquals(4, runs[0]);
    } finally {
      logger.removeHandler(broken);
    }
  }

  @Test
  void aBlockOfProxiesThatIsTooWideIsWarnedOfOnceHoweverOftenSettingsAreRead() throws IOException {
    Path file =
        Files.writeString(directory.resolve("weir.properties"), "weir.proxy.trusted=10.0.0.0/7\n");
    try (LogLines log = new LogLines();
        WeirRuntime weir =
            new DefaultWeirBuilder().settings(Map.of("weir.config", file.toString())).build()) {
      Files.writeString(file, "weir.proxy.trusted=10.0.0.0/7\nweir.headers=none\n");
      weir.refresh();
      assertEquals(1, log.containing("the entry '10.0.0.0/7'").size());
    }
  }

  @Test
  void aPlaceOfTheApplicationIsReadAgain() {
    Map<String, String> own = new ConcurrentHashMap<>(Map.of("weir.headers", "ietf"));
    try (LogLines log = new LogLines();
        WeirRuntime weir = new DefaultWeirBuilder().liveSettings(() -> Map.copyOf(own)).build()) {
      assertEquals("ietf", weir.setting("weir.headers"));
      own.put("weir.headers", "none");
      weir.refresh();
      assertEquals("none", weir.setting("weir.headers"));
      own.put("weir.headers", "some");
      weir.refresh();
      assertEquals("none", weir.setting("weir.headers"), "refused as a whole");
      assertEquals(1, log.containing("live settings").size());
    }
  }

  @Test
  void aChangeOfTheFileIsInForceWithinTenSeconds() throws IOException {
    Path file = Files.writeString(directory.resolve("weir.properties"), "weir.enabled=true\n");
    Recording scheduler = new Recording();
    LiveSettings settings = settings(file);
    WeirRuntime services = services(settings, scheduler);
    try {
      assertTrue(services.requests().options().enabled());
      Files.writeString(file, "weir.enabled=false\n");
      Duration waited = Duration.ZERO;
      while (services.requests().options().enabled() && waited.compareTo(LIMIT) <= 0) {
        waited = waited.plus(scheduler.longest);
        scheduler.task.run();
      }
      assertFalse(services.requests().options().enabled());
      assertTrue(waited.compareTo(LIMIT) <= 0, "after " + waited);
    } finally {
      services.close();
    }
  }

  /** An executor drops for good what throws once. */
  @Test
  void anErrorEndsNoSwitch() throws IOException {
    Path file = Files.writeString(directory.resolve("weir.properties"), "weir.enabled=true\n");
    Recording scheduler = new Recording();
    LiveSettings settings = settings(file);
    AtomicBoolean broken = new AtomicBoolean();
    settings.follow(
        next -> {
          if (broken.get()) {
            throw new StackOverflowError("on purpose");
          }
          return () -> {};
        });
    WeirRuntime services = services(settings, scheduler);
    try (LogLines log = new LogLines()) {
      broken.set(true);
      Files.writeString(file, "weir.enabled=false\n");
      for (int i = 0; i < 4; i++) {
        scheduler.task.run();
      }
      assertTrue(services.requests().options().enabled());
      assertEquals(1, log.containing("StackOverflowError").size());
      broken.set(false);
      scheduler.task.run();
      assertFalse(services.requests().options().enabled());
    } finally {
      services.close();
    }
  }

  private static LiveSettings settings(Path file) {
    return LiveSettings.load(
        RereadTest.class.getClassLoader(), Map.of("weir.config", file.toString()));
  }

  private static WeirRuntime services(LiveSettings settings, Recording scheduler) {
    return new WeirRuntime(
        settings,
        RateLimiter.inProcess(),
        new InProcessStore(new FakeTicker(), 1),
        "inprocess:",
        ReportedRegions.NONE,
        ApplicationExtensions.of(
            new GivenExtensions(), RereadTest.class.getClassLoader(), name -> ""),
        new PolicyCatalog(settings, Set.of()),
        new FakeTicker(),
        new InFlightCounter(),
        new MaintenanceTasks(scheduler, () -> {}),
        RereadTest.class.getClassLoader());
  }
}
