package io.weir.compat.example;

import io.weir.Ticker;
import io.weir.testkit.FakeTicker;
import java.net.URI;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Starts an example once for a class of tests. Each test begins at a midnight. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ExampleServer {
  private static final long DAY = Duration.ofDays(1).toSeconds() * 1_000_000;

  private final FakeTicker ticker = new FakeTicker();
  private final Map<String, String> rules =
      Map.of(
          "weir.rules",
          "jdbc:h2:mem:" + UUID.randomUUID(),
          "weir.rules.timeout",
          "10s",
          "weir.store.timeout",
          "10s");
  private Started started;

  /**
   * A running example.
   *
   * @param uri its address
   * @param stop stops it
   */
  public record Started(URI uri, AutoCloseable stop) {}

  /**
   * Starts the example on a free port.
   *
   * @param time its clock
   * @param settings override those of the example
   */
  protected abstract Started start(Ticker time, Map<String, String> settings) throws Exception;

  /** Settings besides those that let a test speak for several addresses. */
  Map<String, String> settings() {
    return Map.of();
  }

  @BeforeAll
  void startExample() throws Exception {
    Map<String, String> all = new HashMap<>(rules);
    all.put("weir.proxy.trusted", "127.0.0.1");
    all.putAll(settings());
    started = start(ticker, all);
  }

  @AfterAll
  void stopExample() throws Exception {
    started.stop().close();
  }

  /** Moves to a midnight in another month, so that no limit has counted anything. */
  @BeforeEach
  void forget() {
    long midnight = Math.floorDiv(ticker.epochMicros(), DAY) * DAY + 33 * DAY;
    ticker.advance(Duration.of(midnight - ticker.epochMicros(), ChronoUnit.MICROS));
    api().post("/api/feed/load");
  }

  public Api api() {
    return new Api(started.uri(), ticker);
  }
}
