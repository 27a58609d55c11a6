package io.weir.internal.extension;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Policy;
import io.weir.Reason;
import io.weir.internal.http.CustomRefusalBody;
import io.weir.spi.RefusalBody;
import io.weir.spi.RefusalInfo;
import io.weir.spi.RefusalText;
import io.weir.test.log.LogLines;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An application's words must never become an error, nor hold callers up. */
class SafeRefusalBodyTest {
  private static final Optional<RefusalText> LATER =
      Optional.of(new RefusalText("text/plain", "later"));

  private final FakeTicker ticker = new FakeTicker();

  @Test
  void tellsWhatTheApplicationSays() {
    assertEquals(new CustomRefusalBody(LATER, true), ask(refusal -> LATER));
    assertEquals(new CustomRefusalBody(Optional.empty(), true), ask(refusal -> Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "exception", "error", "type", "charset", "long", "split"})
  void whateverIsWrongIsReportedOnce(String what) {
    RefusalBody broken =
        refusal ->
            switch (what) {
              case "null" -> nothing();
              case "exception" -> throw new IllegalStateException("broken");
              case "error" -> throw new NoClassDefFoundError("missing");
              case "type" -> Optional.of(new RefusalText("text", ""));
              case "charset" -> Optional.of(new RefusalText("text/a;charset=latin1", ""));
              case "split" -> Optional.of(new RefusalText("text/a\r\nSet-Cookie: a=b", ""));
              default -> Optional.of(new RefusalText("text/a", "a".repeat(16_385)));
            };
    try (LogLines log = new LogLines();
        SafeRefusalBody words = new SafeRefusalBody(broken, ticker)) {
      assertEquals(CustomRefusalBody.UNKNOWN, words.of(new Quota()));
      assertEquals(CustomRefusalBody.UNKNOWN, words.of(new Quota()));
      assertEquals(1, log.containing("the RefusalBody failed").size());
    }
  }

  @SuppressWarnings({"NullAway", "NullOptional"}) // as an application without such checks does
  private static Optional<RefusalText> nothing() {
    return null;
  }

  @Test
  void whoIsSlowIsLeftAloneForAWhile() {
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    RefusalBody slow =
        refusal -> {
          if (asked.incrementAndGet() == 1) {
            await(never);
          }
          return LATER;
        };
    try (SafeRefusalBody words = new SafeRefusalBody(slow, ticker)) {
      assertEquals(CustomRefusalBody.UNKNOWN, words.of(new Quota()));
      ticker.advance(Duration.ofSeconds(9));
      assertEquals(CustomRefusalBody.UNKNOWN, words.of(new Quota()));
      assertEquals(1, asked.get());
      ticker.advance(Duration.ofSeconds(2));
      assertEquals(new CustomRefusalBody(LATER, true), words.of(new Quota()));
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException givenUp) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void anInterruptedCallerStaysInterruptedAndNobodyIsToBlame() {
    CountDownLatch never = new CountDownLatch(1);
    RefusalBody slow =
        refusal -> {
          await(never);
          return LATER;
        };
    try (LogLines log = new LogLines();
        SafeRefusalBody words = new SafeRefusalBody(slow, ticker)) {
      Thread.currentThread().interrupt();
      assertEquals(CustomRefusalBody.UNKNOWN, words.of(new Quota()));
      assertTrue(Thread.interrupted());
      assertEquals(List.of(), log.containing("RefusalBody"));
    }
  }

  @Test
  void nobodyIsAskedAfterTheEnd() {
    AtomicInteger asked = new AtomicInteger();
    SafeRefusalBody words =
        new SafeRefusalBody(
            refusal -> {
              asked.incrementAndGet();
              return LATER;
            },
            ticker);
    words.close();
    assertFalse(words.of(new Quota()).cacheable());
    assertEquals(0, asked.get());
  }

  private CustomRefusalBody ask(RefusalBody body) {
    try (SafeRefusalBody words = new SafeRefusalBody(body, ticker)) {
      return words.of(new Quota());
    }
  }

  /** The refusal of a caller that has used its limit. */
  private static final class Quota implements RefusalInfo {
    private static final Policy POLICY =
        Policy.builder("search").limit(5).window(Duration.ofMinutes(1)).build();

    @Override
    public Policy policy() {
      return POLICY;
    }

    @Override
    public List<Policy> policies() {
      return List.of(POLICY);
    }

    @Override
    public long limit() {
      return 5;
    }

    @Override
    public Reason reason() {
      return Reason.QUOTA_EXCEEDED;
    }

    @Override
    public int status() {
      return 429;
    }

    @Override
    public long retryAfterSeconds() {
      return 30;
    }

    @Override
    public List<Locale.LanguageRange> languages() {
      return List.of();
    }
  }
}
