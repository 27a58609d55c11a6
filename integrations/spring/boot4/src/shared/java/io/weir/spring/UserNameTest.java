package io.weir.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Principal;
import java.text.MessageFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.User;

/** Reads the names of users, and finds out which aren't names. */
class UserNameTest {
  static final class Nameless {}

  /** As an entity is that only compares its key. */
  static final class Keyed {
    @Override
    public boolean equals(Object other) {
      return other instanceof Keyed;
    }

    @Override
    public int hashCode() {
      return 7;
    }
  }

  record Named(String name) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final class NamelessPrincipal implements Principal {
    @Override
    public String getName() {
      return toString();
    }
  }

  private static Optional<String> ofSignIn(Object user) {
    return UserName.of(new UsernamePasswordAuthenticationToken(user, null, List.of()));
  }

  @Test
  void readsNames() {
    assertEquals(Optional.of("ann"), UserName.of(() -> "ann"));
    assertEquals(Optional.of("ann"), ofSignIn("ann"));
    assertEquals(Optional.of("ann@cafe"), ofSignIn("ann@cafe"));
    assertEquals(Optional.of("ann"), ofSignIn(new Named("ann")));
    Principal ann = () -> "ann";
    assertEquals(Optional.of("ann"), ofSignIn(ann));
    assertEquals(
        Optional.of("ann"), ofSignIn(User.withUsername("ann").password("x").roles("A").build()));
  }

  @Test
  void readsNoNameOfNobody() {
    assertEquals(
        Optional.empty(),
        UserName.of(
            new AnonymousAuthenticationToken(
                "key", "anonymous", AuthorityUtils.createAuthorityList("NONE"))));
    assertEquals(
        Optional.empty(), UserName.of(new UsernamePasswordAuthenticationToken("ann", "wrong")));
    assertEquals(
        Optional.empty(),
        UserName.of(
            () -> {
              throw new IllegalStateException("on purpose");
            }));
  }

  @Test
  void takesTheHashOfAnObjectForNoNameAndWarnsOnce() {
    List<String> messages = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord one) {
            messages.add(MessageFormat.format(one.getMessage(), one.getParameters()));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger log = Logger.getLogger("io.weir.spring");
    log.setLevel(Level.ALL);
    log.addHandler(handler);
    try {
      for (int i = 0; i < 3; i++) {
        assertEquals(Optional.empty(), ofSignIn(new Nameless()));
        assertEquals(Optional.empty(), ofSignIn(new Keyed()));
        assertEquals(Optional.empty(), UserName.of(new NamelessPrincipal()));
      }
    } finally {
      log.removeHandler(handler);
      log.setLevel(null);
    }
    for (Class<?> each : List.of(Nameless.class, Keyed.class, NamelessPrincipal.class)) {
      assertEquals(
          1,
          messages.stream().filter(text -> text.startsWith(each.getName() + ":")).count(),
          messages::toString);
    }
    assertTrue(messages.stream().allMatch(each -> each.contains("getName()")), messages::toString);
  }
}
