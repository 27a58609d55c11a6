package io.weir.internal.body;

import static com.fasterxml.jackson.databind.DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY;
import static com.fasterxml.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES;
import static com.fasterxml.jackson.databind.DeserializationFeature.UNWRAP_SINGLE_VALUE_ARRAYS;
import static com.fasterxml.jackson.databind.MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.weir.InvalidRequestException;
import io.weir.attack.Cases;
import jakarta.json.Json;
import jakarta.json.JsonException;
import jakarta.json.JsonObject;
import jakarta.json.bind.Jsonb;
import jakarta.json.bind.JsonbBuilder;
import jakarta.json.bind.JsonbConfig;
import jakarta.json.bind.JsonbException;
import jakarta.json.bind.config.PropertyNamingStrategy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * An account that Jackson, JSON-B or JSON-P reads from the bytes of a request is the one by which
 * policies count it, or the request is refused.
 */
class JsonReadersTest {
  private static final Cases CASES = new Cases("readers of JSON");

  /** Charsets of bodies; the first one is that of most. */
  private static final String[] CHARSETS = {
    "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "ISO-8859-1"
  };

  private static final String[] TYPES = {
    "application/json", "application/json; charset=%s", "application/vnd.x+json"
  };

  /** Some are the field for readers that fold case, each in its own way. */
  private static final String[] NAMES = {
    "\"user\"",
    "\"user\"",
    "\"user\"",
    "\"User\"",
    "\"USER\"",
    "\"\\u0075ser\"",
    "\"u\\u0073er\"",
    "\"U\\u0053ER\"",
    "\"u\u017fer\"",
    "\"user \"",
    "\"user\\u0000\"",
    "\"u\\/ser\"",
    "\"\"",
    "\"login\"",
    "\"Login\"",
    "\"LOG\u0130N\"",
    "\"log\u0131n\"",
    "\"log\\u0069n\"",
    "\"other\"",
    "'user'",
    "user"
  };

  private static final String[] VALUES = {
    "\"ann\"",
    "\"ann\"",
    "\"bob\"",
    "\"\\u0061nn\"",
    "\"zo\u00eb\"",
    "\"zoe\u0308\"",
    "\"zo\\u00EB\"",
    "\"\ud83d\ude00\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"",
    "\"\\ude00\\ud83d\"",
    "\"\\u0000\"",
    "\"a\u0000b\"",
    "\"a\tb\"",
    "\"a\\tb\\/\\\\\"",
    "\"a\\'\"",
    "\"\ufeff\"",
    "\"\"",
    "\" \"",
    "'ann'",
    "null",
    "NULL",
    "true",
    "false",
    "0",
    "-0",
    "7",
    "-7",
    "+7",
    "007",
    "7.0",
    "7e0",
    "70E-1",
    "-0.0",
    "4294967303",
    "9223372036854775807",
    "18446744073709551623",
    "1e400",
    "NaN",
    "[]",
    "[\"ann\"]",
    "[[\"ann\"]]",
    "[null]",
    "{}",
    "{\"user\":\"ann\"}"
  };

  private static final String[] AROUND = {
    " ", "\n", "\t", "\f", "\u00a0", "\ufeff", "//\n", "/**/", "#\n", "\u0000"
  };

  private static final String[] AFTER = {
    " ", ",", "}", "{}", "{\"user\":\"bob\"}", "//", "x", "\u0000", "null"
  };

  private static final ObjectMapper JACKSON =
      JsonMapper.builder().disable(FAIL_ON_UNKNOWN_PROPERTIES).build();

  private static final Map<String, Reader> READERS = new TreeMap<>();

  static {
    READERS.put("Jackson", JACKSON::readValue);
    READERS.put("Jackson, with names in any case", folding().build()::readValue);
    JsonMapper.Builder lenient =
        folding().enable(UNWRAP_SINGLE_VALUE_ARRAYS, ACCEPT_SINGLE_VALUE_AS_ARRAY);
    for (JsonReadFeature each : JsonReadFeature.values()) {
      lenient.enable(each);
    }
    READERS.put("Jackson, as lenient as can be", lenient.build()::readValue);
    READERS.put("Yasson", reader(new JsonbConfig()));
    READERS.put(
        "Yasson, with names in any case",
        reader(
            new JsonbConfig().withPropertyNamingStrategy(PropertyNamingStrategy.CASE_INSENSITIVE)));
  }

  /** The readers that bound an account for which there was a key. */
  private static final Set<String> AGREED = new TreeSet<>();

  /** Reads a sign-in as an application does. */
  private interface Reader {
    <T> @Nullable T read(byte[] json, Class<T> type) throws IOException;
  }

  /** Has the account in a field. */
  private interface SignIn {
    @Nullable Object account();
  }

  /** A name. */
  public static final class Named implements SignIn {
    /** The account. */
    public @Nullable String user;

    @Override
    public @Nullable Object account() {
      return user;
    }
  }

  /** A number of 64 bits. */
  public static final class Numbered implements SignIn {
    /** The account. */
    public @Nullable Long user;

    @Override
    public @Nullable Object account() {
      return user;
    }
  }

  /** A number of 32 bits. */
  public static final class ShortNumbered implements SignIn {
    /** The account. */
    public @Nullable Integer user;

    @Override
    public @Nullable Object account() {
      return user;
    }
  }

  /** A name by either of two. */
  public static final class Aliased implements SignIn {
    /** The account. */
    @JsonAlias("login")
    public @Nullable String user;

    @Override
    public @Nullable Object account() {
      return user;
    }
  }

  /** A name within an object. */
  public static final class Nested implements SignIn {
    /** The object. */
    public @Nullable Named user;

    @Override
    public @Nullable Object account() {
      return user == null ? null : user.user;
    }
  }

  private static JsonMapper.Builder folding() {
    return JsonMapper.builder()
        .disable(FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(ACCEPT_CASE_INSENSITIVE_PROPERTIES);
  }

  private static Reader reader(JsonbConfig config) {
    Jsonb jsonb = JsonbBuilder.create(config);
    return new Reader() {
      @Override
      public <T> @Nullable T read(byte[] json, Class<T> type) {
        return jsonb.fromJson(new ByteArrayInputStream(json), type);
      }
    };
  }

  @Test
  void readAnAccountAsPoliciesDo() {
    CASES.times(
        3_000,
        random -> {
          String text = text(random);
          String charset = random.nextInt(5) > 0 ? CHARSETS[0] : Cases.one(random, CHARSETS);
          String type = String.format(Locale.ROOT, Cases.one(random, TYPES), charset);
          byte[] sent = text.getBytes(Charset.forName(charset));
          String what = type + " " + charset + ": " + text;
          READERS.forEach(
              (name, reader) -> {
                expectSame(what, name, () -> read(reader, sent, Named.class), type, sent, "/user");
                expectSame(
                    what, name, () -> read(reader, sent, Numbered.class), type, sent, "/user");
                expectSame(
                    what, name, () -> read(reader, sent, Nested.class), type, sent, "/user/user");
                if (name.startsWith("Jackson")) {
                  expectSame(
                      what,
                      name,
                      () -> read(reader, sent, ShortNumbered.class),
                      type,
                      sent,
                      "/user");
                  expectSame(
                      what,
                      name + ", by an alias",
                      () -> read(reader, sent, Aliased.class),
                      type,
                      sent,
                      "/user",
                      "/login");
                }
              });
          expectSame(what, "JSON-P", () -> ofObject(sent), type, sent, "/user");
        });
    assertTrue(AGREED.containsAll(READERS.keySet()), AGREED::toString);
    assertTrue(AGREED.containsAll(Set.of("Jackson, by an alias", "JSON-P")), AGREED::toString);
  }

  /**
   * Doesn't ask the reader for what is refused: Parsson reads some texts without an end forever.
   */
  private static void expectSame(
      String what,
      String reader,
      Supplier<Optional<String>> account,
      String type,
      byte[] sent,
      String... pointers) {
    List<String> counted;
    try {
      counted = counted(type, sent, pointers);
    } catch (InvalidRequestException refused) {
      return;
    }
    account
        .get()
        .ifPresent(
            read -> {
              assertEquals(List.of(read), counted, reader + ", " + what);
              AGREED.add(reader);
            });
  }

  /** Reads as an expression with an alternative for each pointer does. */
  private static List<String> counted(String type, byte[] sent, String... pointers) {
    BodyContent body =
        new BodyContent(
            sent,
            true,
            false,
            Optional.of(
                new BodyContent.Decoding(
                    sent, ContentType.of(List.of(type)).orElseThrow(), Optional.empty(), 32)),
            false,
            null);
    List<String> found = new ArrayList<>();
    for (String each : pointers) {
      body.json(each).ifPresent(found::add);
    }
    if (found.size() > 1) {
      throw new InvalidRequestException("several");
    }
    return found;
  }

  private static String text(Random random) {
    String text = object(random);
    if (random.nextInt(8) == 0) {
      text = "[" + text + "]";
    }
    text = sometimes(random, AROUND) + text + sometimes(random, AFTER);
    if (random.nextInt(10) == 0) {
      int at = random.nextInt(text.length());
      text = text.substring(0, at) + sometimes(random, AROUND) + text.substring(at + 1);
    }
    return text;
  }

  private static String sometimes(Random random, String... pieces) {
    return random.nextInt(6) == 0 ? Cases.one(random, pieces) : "";
  }

  private static String object(Random random) {
    List<String> members = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      String value = random.nextInt(6) == 0 ? object(random) : Cases.one(random, VALUES);
      members.add(Cases.one(random, NAMES) + sometimes(random, AROUND) + ":" + value);
    }
    String end = random.nextInt(20) == 0 ? ",}" : "}";
    return "{" + String.join(random.nextInt(20) == 0 ? ",," : ",", members) + end;
  }

  /** Returns empty for what a reader refuses, or finds no account in. */
  private static Optional<String> read(Reader reader, byte[] sent, Class<? extends SignIn> type) {
    try {
      SignIn read = reader.read(sent, type);
      return Optional.ofNullable(read).map(SignIn::account).map(Objects::toString);
    } catch (IOException | JsonbException | JsonException refused) {
      return Optional.empty();
    }
  }

  private static Optional<String> ofObject(byte[] sent) {
    try (var reader = Json.createReader(new ByteArrayInputStream(sent))) {
      JsonObject object = reader.readObject();
      return Optional.ofNullable(object.getString("user", null));
    } catch (JsonException refused) {
      return Optional.empty();
    }
  }

  /** Policies can't know of it, so docs/callers.md says it. */
  @Test
  void mayKeepTheLastBitsOfALongerNumberForAnInt() throws IOException {
    byte[] json = "{\"user\":4294967303}".getBytes(UTF_8);
    assertEquals(Optional.of("7"), read(READERS.get("Yasson"), json, ShortNumbered.class));
    assertEquals(7, JACKSON.readTree(json).path("user").asInt());
    try (var reader = Json.createReader(new ByteArrayInputStream(json))) {
      assertEquals(7, reader.readObject().getInt("user"));
    }
  }

  @AfterAll
  static void tell() {
    CASES.tell();
  }
}
