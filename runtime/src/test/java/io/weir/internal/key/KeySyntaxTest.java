package io.weir.internal.key;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accepts valid expressions, and names the rule that others break. */
class KeySyntaxTest {
  private static final Set<String> RESOLVERS = Set.of("tenant", "DeviceId");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "header:X-Api-Key",
        "header:x_!#$%&'*+-.^`|~9",
        "query:user",
        "query:user name",
        "query:filter[id]",
        "query:a:b",
        "query:\u00fc",
        "path:tenant",
        "cookie:sid",
        "cookie:__Host-sid",
        "param:phone",
        "tenant",
        "DeviceId",
        "shard:2:query:url",
        "shard:1000000:header:X-Api-Key",
        "shard:16:param:url",
        "shard:16:query:a:b",
        "shard:16:DeviceId",
        "form:user",
        "form:user name",
        "json:/user/email",
        "json:/",
        "json:/a~0b~1c/0",
        "form:user|json:/user|json:/login",
        "form:a|b",
        "lower:form:user",
        "lower:tenant",
        "shard:4:lower:form:user"
      })
  void findsNothingWrongWithWhatCanBeRead(String expression) {
    assertEquals(Optional.empty(), mistake(expression));
  }

  @ParameterizedTest(name = "[{0}]: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                 | must not be empty
          ' '                | must not be empty
          header:            | must be followed by a name
          header:X Api Key   | header: must be followed by a name of letters
          header:X:Y         | header: must be followed by a name of letters
          header:\u00fc      | header: must be followed by a name of letters
          header:\u0161      | header: must be followed by a name of letters
          'header: X'        | header: must be followed by a name of letters
          cookie:a=b         | cookie: must be followed by a name of letters
          cookie:a;b         | cookie: must be followed by a name of letters
          'query: '          | must be followed by a name
          'query: user'      | must not begin or end with a blank
          'path:id '         | must not begin or end with a blank
          headr:X-Api-Key    | did you mean header:?
          Header:X-Api-Key   | did you mean header:?
          qery:user          | did you mean query:?
          params:phone       | did you mean param:?
          cookies:sid        | did you mean cookie:?
          tenent             | did you mean tenant?
          Tenant             | did you mean tenant?
          deviceid           | did you mean DeviceId?
          header             | did you mean header:?
          body:user          | or the name of a registered KeyResolver
          :user              | or the name of a registered KeyResolver
          shard:16           | shard: must be followed by a number from 2 to 1000000, a colon and
          shard:             | shard: must be followed by a number
          shard::query:a     | shard: must be followed by a number
          shard:1:query:a    | shard: must be followed by a number
          shard:0:query:a    | shard: must be followed by a number
          shard:-2:query:a   | shard: must be followed by a number
          shard:+2:query:a   | shard: must be followed by a number
          shard:016:query:a  | shard: must be followed by a number
          shard:1e3:query:a  | shard: must be followed by a number
          shard:\u0662:query:a | shard: must be followed by a number
          shard: 2:query:a   | shard: must be followed by a number
          shard:1000001:query:a | shard: must be followed by a number
          shard:99999999999:query:a | shard: must be followed by a number
          shard:query:a      | shard: must be followed by a number
          shard:4:           | must not be empty
          shard:4:qery:a     | did you mean query:?
          shard:4:tenent     | did you mean tenant?
          shard:4:query:     | query: must be followed by a name
          shard:4:shard:4:query:a | shard: must not be followed by another shard:
          Shard:4:query:a    | did you mean shard:?
          form:              | form: must be followed by a name
          'form: a'          | must not begin or end with a blank
          json:              | json: must be followed by a JSON Pointer, such as /user/email
          json:user          | json: must be followed by a JSON Pointer
          json:/a~2          | json: must be followed by a JSON Pointer
          json:/a~           | json: must be followed by a JSON Pointer
          'form:a|json:b'    | json: must be followed by a JSON Pointer
          'form:a|form:'     | form: must be followed by a name
          lower:             | must not be empty
          lower:lower:form:a | lower: must not be followed by lower: or shard:
          lower:shard:4:form:a | lower: must not be followed by lower: or shard:
          lower:frm:a        | did you mean form:?
          jsn:/a             | did you mean json:?
          somethingElse      | or the name of a registered KeyResolver
          """)
  void saysWhatIsWrongAndWhatIsNear(String expression, String sentence) {
    String mistake = mistake(expression).orElseThrow();
    assertTrue(mistake.contains(sentence), mistake);
  }

  @Test
  void readsParametersAndPathsOnlyWhereThereAreSome() {
    assertTrue(
        KeySyntax.mistake("param:a", RESOLVERS, new ReadablePlaces(false, true, true)).isPresent());
    assertTrue(
        KeySyntax.mistake("path:a", RESOLVERS, new ReadablePlaces(true, false, true)).isPresent());
    assertTrue(
        KeySyntax.mistake("path:a", RESOLVERS, new ReadablePlaces(false, true, true)).isEmpty());
    assertTrue(
        KeySyntax.mistake("param:a", RESOLVERS, new ReadablePlaces(true, false, true)).isEmpty());
    assertTrue(
        KeySyntax.mistake("query:a", RESOLVERS, new ReadablePlaces(false, false, true)).isEmpty());
    assertTrue(
        KeySyntax.mistake("tenant", RESOLVERS, new ReadablePlaces(false, false, true)).isEmpty());
    assertTrue(
        KeySyntax.mistake("shard:4:param:a", RESOLVERS, new ReadablePlaces(false, true, true))
            .isPresent());
    assertTrue(
        KeySyntax.mistake("shard:4:path:a", RESOLVERS, new ReadablePlaces(true, false, true))
            .isPresent());
  }

  @Test
  void readsBodiesOnlyWhereTheAdapterDoes() {
    ReadablePlaces without = new ReadablePlaces(true, true, false);
    for (String each :
        List.of("form:a", "json:/a", "lower:form:a", "shard:4:json:/a", "form:a|json:/a")) {
      String mistake = KeySyntax.mistake(each, RESOLVERS, without).orElseThrow();
      assertTrue(mistake.contains(": must not be used here, since the body"), mistake);
      assertTrue(KeySyntax.body(each).isAny(), each);
    }
    assertEquals(new BodyUse(true, false), KeySyntax.body("lower:form:a"));
    assertEquals(new BodyUse(false, true), KeySyntax.body("shard:4:json:/a|json:/b"));
    assertEquals(new BodyUse(true, true), KeySyntax.body("form:a|json:/b"));
    assertEquals(BodyUse.NONE, KeySyntax.body("query:form:a"));
    assertEquals(BodyUse.NONE, KeySyntax.body("tenant"));
  }

  @Test
  void tellsWhichParameterIsRead() {
    assertEquals(Optional.of("phone"), KeySyntax.parameter("param:phone"));
    assertEquals(Optional.of("a:b"), KeySyntax.parameter("shard:4:param:a:b"));
    assertEquals(Optional.of("a"), KeySyntax.parameter("shard:4:lower:param:a"));
    assertEquals(Optional.empty(), KeySyntax.parameter("shard:4:query:param"));
    assertEquals(Optional.empty(), KeySyntax.parameter("tenant"));
    assertEquals(Optional.empty(), KeySyntax.parameter(""));
  }

  private static Optional<String> mistake(String expression) {
    return KeySyntax.mistake(expression, RESOLVERS, new ReadablePlaces(true, true, true));
  }
}
