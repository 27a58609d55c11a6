package io.weir.compat.aspectj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.InvalidRequestException;
import io.weir.testkit.FakeRequest;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ParameterKeysTest extends WovenTest {
  private final Sms sms = new Sms();

  @Test
  void countsEachValueOfAParameterAlone() {
    sms.send("1", "a");
    sms.send("1", "b");
    assertEquals("c to 2", sms.send("2", "c"));
    assertEquals("Sms.send", assertRefused(() -> sms.send("1", "d")).policy().name());
  }

  @Test
  void saysWhenToRetryAndIsAdmittedThen() {
    sms.send("1", "a");
    sms.send("1", "b");
    Duration wait = assertRefused(() -> sms.send("1", "c")).retryAfter();
    ticker.advance(wait.minusNanos(1_000));
    assertRefusedFor(Duration.ofNanos(1_000), () -> sms.send("1", "c"));
    ticker.advance(Duration.ofNanos(1_000));
    assertEquals("c to 1", sms.send("1", "c"));
  }

  @Test
  void severalParametersAreOneKeyInTheirOrder() {
    sms.connect("1", 2);
    sms.connect("2", 1);
    sms.connect("12", 2);
    assertRefused(() -> sms.connect("1", 2));
  }

  @Test
  void aMissingValueCountsAsTheCallerAndNotAsTheTextNull() {
    sms.send(null, "a");
    sms.send(null, "b");
    assertRefused(() -> sms.send(null, "c"));
    assertEquals("d to null", sms.send("null", "d"));
    bind(FakeRequest.from("192.0.2.1"));
    assertEquals("e to null", sms.send(null, "e"));
  }

  @Test
  void aParameterAndTheAddressAreOneKey() {
    bind(FakeRequest.from("192.0.2.1"));
    sms.confirm("1");
    assertRefused(() -> sms.confirm("1"));
    bind(FakeRequest.from("192.0.2.2"));
    assertEquals("1", sms.confirm("1"));
  }

  @Test
  void aValueThatIsTooLongIsTheCallersMistake() {
    String endless = "1".repeat(8193);
    InvalidRequestException refusal =
        assertThrows(InvalidRequestException.class, () -> sms.send(endless, "a"));
    assertEquals("The parameter phone is longer than 8192 bytes.", refusal.getMessage());
  }

  @Test
  void anArrayIsNoKey() {
    String says =
        assertThrows(InvalidPolicyException.class, () -> sms.spelled('1', '2')).getMessage();
    assertTrue(
        says.contains("Sms#spelled: key = param:digits: the parameter must not be an array"), says);
  }

  @Test
  void aValueThatFailsToTellItsTextCountsAsTheCaller() {
    Object broken =
        new Object() {
          @Override
          public String toString() {
            throw new NoClassDefFoundError("on purpose");
          }
        };
    assertEquals("sent", sms.opaque(broken));
    assertRefused(() -> sms.opaque(broken));
  }

  @Test
  void valuesWithoutATextOfTheirOwnCountTogether() {
    assertEquals("sent", sms.opaque(new Object()));
    assertRefused(() -> sms.opaque(new Object()));
    assertRefused(() -> sms.opaque(new char[] {'1'}));
    assertEquals("sent", sms.opaque("1"));
  }
}
