package io.weir.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.settings.Logged;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MethodRequestTest {
  private final MethodRequest alone =
      new MethodRequest(
          "Shop#buy",
          Optional.empty(),
          List.of("phone", "count", "text"),
          Arrays.<Object>asList("1", 2, null).toArray());

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
    MethodRequest request =
        new MethodRequest(
            "Shop#buy",
            Optional.empty(),
            List.of("record", "object", "array", "other"),
            new Object[] {new Phone("1"), new Opaque(), new byte[] {1}, new Opaque()});
    try (Logged log = new Logged(ParameterText.class)) {
      assertEquals(Optional.of("Phone[number=1]"), request.parameter("record"));
      assertEquals(Optional.empty(), request.parameter("object"));
      assertEquals(Optional.empty(), request.parameter("array"));
      assertEquals(Optional.empty(), request.parameter("other"));
      assertEquals(1, log.containing("Opaque").size());
      assertEquals(1, log.containing("byte[]").size());
    }
  }

  @Test
  void knowsNothingElseOutsideOfHttp() {
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
    MethodRequest inside =
        new MethodRequest(
            "Shop#buy", Optional.of(new Around()), List.of("phone"), new Object[] {"1"});
    assertEquals("POST", inside.method());
    assertEquals(List.of("header Host"), inside.headers("Host"));
    assertEquals(Optional.of("query q"), inside.query("q"));
    assertEquals(Optional.of("path p"), inside.path("p"));
    assertEquals(Optional.of("cookie c"), inside.cookie("c"));
    assertEquals(Optional.of("1"), inside.parameter("phone"));
    assertEquals(Optional.of("alice"), inside.user());
    assertEquals(Optional.of("192.0.2.1"), inside.peer());
  }
}
