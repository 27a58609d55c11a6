package io.weir.internal.rules.callers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.internal.rules.database.Sha256Digest;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Identifies callers and finds their rows. */
class CallerIdTest {
  private static final String DIGEST_OF_ABC =
      "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

  @Test
  void aPrincipalIsLookedUpAsItIs() {
    assertEquals("Alice ", CallerId.user("Alice ").orElseThrow().rowKey());
  }

  @Test
  void aPrincipalThatBeginsAsADigestDoesHasNoRow() {
    assertEquals(Optional.empty(), CallerId.user(DIGEST_OF_ABC));
    assertEquals(Optional.empty(), CallerId.user("sha256:"));
  }

  @Test
  void aKeyIsLookedUpByItsDigestAlone() {
    assertEquals(DIGEST_OF_ABC, CallerId.key("abc").rowKey());
    assertEquals(Sha256Digest.of(DIGEST_OF_ABC), CallerId.key(DIGEST_OF_ABC).rowKey());
  }

  @Test
  void aKeyIsNeverAUser() {
    assertNotEquals(CallerId.user("abc").orElseThrow(), CallerId.key("abc"));
    assertNotEquals(CallerId.user("abc").orElseThrow(), CallerId.plainKey("abc").orElseThrow());
  }

  @Test
  void keysAreLookedUpAsTheyAreWhereTheTableSaysSo() {
    assertEquals("abc", CallerId.plainKey("abc").orElseThrow().rowKey());
  }

  @Test
  void aLongKeyIsKeptByItsDigest() {
    String longKey = "k".repeat(8_000);
    assertEquals(Sha256Digest.of(longKey), CallerId.key(longKey).rowKey());
    assertEquals(CallerId.key(longKey), CallerId.key("k".repeat(8_000)));
    assertNotEquals(CallerId.key(longKey), CallerId.key(Sha256Digest.of(longKey)));
  }

  @Test
  void whatIsLongerThanAnyRowHasNone() {
    assertTrue(CallerId.user("u".repeat(500)).isPresent());
    assertTrue(CallerId.user("😀".repeat(500)).isPresent(), "databases count characters");
    assertEquals(Optional.empty(), CallerId.user("u".repeat(501)));
    assertEquals(Optional.empty(), CallerId.user("😀".repeat(501)));
    assertEquals(Optional.empty(), CallerId.plainKey("k".repeat(501)));
  }

  @Test
  void nobodyIsGivenAwayInALog() {
    assertEquals("key", CallerId.key("secret").toString());
    assertEquals("user", CallerId.user("alice").orElseThrow().toString());
  }
}
