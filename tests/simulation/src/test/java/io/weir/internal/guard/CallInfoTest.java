package io.weir.internal.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidRequestException;
import io.weir.test.log.LogLines;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CallInfoTest {
  private final CallInfo alone =
      new CallInfo(
          "Shop#buy",
          Optional.empty(),
          List.of("phone", "count", "text"),
          Arrays.<Object>asList("1", 2, null).toArray(),
          false);

  @Test
  void readsParametersAsText() {
    assertEquals(Optional.of("1"), alone.parameter("phone"));
    assertEquals(Optional.of("2"), alone.parameter("count"));
  }

  @Test
  void whatIsNullOrUnknownIsMissing() {
    assertEquals(Optional.empty(), alone.parameter("text"));
    assertEquals(Optional.empty(), alone.parameter("nobody"));
  }

  @Test
  void whatHasNoTextOfItsOwnIsMissingAndWarnedOfOnce() {
    record Phone(String number) {}
    class Opaque {}
    CallInfo request =
        new CallInfo(
            "Shop#buy",
            Optional.empty(),
            List.of("record", "object", "array", "other"),
            new Object[] {new Phone("1"), new Opaque(), new byte[] {1}, new Opaque()},
            false);
    try (LogLines log = new LogLines(ParameterText.class)) {
      assertEquals(Optional.of("Phone[number=1]"), request.parameter("record"));
      assertEquals(Optional.empty(), request.parameter("object"));
      assertEquals(Optional.empty(), request.parameter("array"));
      assertEquals(Optional.empty(), request.parameter("other"));
      assertEquals(1, log.containing("Opaque").size());
      assertEquals(1, log.containing("byte[]").size());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "5, 5",
    "5.0, 5",
    "4.000000000001, 5",
    "5E+3, 5000",
    "0E+3, 0",
    "0.0, 0",
    "1E-999999999, 1",
    "1E+999999999, -",
    "999999999999999.1, 1000000000000000",
    "1000000000000000, -",
    "-0.1, -"
  })
  void writesDecimalsAsTheNumberAbove(BigDecimal value, String text) {
    assertEquals(Optional.of(text), number(value));
  }

  @Test
  void writesOtherNumbersAsTheyAre() {
    assertEquals(Optional.of("10000000"), number(1e7));
    assertEquals(Optional.of("1"), number(0.1f));
    assertEquals(Optional.of("-"), number(Double.NaN));
    assertEquals(Optional.of("-"), number(Float.NEGATIVE_INFINITY));
    assertEquals(Optional.of("-"), number(Double.MAX_VALUE));
    assertEquals(Optional.of("1"), number(Double.MIN_VALUE));
    assertEquals(Optional.of("0"), number(-0.0));
    assertEquals(Optional.of("-7"), number(-7L));
    assertEquals(Optional.of("12"), number(BigInteger.valueOf(12)));
    assertEquals(Optional.of("-"), number(BigInteger.ONE.shiftLeft(10_000_000)));
    assertEquals(Optional.of("1e3"), number("1e3"));
    assertEquals(Optional.empty(), alone.number("text"));
    assertEquals(Optional.empty(), alone.number("nobody"));
  }

  private static Optional<String> number(Object value) {
    return new CallInfo("", Optional.empty(), List.of("n"), new Object[] {value}, false)
        .number("n");
  }

  @Test
  void knowsNothingElseOutsideOfHttp() {
    assertEquals(List.of(), alone.queries("phone"));
    assertEquals(List.of(), alone.cookies("phone"));
    assertEquals("", alone.method());
    assertEquals(List.of(), alone.headers("Host"));
    assertEquals(Optional.empty(), alone.query("phone"));
    assertEquals(Optional.empty(), alone.path("phone"));
    assertEquals(Optional.empty(), alone.cookie("phone"));
    assertEquals(Optional.empty(), alone.user());
    assertEquals(Optional.empty(), alone.peer());
  }

  @Test
  void isTheRequestAroundItOtherwise() {
    CallInfo inside =
        new CallInfo(
            "Shop#buy", Optional.of(new Around()), List.of("phone"), new Object[] {"1"}, true);
    assertEquals("POST", inside.method());
    assertEquals(List.of("header Host"), inside.headers("Host"));
    assertEquals(Optional.of("query q"), inside.query("q"));
    assertEquals(Optional.of("path p"), inside.path("p"));
    assertEquals(Optional.of("cookie c"), inside.cookie("c"));
    assertEquals(Optional.of("1"), inside.parameter("phone"));
    assertEquals(Optional.of("alice"), inside.user());
    assertEquals(Optional.of("issuer"), inside.issuer());
    assertEquals(Optional.of("192.0.2.1"), inside.peer());
    assertEquals(Optional.of("198.51.100.1"), inside.address());
  }

  @Test
  void isAnEndpointOfItsOwn() {
    CallInfo inside =
        new CallInfo("Shop#buy", Optional.of(new Around()), List.of(), new Object[0], true);
    assertEquals("Shop#buy", inside.endpoint());
    assertEquals("", inside.mapping());
    assertFalse(inside.hasTemplate());
    assertFalse(inside.mayBeLeftOut()); // it may carry a credential
    assertTrue(alone.mayBeLeftOut());
  }

  @Test
  void aParameterThatTheFrameworkHasJoinedIsInvalid() {
    CallInfo joined =
        new CallInfo(
            "Shop#buy",
            Optional.of(new Around()),
            List.of("phone", "other"),
            new Object[] {"1,1", "1,2"},
            true);
    InvalidRequestException invalid =
        assertThrows(InvalidRequestException.class, () -> joined.parameter("phone"));
    assertTrue(invalid.getMessage().startsWith("The parameter phone "), invalid.getMessage());
    assertEquals(Optional.of("1,2"), joined.parameter("other"));
  }
}
