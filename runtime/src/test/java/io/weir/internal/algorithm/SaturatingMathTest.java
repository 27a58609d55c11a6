package io.weir.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.seeds.Seeds;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SaturatingMathTest {
  @Test
  void dividesProductsOfAnySizeAsBigNumbersDo() {
    Seeds.each(
        20_000,
        random -> {
          long a = any(random);
          long b = any(random);
          long divisor = Math.max(1, any(random));
          long plus = any(random);
          assertEquals(exact(a, b, plus, divisor), SaturatingMath.divide(a, b, plus, divisor));
          BigInteger product = big(a).multiply(big(b));
          if (product.compareTo(big(plus)) >= 0) {
            assertEquals(exact(a, b, -plus, divisor), SaturatingMath.divide(a, b, -plus, divisor));
          }
        });
  }

  @Test
  void saturatesSums() {
    assertEquals(Long.MAX_VALUE, SaturatingMath.add(Long.MAX_VALUE, 1));
    assertEquals(Long.MAX_VALUE, SaturatingMath.add(Long.MAX_VALUE, Long.MAX_VALUE));
    assertEquals(Long.MAX_VALUE, SaturatingMath.add(Long.MAX_VALUE - 1, 1));
    assertEquals(3, SaturatingMath.add(1, 2));
  }

  private static long exact(long a, long b, long plus, long divisor) {
    return big(a)
        .multiply(big(b))
        .add(big(plus))
        .divide(big(divisor))
        .min(big(Long.MAX_VALUE))
        .longValueExact();
  }

  private static BigInteger big(long value) {
    return BigInteger.valueOf(value);
  }

  private static long any(Random random) {
    return random.nextInt(20) == 0 ? Long.MAX_VALUE : random.nextLong() >>> 1 + random.nextInt(63);
  }
}
