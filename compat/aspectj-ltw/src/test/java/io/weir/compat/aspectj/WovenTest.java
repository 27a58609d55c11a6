package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Decision;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.internal.guard.CurrentRequest;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/** Base of tests that each have a Weir with a stopped clock. */
abstract class WovenTest {
  final FakeTicker ticker = new FakeTicker();
  Weir weir = configure(Weir.builder().ticker(ticker)).build();

  /** Parts that a test sets itself. */
  WeirBuilder configure(WeirBuilder builder) {
    return builder;
  }

  @BeforeEach
  void install() {
    weir.install();
  }

  @AfterEach
  void close() {
    CurrentRequest.clear();
    weir.close();
  }

  static Decision assertRefused(Executable call) {
    Decision decision = assertThrows(RateLimitExceededException.class, call).decision();
    assertEquals(false, decision.admitted());
    return decision;
  }

  static void assertRefusedFor(Duration time, Executable call) {
    assertEquals(time, assertRefused(call).retryAfter());
  }
}
