package io.weir.internal.control.access;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.ws.rs.core.SecurityContext;
import java.security.Principal;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallerNameTest {
  private static final String SMILE = "\ud83d\ude00";

  @Test
  void aUsersNameCanBeStoredAndIsNotReserved() {
    for (String name : List.of("alice", "a b", SMILE, "x".repeat(500), "issuer|7", "IP:x")) {
      assertTrue(CallerName.isUser(name), name);
    }
    for (String name :
        List.of(
            "",
            " ",
            "*",
            "ip:192.0.2.1",
            "sha256:00",
            "a\u0000",
            "a\ud83d",
            "\ude00a",
            "x".repeat(501))) {
      assertFalse(CallerName.isUser(name), name);
    }
  }

  @Test
  void aLongAuthorIsCutBetweenCharacters() {
    assertEquals("x".repeat(200), CallerName.asAuthor(signedIn("x".repeat(201))));
    assertEquals("x".repeat(199), CallerName.asAuthor(signedIn("x".repeat(199) + SMILE)));
    assertEquals("x".repeat(198) + SMILE, CallerName.asAuthor(signedIn("x".repeat(198) + SMILE)));
    assertEquals("an administrator", CallerName.asAuthor(signedIn(" ")));
  }

  private static SecurityContext signedIn(String name) {
    return new SecurityContext() {
      @Override
      public Principal getUserPrincipal() {
        return () -> name;
      }

      @Override
      public boolean isUserInRole(String role) {
        return false;
      }

      @Override
      public boolean isSecure() {
        return true;
      }

      @Override
      public String getAuthenticationScheme() {
        return "test";
      }
    };
  }
}
