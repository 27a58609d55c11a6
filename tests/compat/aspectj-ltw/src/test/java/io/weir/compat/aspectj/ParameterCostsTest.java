package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.InvalidRequestException;
import io.weir.RateLimitExceededException;
import io.weir.WeirBuilder;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Costs and conditions that are read from a call's parameters. */
class ParameterCostsTest extends WovenTest {
  private final Purchases purchases = new Purchases();

  @Override
  WeirBuilder configure(WeirBuilder builder) {
    return builder
        .requestCondition(
            "risky", request -> request.parameter("text").orElse("").contains("casino"))
        .costResolver(
            "length",
            request -> request.parameter("text").stream().mapToLong(String::length).findFirst());
  }

  @Test
  void aCallCostsWhatItsParameterSays() {
    assertEquals("bought for 149.50", purchases.buy(new BigDecimal("149.50")));
    assertRefused(() -> purchases.buy(new BigDecimal("50.01")));
    assertEquals("bought for 5E+1", purchases.buy(new BigDecimal("5E+1")));
    assertEquals("bought for 0", purchases.buy(BigDecimal.ZERO));
    assertRefused(() -> purchases.buy(BigDecimal.ONE));
  }

  @Test
  void whatIsNoAmountThrowsAndIsChargedNowhere() {
    for (String amount : List.of("-1", "-0.001", "1e999999999", "1e16")) {
      assertInvalid(() -> purchases.buy(new BigDecimal(amount)));
    }
    for (String amount : List.of("201", "200.000000001")) {
      RateLimitExceededException refused =
          assertThrows(
              RateLimitExceededException.class, () -> purchases.buy(new BigDecimal(amount)));
      assertTrue(refused.decision().neverAdmitted(), refused::getMessage);
    }
    assertInvalid(() -> purchases.buy(null));
    for (double amount : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY, 1e300}) {
      assertInvalid(() -> purchases.pay(amount));
    }
    for (String amount : List.of("", " ", "five", "1e2", "-1", "+5", "0x10", "\u0663", "5 ")) {
      assertInvalid(() -> purchases.order(amount));
    }
    assertEquals("bought for 200", purchases.buy(new BigDecimal("200")));
    assertEquals("paid 200.0", purchases.pay(200));
    assertEquals("ordered for 200.", purchases.order("200."));
  }

  @Test
  void aLongFractionIsRoundedUpToo() {
    assertEquals("paid 0.30000000000000004", purchases.pay(0.1 + 0.2));
    assertEquals("bought for 1E-999999999", purchases.buy(new BigDecimal("1e-999999999")));
    assertEquals("paid 199.0", purchases.pay(199));
    assertRefused(() -> purchases.pay(1));
  }

  @Test
  void aConditionMayReadAnyParameter() {
    assertEquals("hello", purchases.send("hello"));
    assertEquals("casino", purchases.send("casino"));
    assertEquals("hello", purchases.send("hello"));
    assertRefused(() -> purchases.send("my casino"));
  }

  @Test
  void aResolverMayReadAnyParameter() {
    assertEquals("seven", purchases.print("seven"));
    assertRefused(() -> purchases.print("sevens"));
    assertEquals("eight", purchases.print("eight"));
  }

  @Test
  void aParameterIsDividedIntoParts() {
    assertEquals("https://a.example/", purchases.fetch("https://a.example/"));
    assertRefused(() -> purchases.fetch("https://a.example/"));
    assertEquals("https://b.example/", purchases.fetch("https://b.example/"));
  }

  @Test
  void aParameterThatIsntThereIsAMistake() {
    String says =
        assertThrows(InvalidPolicyException.class, () -> purchases.misspelt("1")).getMessage();
    assertTrue(
        says.contains(
            "Purchases#misspelt: costFrom = param:amuont: the method has no such parameter, only [amount]"),
        says);
  }

  private static void assertInvalid(Executable call) {
    String says = assertThrows(InvalidRequestException.class, call).getMessage();
    assertTrue(says.startsWith("The parameter amount "), says);
  }
}
