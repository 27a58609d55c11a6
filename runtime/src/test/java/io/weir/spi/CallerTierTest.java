package io.weir.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RateLimiter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallerTierTest {
  private static final Policy POLICY =
      Policy.builder("p")
          .limit(10)
          .window(Duration.ofDays(1))
          .cost(3)
          .tier("premium", 100)
          .tier("low", 5)
          .build();

  @ParameterizedTest
  @CsvSource({"premium, 100", "low, 5", "Premium, 10", "unknown, 10", "'', 10"})
  void aNamedTierHasItsLimitIfThePolicyListsIt(String name, long limit) {
    assertEquals(limit, CallerTier.named(name).limitUnder(POLICY));
  }

  @Test
  void noTierHasThePolicysOwnLimit() {
    assertEquals(10, CallerTier.none().limitUnder(POLICY));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1",
    "7, 7",
    "1000000000, 1000000000",
    "1000000001, 1000000000",
    "0, 1",
    "-5, 1",
    "-9223372036854775808, 1",
    "9223372036854775807, 1000000000"
  })
  void aLimitOfItsOwnIsBroughtIntoTheRange(long given, long limit) {
    assertEquals(limit, CallerTier.ofLimit(given).limitUnder(POLICY));
  }

  @Test
  void whatCostsMoreThanALimitOfItsOwnIsNeverAdmittedAndChargesNothing() {
    long limit = CallerTier.ofLimit(2).limitUnder(POLICY);
    try (RateLimiter limiter = RateLimiter.inProcess()) {
      for (int again = 0; again < 3; again++) {
        var refused = limiter.tryAcquire(List.of(new PermitRequest(POLICY, Key.of("a"), 3, limit)));
        assertTrue(refused.neverAdmitted());
      }
      var cheaper = limiter.tryAcquire(List.of(new PermitRequest(POLICY, Key.of("a"), 2, limit)));
      assertTrue(cheaper.admitted());
    }
  }
}
