package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidRequestException;
import io.weir.attack.Cases;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads costs, and rejects all other texts. */
class CostExpressionTest {
  private static final Pattern RULE = Pattern.compile("[0-9]{1,15}(\\.[0-9]{0,9})?");

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "000, 0",
    "0.0, 0",
    "0.000000001, 1",
    "1, 1",
    "1., 1",
    "1.0, 1",
    "1.000000000, 1",
    "1.000000001, 2",
    "19.99, 20",
    "007, 7",
    "999999999999999, 999999999999999",
    "999999999999999.999999999, 1000000000000000"
  })
  void roundsUp(String text, long permits) {
    assertEquals(permits, CostExpression.permits(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        ".",
        ".5",
        "+5",
        "-1",
        "-0",
        " 5",
        "5 ",
        "5\n",
        "\t5",
        "0x10",
        "1e999",
        "1e3",
        "1E3",
        "1,5",
        "1_000",
        "1.2.3",
        "..",
        "5f",
        "5L",
        "5d",
        "NaN",
        "Infinity",
        "null",
        "five",
        "1/2",
        "1000000000000000",
        "0000000000000001",
        "1.0000000000",
        "\u0663",
        "\u0967",
        "\uff15",
        "5\u0663",
        "1.\u0663",
        "5\u0000",
        "\ufeff5",
        "%35",
        "5%",
        "#5",
        "(5)",
        "\ud835\udfd3",
        "\u2212" + "1"
      })
  void takesNothingElse(String text) {
    assertTrue(CostExpression.permits(text) < 0, text);
  }

  @Test
  void takes400DigitsForNoNumber() {
    assertTrue(CostExpression.permits("9".repeat(400)) < 0);
    assertTrue(CostExpression.permits("0".repeat(400)) < 0);
    assertTrue(CostExpression.permits("1." + "0".repeat(400)) < 0);
  }

  /** States the rule as a pattern and a rounding, unlike the code. */
  @Test
  void keepsTheRuleForAnyText() {
    new Cases("costs")
        .times(
            20_000,
            random -> {
              String text = text(random);
              boolean right = RULE.matcher(text).matches();
              long expected =
                  right ? new BigDecimal(text).setScale(0, RoundingMode.UP).longValueExact() : -1;
              assertEquals(expected, CostExpression.permits(text), text);
            });
  }

  /** Mostly numbers, or nearly. */
  private static String text(Random random) {
    String letters = random.nextInt(4) == 0 ? "0123456789.+-eE x,\u0661\uff11" : "0123456789";
    StringBuilder text = new StringBuilder();
    append(random, letters, random.nextInt(18), text);
    if (random.nextBoolean()) {
      text.append('.');
      append(random, random.nextBoolean() ? "0" : letters, random.nextInt(12), text);
    }
    return text.toString();
  }

  private static void append(Random random, String letters, int count, StringBuilder text) {
    for (int i = 0; i < count; i++) {
      text.append(letters.charAt(random.nextInt(letters.length())));
    }
  }

  @Test
  void readsTheOneValueOfItsPlace() {
    assertEquals(5, read("query:a", Asked.from("192.0.2.1").set("query a", "5")));
    assertEquals(5, read("path:a", Asked.from("192.0.2.1").set("path a", "5")));
    assertEquals(5, read("cookie:a", Asked.from("192.0.2.1").set("cookie a", "5")));
    assertEquals(5, read("param:a", Asked.from("192.0.2.1").set("param a", "5")));
    assertEquals(5, read("header:a", Asked.from("192.0.2.1").header("A", "4.2")));
  }

  @Test
  void saysWhatIsWrongAndWhereButNothingThatWasSent() {
    Asked none = Asked.from("192.0.2.1");
    assertEquals(
        "The query parameter a is missing; it determines the cost of the request.",
        mistake("query:a", none));
    assertEquals(
        "The header a has several values; it determines the cost of the request.",
        mistake("header:a", Asked.from("192.0.2.1").header("a", "5", "5")));
    String attack = "<script>\"5\"</script>";
    String says = mistake("query:a", Asked.from("192.0.2.1").set("query a", attack));
    assertEquals(
        "The query parameter a must be a number of up to 15 digits, with up to 9 after the point;"
            + " it determines the cost of the request.",
        says);
    assertFalse(says.contains("script"));
  }

  @Test
  void isNoExpressionWithoutAPlace() {
    assertTrue(CostExpression.of("").isEmpty());
    assertTrue(CostExpression.of("spend").isEmpty());
    assertTrue(CostExpression.of("shard:4:query:a").isEmpty());
  }

  private static long read(String expression, Asked asked) {
    return CostExpression.of(expression).orElseThrow().read(asked);
  }

  private static String mistake(String expression, Asked asked) {
    return assertThrows(InvalidRequestException.class, () -> read(expression, asked)).getMessage();
  }
}
