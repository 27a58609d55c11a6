package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.WeirBuilder;
import io.weir.spi.CallerTier;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MethodsTest extends WovenTest {
  private final Methods methods = new Methods();
  private CallerTier tier = CallerTier.none();

  @Override
  WeirBuilder configure(WeirBuilder builder) {
    return builder.tierResolver((request, policy) -> tier);
  }

  @Test
  void aComposedAnnotationLimits() {
    methods.composed();
    assertRefused(methods::composed);
  }

  @Test
  void andOneComposedOfComposedOnes() {
    methods.composedTwice();
    assertRefused(methods::composedTwice);
  }

  @Test
  void repeatedOnesMustAllAdmit() {
    methods.repeated();
    methods.repeated();
    assertEquals("Methods.repeated.endpoint-10s", assertRefused(methods::repeated).policy().name());
    ticker.advance(Duration.ofSeconds(20));
    methods.repeated();
    assertEquals("Methods.repeated.endpoint-1m", assertRefused(methods::repeated).policy().name());
    assertEquals(3, methods.runs());
  }

  @Test
  void staticMethodsAreLimited() {
    Methods.ofTheClass();
    assertRefused(Methods::ofTheClass);
  }

  @Test
  void privateMethodsAreLimitedIfTheySaySo() {
    methods.viaPrivate();
    assertRefused(methods::viaPrivate);
  }

  @Test
  void lambdasOfALimitedMethodAreFree() {
    var made = methods.lambda();
    assertEquals("from a lambda 0", made.get());
    assertEquals("from a lambda 0", made.get());
    assertRefused(methods::lambda);
  }

  @Test
  void aRefusedCallDoesNotRun() {
    for (int i = 0; i < 4; i++) {
      methods.counted();
    }
    assertRefused(methods::counted);
    assertEquals(4, methods.runs());
  }

  @Test
  void tiersHaveTheirOwnLimits() {
    tier = CallerTier.named("premium");
    methods.tiered();
    methods.tiered();
    methods.tiered();
    assertRefused(methods::tiered);
  }

  @Test
  void whoHasNoTierHasTheLimit() {
    methods.tiered();
    assertRefused(methods::tiered);
  }

  @Test
  void aPolicyThatOnlyWatchesRefusesNobody() {
    methods.watched();
    methods.watched();
    assertEquals(2, methods.runs());
  }

  @Test
  void whatIsNotAnnotatedIsFree() {
    for (int i = 0; i < 100; i++) {
      methods.free();
    }
    assertEquals(100, methods.runs());
  }
}
