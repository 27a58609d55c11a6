package io.weir.internal.body;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidRequestException;
import io.weir.attack.Cases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** A field has one value in all spellings, or the body is refused. */
class BodyContentTest {
  private static final Cases CASES = new Cases("spellings of bodies");
  private static final String[] TEXTS = {
    "a",
    "user",
    "=",
    "&",
    "%",
    "+",
    " ",
    "\u00e4",
    "\u20ac",
    "\ud83d\ude00",
    "\"",
    "\\",
    "/",
    "~",
    "\t",
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\u0000",
    "0",
    ";"
  };

  private static BodyContent of(String type, byte[] body) {
    return of(type, body, Optional.empty());
  }

  private static BodyContent of(String type, byte[] body, Optional<String> encoding) {
    ContentType parsed = ContentType.of(List.of(type)).orElseThrow();
    return new BodyContent(
        body,
        true,
        false,
        Optional.of(new BodyContent.Decoding(body, parsed, encoding, 32)),
        false,
        null);
  }

  private static Optional<String> json(String text, String pointer) {
    return of("application/json", text.getBytes(UTF_8)).json(pointer);
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i >= 0; i--) {
      text.append(TEXTS[random.nextInt(TEXTS.length)]);
    }
    return text.toString();
  }

  @Test
  void readsAFieldOfAFormInAnyEscapes() {
    CASES.times(
        2_000,
        random -> {
          String name = text(random);
          String value = text(random);
          Charset charset = random.nextBoolean() ? UTF_8 : ISO_8859_1;
          if (!charset.newEncoder().canEncode(name + value)) {
            charset = UTF_8;
          }
          String form =
              "x="
                  + escaped(random, text(random) + "x", UTF_8).replace("%", "")
                  + "&"
                  + escaped(random, name, charset)
                  + "="
                  + escaped(random, value, charset)
                  + "&&";
          BodyContent body =
              of(
                  "application/x-www-form-urlencoded",
                  form.getBytes(charset),
                  Optional.of(charset.name()));
          if (!name.equals("x")) {
            assertEquals(Optional.of(value), body.form(name, List.of()), form);
            assertThrows(
                InvalidRequestException.class, () -> body.form(name, List.of("any")), form);
          }
          assertEquals(Optional.of("q"), body.form("none", List.of("q")));
        });
  }

  private static Optional<String> form(String text) {
    return of("application/x-www-form-urlencoded", text.getBytes(UTF_8)).form("a", List.of());
  }

  @Test
  void refusesFormsThatReadersCutOrDecodeInAnotherWay() {
    for (String each :
        List.of("%", "%4", "a=%4", "a=%g0", "a=%0g", "a=%-1", "b&%zz", "a=%4\u00e4")) {
      assertThrows(InvalidRequestException.class, () -> form(each), each);
    }
    for (String each : List.of(" a=1", "a=1 ", "b&\ta", "a=1\n", "\u0000a", "b& ", " ")) {
      assertThrows(InvalidRequestException.class, () -> form(each), each);
    }
    for (String each : List.of("a=\u00e4%a4", "a=%c3\u00a4")) { // half in escapes
      byte[] half = each.getBytes(ISO_8859_1);
      BodyContent body = of("application/x-www-form-urlencoded", half);
      assertThrows(InvalidRequestException.class, () -> body.form("a", List.of()), each);
    }
    assertEquals(Optional.of(""), form("a"));
    assertEquals(Optional.of(""), form("b=1&a="));
    assertEquals(Optional.of("="), form("&&a==&"));
    assertEquals(Optional.of("\u00e4"), form("\u00e4=1&a=\u00e4"));
    assertEquals(Optional.empty(), form("b=a"));
  }

  /** RESTEasy decodes escapes as UTF-8 whatever a client says, Jersey by the charset. */
  @Test
  void refusesAFormThatIsAnotherOneInUtf8WhereTheFrameworkDecodesIt() {
    String type = "application/x-www-form-urlencoded; charset=ISO-8859-1";
    for (String each : List.of("user=zo%C3%AB", "user=zo%EB", "user=a&%C3%AB=b")) {
      BodyContent form = of(type, each.getBytes(ISO_8859_1));
      assertThrows(InvalidRequestException.class, () -> form.form("user", List.of()), each);
    }
    BodyContent ascii = of(type, "user=zo%65".getBytes(ISO_8859_1));
    assertEquals(Optional.of("zoe"), ascii.form("user", List.of()));
  }

  private static String escaped(Random random, String text, Charset charset) {
    StringBuilder spelled = new StringBuilder();
    text.codePoints()
        .mapToObj(Character::toString)
        .forEach(
            each -> {
              if (random.nextBoolean()) {
                for (byte one : each.getBytes(charset)) {
                  String escape = String.format(java.util.Locale.ROOT, "%%%02x", one);
                  spelled.append(
                      random.nextBoolean() ? escape : escape.toUpperCase(java.util.Locale.ROOT));
                }
              } else {
                spelled.append(URLEncoder.encode(each, charset));
              }
            });
    return spelled.toString();
  }

  @Test
  void readsAMemberOfJsonInAnyEscapesAndCase() {
    CASES.times(
        2_000,
        random -> {
          String name = text(random).replace(":", "n") + "n";
          String value = text(random);
          String pointer = "/deep/" + name.replace("~", "~0").replace("/", "~1");
          String spelledName =
              random.nextBoolean() ? name : name.toUpperCase(java.util.Locale.ROOT);
          String text =
              "{\"n\":[1e9,{\"deep\":2}], \"Deep\" :{\"x\":null,"
                  + quoted(random, spelledName)
                  + ":"
                  + quoted(random, value)
                  + "}}";
          assertEquals(Optional.of(value), json(text, pointer), text);
          String doubled = text.replace("\"x\":null", quoted(random, name) + ":null");
          assertThrows(InvalidRequestException.class, () -> json(doubled, pointer), doubled);
        });
  }

  private static String quoted(Random random, String text) {
    StringBuilder spelled = new StringBuilder("\"");
    for (int at = 0; at < text.length(); at++) {
      char each = text.charAt(at);
      if (each < ' ' || each == '"' || each == '\\' || random.nextBoolean()) {
        spelled.append(String.format(java.util.Locale.ROOT, "\\u%04x", (int) each));
      } else if (Character.isSurrogate(each)) {
        spelled.append(String.format(java.util.Locale.ROOT, "\\u%04X", (int) each));
      } else {
        spelled.append(each);
      }
    }
    return spelled.append('"').toString();
  }

  @Test
  void findsWhatAPointerLeadsTo() {
    assertEquals(Optional.of("b"), json("{\"a\":[{\"b\":0},{\"b\":\"b\"}]}", "/a/1/b"));
    assertEquals(Optional.empty(), json("{\"a\":[1]}", "/a/1"));
    assertEquals(Optional.empty(), json("{\"a\":null}", "/a"));
    assertEquals(Optional.empty(), json("{\"a\":null}", "/a/b"));
    assertEquals(Optional.empty(), json("", "/a"));
    byte[] one = "{\"a\":1}".getBytes(UTF_8);
    assertEquals(Optional.of("1"), of("application/json; charset=utf-8", one).json("/a"));
    assertEquals(Optional.empty(), of("application/x-www-form-urlencoded", one).json("/a"));
    BodyContent latin = of("application/json; charset=ISO-8859-1", one);
    assertThrows(InvalidRequestException.class, () -> latin.json("/a"));
    assertEquals(Optional.of("1"), json("{\"\":1}", "/"));
    assertEquals(Optional.of("-1"), json("{\"a\":-1}", "/a"));
    assertEquals(Optional.of("true"), json("{\"a\":true}", "/a"));
    assertEquals(
        Optional.of("1.50"),
        of("application/json", "{\"a\":1.50}".getBytes(UTF_8)).jsonNumber("/a"));
    assertThrows(InvalidRequestException.class, () -> json("{\"a\":1.50}", "/a"));
    assertEquals(
        Optional.of("0"), of("application/json", "{\"a\":-0}".getBytes(UTF_8)).jsonNumber("/a"));
    assertEquals(
        Optional.of("x"), json("[".repeat(31) + "\"x\"" + "]".repeat(31), "/0".repeat(31)));
    assertThrows(InvalidRequestException.class, () -> json("[".repeat(33) + "]".repeat(33), "/a"));
  }

  @Test
  void refusesWhatAReaderMayTakeForTheObjectOnTheWay() {
    for (String each :
        List.of(
            "[{\"a\":{\"b\":1}}]", // as with UNWRAP_SINGLE_VALUE_ARRAYS of Jackson
            "{\"a\":[{\"b\":1}]}",
            "{\"a\":\"text\"}", // as with a constructor that takes a text
            "{\"a\":1}",
            "[]",
            "\"a\"")) {
      assertThrows(InvalidRequestException.class, () -> json(each, "/a/b"), each);
    }
    assertThrows(InvalidRequestException.class, () -> json("{\"a\":[1]}", "/a/01"));
    assertThrows(InvalidRequestException.class, () -> json("{\"a\":[1]}", "/a/-"));
    assertThrows(InvalidRequestException.class, () -> json("{\"a\":1}", "/a/0"));
  }

  /** A reader may make a text of them, as it may make another number: 0, or its last 64 bits. */
  @Test
  void refusesNumbersThatAreOthersAsALong() {
    for (String each : List.of("9223372036854775807", "-9223372036854775808", "0")) {
      assertEquals(Optional.of(each), json("{\"a\":" + each + "}", "/a"));
    }
    for (String each : List.of("9223372036854775808", "-9223372036854775809", "-0")) {
      String text = "{\"a\":" + each + "}";
      assertThrows(InvalidRequestException.class, () -> json(text, "/a"), each);
    }
  }

  @Test
  void understandsOneSpellingOfAContentTypeAlone() {
    for (String each :
        List.of(
            "text",
            "a/b;c",
            "a/b; c*=UTF-8''d",
            "a/b; c*0=d",
            "a/b; c=\"d",
            "a/b; c=d; C=d",
            "a/b c",
            "/",
            "a/b;c=\"\\a\"")) {
      assertThrows(InvalidRequestException.class, () -> ContentType.of(List.of(each)), each);
    }
    assertThrows(InvalidRequestException.class, () -> ContentType.of(List.of("a/b", "a/b")));
    assertEquals(Optional.empty(), ContentType.of(List.of()));
    ContentType form = ContentType.of(List.of("A/B ; C=\"d e\";;f=g ;")).orElseThrow();
    assertEquals("a/b", form.type());
    assertEquals("d e", form.parameters().get("c"));
    assertEquals("g", form.parameters().get("f"));
  }

  @Test
  void readsPartsOfAMultipartForm() {
    String body =
        String.join(
            "\r\n",
            "--b",
            "Content-Disposition: form-data; name=\"user\"",
            "",
            "zo\u00eb",
            "--b",
            "content-disposition: form-data; name=\"f\"; filename=\"a.txt\"",
            "Content-Type: text/plain",
            "",
            "--x",
            "",
            "--b--",
            "");
    BodyContent form = of("multipart/form-data; boundary=b", body.getBytes(UTF_8));
    assertEquals(Optional.of("zo\u00eb"), form.form("user", List.of()));
    assertEquals(Optional.of("--x\r\n"), form.form("f", List.of()));
    assertEquals(Optional.of("a.txt"), form.parts().get(1).fileName());
    assertTrue(form.fields().isEmpty());
    for (int cut = 0; cut < body.getBytes(UTF_8).length - 2; cut++) {
      byte[] part = java.util.Arrays.copyOf(body.getBytes(UTF_8), cut);
      assertThrows(
          InvalidRequestException.class,
          () -> of("multipart/form-data; boundary=b", part).form("user", List.of()),
          "cut at " + cut);
    }
  }

  /** As clients of .NET send them. */
  @Test
  void readsNamesWithoutQuotationMarksIfAllReadersAgreeAboutThem() {
    String type = "multipart/form-data; boundary=b";
    String part = "--b\r\nContent-Disposition: form-data; name=%s\r\n\r\nann\r\n--b--";
    for (String each : List.of("user", "user; filename=a.txt", "\"user\"; filename=a")) {
      BodyContent form = of(type, part.formatted(each).getBytes(UTF_8));
      assertEquals("user", form.parts().get(0).name(), each);
      assertEquals(each.contains("filename"), form.parts().get(0).fileName().isPresent(), each);
      assertEquals(Optional.of("ann"), form.form("user", List.of()), each);
    }
    for (String each :
        List.of("us er", "user,", "'user'", "us\"er", "", "user;", "user; filename*=utf-8''a")) {
      BodyContent form = of(type, part.formatted(each).getBytes(UTF_8));
      assertThrows(InvalidRequestException.class, () -> form.form("user", List.of()), each);
    }
  }

  @Test
  void refusesPartsThatReadersDivideOrDecodeInAnotherWay() {
    String type = "multipart/form-data; boundary=b";
    String part = "--b\r\nContent-Disposition: form-data; name=\"%s\"%s\r\n\r\n%s\r\n--b--";
    for (String lineEnd : List.of("\n", "\r", "", "\n\n")) {
      String hidden = lineEnd + part.formatted("user", "", "a").replace("--b--", "");
      byte[] body = part.formatted("x", "", "1" + hidden).getBytes(UTF_8);
      assertThrows(
          InvalidRequestException.class, () -> of(type, body).form("user", List.of()), lineEnd);
    }
    String ofPart = "\r\nContent-Type: text/plain; charset=";
    byte[] latin = part.formatted("user", ofPart + "ISO-8859-1", "zo\u00eb").getBytes(UTF_8);
    assertThrows(InvalidRequestException.class, () -> of(type, latin).form("user", List.of()));
    assertThrows(
        InvalidRequestException.class,
        () ->
            of(type + "; charset=ISO-8859-1", part.formatted("user", "", "a").getBytes(UTF_8))
                .form("user", List.of()));
    for (String each : List.of("utf-8", "\"UTF8\"")) {
      byte[] same = part.formatted("user", ofPart + each, "zo\u00eb").getBytes(UTF_8);
      assertEquals(Optional.of("zo\u00eb"), of(type, same).form("user", List.of()));
    }
    byte[] ascii = part.formatted("user", ofPart + "ISO-8859-1", "zoe").getBytes(UTF_8);
    assertEquals(Optional.of("zoe"), of(type, ascii).form("user", List.of()));
  }

  @AfterAll
  static void tell() {
    CASES.tell();
  }

  /** Packs a text so that the bytes hold another one as it is, in a place that readers skip. */
  private static byte[] gzip(String hidden, String text) throws IOException {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write(text.getBytes(UTF_8));
    }
    byte[] plain = zipped.toByteArray();
    plain[3] = 8; // the name of a file follows
    ByteArrayOutputStream named = new ByteArrayOutputStream();
    named.write(plain, 0, 10);
    named.writeBytes(hidden.getBytes(ISO_8859_1));
    named.write(0);
    named.write(plain, 10, plain.length - 10);
    return named.toByteArray();
  }

  private static BodyContent zipped(String type, String hidden, String text) throws IOException {
    return new BodyContent(
        gzip(hidden, text),
        true,
        true,
        Optional.of(
            new BodyContent.Decoding(
                text.getBytes(UTF_8),
                ContentType.of(List.of(type)).orElseThrow(),
                Optional.empty(),
                32)),
        false,
        null);
  }

  @Test
  void refusesCompressedBytesThatAreAFormAlsoAsTheyAre() throws IOException {
    String form = "application/x-www-form-urlencoded";
    for (String hidden : List.of("&user=bob&", "&us%65r&%zz", "&%75s%65r=", "x&user&+=%")) {
      BodyContent body = zipped(form, hidden, "user=ann");
      assertThrows(InvalidRequestException.class, () -> body.form("user", List.of()), hidden);
      assertEquals(Optional.empty(), body.form("other", List.of()));
    }
    assertEquals(Optional.of("ann"), zipped(form, "a.txt", "user=ann").form("user", List.of()));
    String multipart = "multipart/form-data; boundary=xyz";
    String parts =
        "--xyz\r\nContent-Disposition: form-data; name=\"user\"\r\n\r\nann\r\n--xyz--\r\n";
    BodyContent twice = zipped(multipart, "\r\n" + parts, parts);
    assertThrows(InvalidRequestException.class, () -> twice.form("user", List.of()));
    assertEquals(Optional.of("ann"), zipped(multipart, "a", parts).form("user", List.of()));
  }
}
