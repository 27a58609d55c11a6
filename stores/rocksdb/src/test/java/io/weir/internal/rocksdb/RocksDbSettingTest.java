package io.weir.internal.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Decision;
import io.weir.InvalidSettingException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.Weir;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir.store=rocksdb:…}, as an application has it. */
class RocksDbSettingTest {
  private static final Policy DAILY =
      Policy.builder("daily").limit(100).window(Duration.ofDays(1)).build();

  @TempDir private Path home;

  @Test
  void aSettingInTheWrongPlaceStopsTheStart() {
    Map<String, String> given = Map.of("weir.store.rocksdb.sync-ms", "10");
    assertEquals(
        "weir.store.rocksdb.sync-ms = '10' (given): unknown setting; did you mean"
            + " weir.rocksdb.sync-ms?",
        assertThrows(
                InvalidSettingException.class,
                () -> Weir.builder().onlyGivenSettings().settings(given).build())
            .getMessage());
  }

  @Test
  void aLimitSurvivesARestart() {
    String address = "rocksdb:" + home.resolve("data");
    int admitted = 0;
    for (int start = 0; start < 5; start++) {
      try (RateLimiter limiter = open(address)) {
        for (int i = 0; i < 30; i++) {
          Decision decision = limiter.tryAcquire(DAILY, Key.user("alice"));
          assertFalse(decision.degraded());
          admitted += decision.admitted() ? 1 : 0;
        }
      }
    }
    assertEquals(100, admitted);
  }

  @Test
  void aBusyCallerIsAdmittedExactlyItsLimit() throws Exception {
    try (RateLimiter limiter = open("rocksdb:" + home.resolve("data"))) {
      List<Thread> threads = new ArrayList<>();
      LongAdder admitted = new LongAdder();
      Policy busy = Policy.builder("busy").limit(20_000).window(Duration.ofHours(1)).build();
      for (int i = 0; i < 4; i++) {
        Thread thread =
            new Thread(
                () -> {
                  for (int n = 0; n < 10_000; n++) {
                    if (limiter.tryAcquire(busy, Key.user("alice")).admitted()) {
                      admitted.increment();
                    }
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertEquals(20_000, admitted.sum());
    }
  }

  @Test
  void namesADirectoryInAnyOfTheseWays() throws Exception {
    for (String address :
        List.of(
            "rocksdb:" + home + "/one",
            "rocksdb://" + home + "/two",
            "rocksdb:" + home + "/a%20b")) {
      new RocksDbProvider().open(new URI(address), name -> "", Ticker.system()).close();
    }
    for (String name : List.of("one", "two", "a b")) {
      assertTrue(Files.isDirectory(home.resolve(name)), name);
    }
  }

  @Test
  void refusesWhatNamesNone() {
    Map<String, String> wrong =
        Map.of(
            "rocksdb:/", "must name a directory",
            "rocksdb://server/data", "of this machine",
            "rocksdb:data#part", "must name a directory");
    wrong.forEach(
        (address, rule) -> {
          RuntimeException refused =
              assertThrows(
                  IllegalArgumentException.class,
                  () -> new RocksDbProvider().open(new URI(address), name -> "", Ticker.system()));
          assertTrue(refused.getMessage().contains(rule), refused.getMessage());
          assertTrue(refused.getMessage().contains("weir.store"), refused.getMessage());
        });
  }

  @Test
  void readsItsSettings() {
    assertEquals(32, RocksDbSettings.CACHE.read(name -> ""));
    assertEquals(1_000, RocksDbSettings.SYNC.read(name -> ""));
    assertEquals(100, RocksDbSettings.CACHE.read(name -> "100"));
    assertEquals(50, RocksDbSettings.SYNC.read(name -> "50"));
  }

  private static RateLimiter open(String address) {
    return RateLimiter.builder()
        .store(address, name -> "")
        .storeTimeout(Duration.ofSeconds(20)) // however slow the machine is
        .startTimeout(Duration.ofMinutes(1))
        .build();
  }
}
