package io.weir.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Subjects have one spelling, and invalid ones a rule. */
class AccessSubjectTest {
  @ParameterizedTest
  @CsvSource({
    "203.0.113.7, ip:203.0.113.7",
    "203.0.113.7/32, ip:203.0.113.7",
    "203.0.113.7/24, ip:203.0.113.0/24",
    "ip:::ffff:203.0.113.7, ip:203.0.113.7",
    "::ffff:203.0.113.0/120, ip:203.0.113.0/24",
    "2001:DB8:0:0::1, ip:2001:db8::1",
    "ip:2001:db8::1/32, ip:2001:db8::/32",
    "user:alice, user:alice",
    "user: Alice Smith, user: Alice Smith",
    "user:ip:1, user:ip:1",
    "resolver:tenant:acme:eu, resolver:tenant:acme:eu",
    "policy:login:ip:203.0.113.7, policy:login:ip:203.0.113.7",
    "policy:*:user:a, policy:*:user:a"
  })
  void aTextIsReadAndWrittenInOneSpelling(String text, String canonical) {
    AccessSubject subject = AccessSubject.parse(text);
    assertEquals(canonical, subject.toString());
    assertEquals(subject, AccessSubject.parse(subject.toString()));
    assertEquals(subject.hashCode(), AccessSubject.parse(canonical).hashCode());
  }

  @Test
  void aKeyIsKnownByItsDigestOnly() {
    AccessSubject key = AccessSubject.keyOf("abc");
    assertEquals(
        "key:sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        key.toString());
    assertEquals(key, AccessSubject.key(key.value().toUpperCase(java.util.Locale.ROOT)));
    assertEquals(AccessSubject.Type.KEY, key.type());
    IllegalArgumentException mistake =
        assertThrows(IllegalArgumentException.class, () -> AccessSubject.parse("key:abc"));
    assertFalse(String.valueOf(mistake.getMessage()).contains("abc"), "it may be a secret");
  }

  @Test
  void subjectsOfDifferentKindsDiffer() {
    assertNotEquals(AccessSubject.user("a"), AccessSubject.resolved("a", "a"));
    assertNotEquals(AccessSubject.resolved("a", "b"), AccessSubject.resolved("b", "b"));
    assertEquals("tenant", AccessSubject.parse("resolver:tenant:acme").resolver());
    assertEquals("acme", AccessSubject.parse("resolver:tenant:acme").value());
    assertEquals("", AccessSubject.parse("resolver:tenant:acme").policy());
    assertNotEquals(AccessSubject.user("a"), AccessSubject.ofPolicy("login", "user:a"));
    assertNotEquals(
        AccessSubject.ofPolicy("api", "user:a"), AccessSubject.ofPolicy("login", "user:a"));
    assertEquals("login", AccessSubject.parse("policy:login:user:a").policy());
    assertEquals("user:a", AccessSubject.parse("policy:login:user:a").value());
    assertEquals("", AccessSubject.parse("policy:login:user:a").resolver());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "alice",
        "203.0.113",
        "203.0.113.7/33",
        "010.0.0.1",
        "203.0.113.*",
        "ip:",
        "user:",
        "user: ",
        "user:a\nb",
        "resolver:tenant",
        "resolver::acme",
        "resolver:tenant:",
        "key:sha256:12",
        "policy:login",
        "policy:login:",
        "policy:log in:user:alice",
        "policy::user:alice",
        "policy:login:user:a\nb"
      })
  void anythingElseIsRefusedWithTheRule(String text) {
    String rule = mistake(text);
    assertTrue(rule.contains("must "), rule);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0/0", "::/0", "203.0.113.7/0", "ip:::ffff:0.0.0.0/96"})
  void noSubjectCoversEverything(String text) {
    assertTrue(mistake(text).contains("must not cover all addresses"), mistake(text));
  }

  @Test
  void namesAreBounded() {
    assertEquals(500, AccessSubject.user("a".repeat(500)).value().length());
    assertTrue(mistake("user:" + "a".repeat(501)).contains("1 to 500 characters"));
  }

  private static String mistake(String text) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> AccessSubject.parse(text)).getMessage());
  }
}
