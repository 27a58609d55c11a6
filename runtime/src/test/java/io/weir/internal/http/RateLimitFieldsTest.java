package io.weir.internal.http;

import static io.weir.internal.http.WireFixture.EPOCH_SECONDS;
import static io.weir.internal.http.WireFixture.admitted;
import static io.weir.internal.http.WireFixture.at;
import static io.weir.internal.http.WireFixture.byName;
import static io.weir.internal.http.WireFixture.policy;
import static io.weir.internal.http.WireFixture.read;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Outcome;
import io.weir.Policy;
import io.weir.Reason;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.internal.permits.DecisionCombiner;
import io.weir.internal.permits.RequestDecision;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitFieldsTest {
  private static final Policy BURST = policy("burst", 100, Duration.ofMinutes(1));
  private static final Policy DAILY = policy("daily", 1000, Duration.ofDays(1));

  @Test
  void spellsTheFieldsAsTheDraftDoes() {
    Map<String, String> fields = write(HeaderDialect.BOTH, admitted(BURST, 50, 30_000_000));
    assertEquals("\"burst\";q=100;w=60", fields.get("RateLimit-Policy"));
    assertEquals("\"burst\";r=50;t=30", fields.get("RateLimit"));
    assertEquals("100", fields.get("X-RateLimit-Limit"));
    assertEquals("50", fields.get("X-RateLimit-Remaining"));
    assertEquals("" + (EPOCH_SECONDS + 30), fields.get("X-RateLimit-Reset"));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-02-10T12:00:00Z, MONTHS, 28",
    "2026-03-10T12:00:00Z, MONTHS, 31",
    "2026-12-31T12:00:00Z, YEARS, 365"
  })
  void tellsTheLengthOfTheWindowThatIsRunning(String time, ChronoUnit unit, long days) {
    Policy policy = Policy.builder("quota").limit(9).window(1, unit).zone("UTC").build();
    Ticker ticker = at(Instant.parse(time).getEpochSecond() * 1_000_000);
    RateLimitFields writer = new RateLimitFields(HeaderDialect.BOTH, ticker);
    Map<String, String> fields = byName(writer.of(admitted(policy, 5, 1_000_000)));
    assertEquals(List.of("quota q=9 w=" + 86_400 * days), policies(fields));
  }

  /** A month and a day with a clock change in Berlin: 31 days less an hour, and 23 hours. */
  @Test
  void theLengthChangesWithTheWindowThoughFieldsAreKept() {
    AtomicLong now = new AtomicLong(Instant.parse("2026-02-28T22:59:59Z").getEpochSecond());
    Ticker ticker =
        new Ticker() {
          @Override
          public long nanoTime() {
            return 0;
          }

          @Override
          public long epochMicros() {
            return now.get() * 1_000_000;
          }
        };
    RateLimitFields writer = new RateLimitFields(HeaderDialect.DRAFT_7, ticker);
    Policy month = byBerlin(ChronoUnit.MONTHS);
    assertEquals("9;w=" + 28 * 86_400, write(writer, month));
    now.incrementAndGet();
    assertEquals("9;w=" + (31 * 86_400 - 3_600), write(writer, month));
    Policy day = byBerlin(ChronoUnit.DAYS);
    now.set(Instant.parse("2026-03-28T22:59:59Z").getEpochSecond());
    assertEquals("9;w=86400", write(writer, day));
    now.incrementAndGet();
    assertEquals("9;w=" + 23 * 3_600, write(writer, day));
  }

  private static Policy byBerlin(ChronoUnit unit) {
    return Policy.builder("quota").limit(9).window(1, unit).zone("Europe/Berlin").build();
  }

  private static String write(RateLimitFields writer, Policy policy) {
    return byName(writer.of(admitted(policy, 5, 1_000_000))).get("RateLimit-Policy");
  }

  @Test
  void theWindowOfARefillIsHowLongItTakesFromEmptyToFull() {
    Policy login =
        Policy.builder("login")
            .limit(10)
            .window(Duration.ofHours(1))
            .algorithm(Algorithm.TOKEN_BUCKET)
            .refill(3)
            .build();
    Map<String, String> fields = write(HeaderDialect.BOTH, admitted(login, 9, 30_000_000));
    assertEquals("\"login\";q=10;w=14400", fields.get("RateLimit-Policy"));
  }

  @Test
  void listsAllPoliciesInOrderAndSpeaksForTheClosest() {
    Decision both =
        DecisionCombiner.of(
            List.of(admitted(DAILY, 100, 5_000_000), admitted(BURST, 50, 1_000_000)));
    Map<String, String> fields = write(HeaderDialect.BOTH, both);
    assertEquals(List.of("daily q=1000 w=86400", "burst q=100 w=60"), policies(fields));
    assertEquals(List.of("daily r=100 t=5"), read(fields.get("RateLimit")));
    assertEquals("1000", fields.get("X-RateLimit-Limit"));
    assertEquals("100", fields.get("X-RateLimit-Remaining"));
    assertEquals("" + (EPOCH_SECONDS + 5), fields.get("X-RateLimit-Reset"));
  }

  @Test
  void showsTheLimitInForceOfEachCaller() {
    RateLimitFields writer = new RateLimitFields(HeaderDialect.IETF, at(0));
    for (long limit : new long[] {5000, 100, 5000, 7}) {
      Decision decision =
          RequestDecision.builder(BURST, Key.everybody()).remaining(limit, 3).build();
      Map<String, String> fields = byName(writer.of(decision));
      assertEquals(List.of("burst q=" + limit + " w=60"), policies(fields));
    }
  }

  @Test
  void followsAPolicyWhoseWindowChanges() {
    RateLimitFields writer = new RateLimitFields(HeaderDialect.IETF, at(0));
    Policy longer = policy("burst", 100, Duration.ofMinutes(2));
    assertEquals(List.of("burst q=100 w=60"), policies(byName(writer.of(admitted(BURST, 1, 1)))));
    assertEquals(List.of("burst q=100 w=120"), policies(byName(writer.of(admitted(longer, 1, 1)))));
  }

  @ParameterizedTest
  @CsvSource({"10, ''", "999, ''", "1000, ' w=1'", "1001, ' w=2'", "1500, ' w=2'", "2000, ' w=2'"})
  void leavesAWindowBelowASecondOutAndRoundsOthersUp(long millis, String length) {
    Policy policy = policy("p", 3, Duration.ofMillis(millis));
    Map<String, String> fields = write(HeaderDialect.IETF, admitted(policy, 1, 0));
    assertEquals(List.of("p q=3" + length), policies(fields));
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "1, 1", "999999, 1", "1000000, 1", "1000001, 2", "31622400000000, 31622400"})
  void roundsTimesUp(long resetMicros, long seconds) {
    Map<String, String> fields = write(HeaderDialect.BOTH, admitted(BURST, 1, resetMicros));
    assertEquals(List.of("burst r=1 t=" + seconds), read(fields.get("RateLimit")));
    assertEquals("" + (EPOCH_SECONDS + seconds), fields.get("X-RateLimit-Reset"));
  }

  @Test
  void roundsTheTimeOfDayUpOnlyOnce() {
    RateLimitFields writer =
        new RateLimitFields(HeaderDialect.X_RATELIMIT, at(EPOCH_SECONDS * 1_000_000 + 600_000));
    Map<String, String> fields = byName(writer.of(admitted(BURST, 1, 400_000)));
    assertEquals("" + (EPOCH_SECONDS + 1), fields.get("X-RateLimit-Reset"));
  }

  @Test
  void neverShowsMoreLeftThanTheLimit() {
    Map<String, String> fields = write(HeaderDialect.BOTH, admitted(BURST, 140, 1_000_000));
    assertEquals(List.of("burst r=100 t=1"), read(fields.get("RateLimit")));
    assertEquals("100", fields.get("X-RateLimit-Remaining"));
  }

  @Test
  void showsNothingLeftBeyondTheLimitOfASoftPolicy() {
    Decision soft =
        RequestDecision.builder(BURST, Key.everybody())
            .outcome(Outcome.SOFT, Reason.WITHIN_LIMIT)
            .remaining(100, 0)
            .after(1, 0)
            .build();
    assertEquals(List.of("burst r=0 t=1"), read(write(HeaderDialect.IETF, soft).get("RateLimit")));
  }

  private static Map<String, String> write(HeaderDialect dialect, Decision decision) {
    return byName(new RateLimitFields(dialect, at(EPOCH_SECONDS * 1_000_000)).of(decision));
  }

  private static List<String> policies(Map<String, String> fields) {
    return read(fields.get("RateLimit-Policy"));
  }
}
