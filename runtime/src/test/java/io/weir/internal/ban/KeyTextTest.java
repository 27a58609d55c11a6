package io.weir.internal.ban;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.access.AccessSubject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys are shown by their parts, and no two of one policy alike. */
class KeyTextTest {
  @Test
  void aKeyShowsAddressesAndUsersButNoOtherText() {
    assertEquals("ip:203.0.113.7", KeyText.of(Key.address("203.0.113.7")));
    assertEquals("ip:2001:db8::/64", KeyText.of(Key.address("2001:db8::/64")));
    assertEquals("ip:2001:db8::1", KeyText.of(Key.address("2001:db8::1/128")));
    assertEquals("user:alice", KeyText.of(Key.user("alice")));
    assertEquals(
        "ip:203.0.113.7," + AccessSubject.keyOf("secret"),
        KeyText.of(Key.tuple(List.of(Key.address("203.0.113.7"), Key.of("secret")))));
    assertEquals("everybody", KeyText.of(Key.everybody()));
    assertEquals("nobody", KeyText.of(Key.nobody()));
    assertEquals("peer:peer unix", KeyText.of(Key.address("peer unix")));
  }

  @Test
  void aNameCannotLookLikeOtherParts() {
    Key named = Key.user("a,ip:203.0.113.7");
    Key tuple = Key.tuple(List.of(Key.user("a"), Key.address("203.0.113.7")));
    assertNotEquals(KeyText.of(tuple), KeyText.of(named));
    assertEquals("user:a%2Cip:203.0.113.7", KeyText.of(named));
    assertNotEquals(KeyText.of(Key.user("a,b")), KeyText.of(Key.user("a%2Cb")));
    assertEquals("user:a%0Ab", KeyText.of(Key.user("a\nb")));
  }

  @Test
  void longTextsHaveADigestAndStayDifferent() {
    String name = "n".repeat(200);
    String text = KeyText.of(Key.tuple(List.of(Key.user(name), Key.address("203.0.113.7"))));
    assertTrue(text.startsWith("user-digest:") && text.endsWith(",ip:203.0.113.7"), text);
    assertNotEquals(text, KeyText.of(Key.tuple(List.of(Key.user(name + "n"), Key.nobody()))));
    String many = KeyText.of(Key.tuple(List.of(Key.of("a".repeat(128)), Key.of("b".repeat(128)))));
    assertTrue(many.startsWith("digest:"), many);
    assertFalse(many.contains("aaa"));
  }

  @Test
  void subjectsForTheApplicationAreThoseOfListsIfTheKeyHasNothingElse() {
    assertEquals("ip:203.0.113.7", application(Key.address("203.0.113.7")));
    assertEquals("ip:2001:db8::/64", application(Key.address("2001:db8::/64")));
    assertEquals("user:alice", application(Key.user("alice")));
    Key issued = Key.tuple(List.of(Key.user("alice"), Key.of("https://issuer")));
    assertEquals(
        "policy:*:user:alice," + AccessSubject.keyOf("https://issuer"), application(issued));
    assertEquals("policy:*:user:a%2Cb", application(Key.user("a,b")));
    assertEquals(
        "policy:login:user:alice", KeyText.ofPolicy("login", Key.user("alice")).toString());
  }

  private static String application(Key key) {
    return KeyText.ofApplication(key).toString();
  }

  @Test
  void anUnusualNameOfAUserIsASubjectToo() {
    for (String name : List.of(" ", "\u00a0", "\t", "a,b", "50%", "x".repeat(300))) {
      AccessSubject subject = KeyText.ofApplication(Key.user(name));
      assertEquals(subject, AccessSubject.parse(subject.toString()));
      assertTrue(subject.toString().endsWith(KeyText.of(Key.user(name))), subject.toString());
    }
  }
}
