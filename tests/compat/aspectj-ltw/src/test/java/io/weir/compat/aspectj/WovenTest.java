package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Decision;
import io.weir.RateLimitExceededException;
import io.weir.Weir;
import io.weir.WeirBuilder;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.adapter.LimitedRequest;
import io.weir.spi.RequestInfo;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

/** Base of tests that each have a Weir with a stopped clock. */
abstract class WovenTest {
  final FakeTicker ticker = new FakeTicker();
  private LimitedRequest.@Nullable Binding bound;
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
    unbind();
    weir.close();
  }

  /** Binds a request to this thread as an adapter does, in place of the last one. */
  final void bind(RequestInfo request) {
    bind(request, null);
  }

  /**
   * Does the same for a request that is about to call a method.
   *
   * @param charged its policies were decided
   */
  final void bind(RequestInfo request, @Nullable Method charged) {
    unbind();
    try (Adapter adapter = Weir.adapter(AdapterOptions.defaults().withWeir(weir))) {
      bound = adapter.begin(request, null).bind(charged);
    }
  }

  private void unbind() {
    if (bound != null) {
      bound.close();
    }
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
