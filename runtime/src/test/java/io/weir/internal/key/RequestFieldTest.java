package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidRequestException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One account is one key, in whichever of several fields and spellings it is sent. */
class RequestFieldTest {
  private static Optional<String> read(String expression, Asked asked) {
    return KeyExpression.of(expression, Map.of()).read(asked);
  }

  @Test
  void readsTheOneFieldThatTheBodyHas() {
    String login = "form:user|json:/user|json:/login";
    assertEquals(Optional.of("ann"), read(login, new Asked().set("form user", "ann")));
    assertEquals(Optional.of("ann"), read(login, new Asked().set("json /login", "ann")));
    assertEquals(Optional.empty(), read(login, new Asked().set("json /other", "ann")));
    assertEquals(Optional.empty(), read(login, new Asked().set("form user", " ")));
    Asked both = new Asked().set("form user", "ann").set("json /login", "ann");
    String says = assertThrows(InvalidRequestException.class, () -> read(login, both)).getMessage();
    assertEquals(
        "The form field user or JSON field /user or JSON field /login has several values.", says);
  }

  @Test
  void composesTextsOfTheBodyAlone() {
    assertEquals(Optional.of("zo\u00eb"), read("form:a", new Asked().set("form a", "zoe\u0308")));
    assertEquals(
        Optional.of("zoe\u0308"), read("query:a", new Asked().set("query a", "zoe\u0308")));
  }

  @Test
  void foldsCaseWhereThePolicySaysSo() {
    for (String each : new String[] {"STRASSE@X.org", "stra\u00dfe@x.org", "Stra\u1e9ee@X.ORG"}) {
      assertEquals(
          read("lower:form:a", new Asked().set("form a", "strasse@x.org")),
          read("lower:form:a", new Asked().set("form a", each)),
          each);
    }
    assertEquals( // a letter whose upper case has two characters, below another mark
        read("lower:form:a", new Asked().set("form a", "J\u030c\u0323")),
        read("lower:form:a", new Asked().set("form a", "\u01f0\u0323")));
    assertEquals(Optional.of("Ann"), read("form:a", new Asked().set("form a", "Ann")));
    assertEquals(
        read("shard:64:query:a", new Asked().set("query a", "ann")),
        read("shard:64:lower:query:a", new Asked().set("query a", "ANN")));
  }

  @Test
  void splitsOnlyBeforeAPlaceInTheBody() {
    RequestField one = RequestField.of("query:a|form:b").orElseThrow();
    assertEquals(1, one.alternatives().size());
    assertEquals("a|form:b", one.alternatives().get(0).name());
    assertEquals("a|b", RequestField.of("form:a|b").orElseThrow().alternatives().get(0).name());
    assertTrue(RequestField.of("tenant|form:a").isEmpty());
  }
}
