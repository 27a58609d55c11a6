package io.weir.bodies;

import java.util.List;
import java.util.Random;

/**
 * A body by which attackers try to have a policy read another {@code user} than the application
 * does.
 *
 * @param type the media type
 * @param body the bytes, each as one character
 */
public record HostileBody(String type, String body) {
  /** The media type of forms. */
  public static final String FORM = "application/x-www-form-urlencoded";

  /** The media type of JSON. */
  public static final String JSON = "application/json";

  /** The media type of a multipart form. */
  public static final String MULTIPART = "multipart/form-data; boundary=xyz";

  /** A field of a multipart form, and its end. */
  public static final String PART =
      "--xyz\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n--xyz--\r\n";

  /** A multipart form with a field and a file. */
  public static final String UPLOAD =
      String.join(
          "\r\n",
          "--xyz",
          "Content-Disposition: form-data; name=\"user\"",
          "",
          "%s",
          "--xyz",
          "Content-Disposition: form-data; name=\"file\"; filename=\"f.txt\"",
          "Content-Type: text/plain",
          "",
          "a",
          "%s",
          "--xyz--",
          "");

  /** Pieces of which attackers make forms. */
  private static final List<String> OF_FORMS =
      List.of(
          "user",
          "us%65r",
          "%75ser",
          "USER",
          "user%00",
          "user ",
          "+user",
          " user",
          "\t",
          " ",
          "=",
          "=",
          "=",
          "&",
          "&",
          "&&",
          "&;",
          ";",
          "a",
          "b",
          "%",
          "%4",
          "%41",
          "%zz",
          "%C3%A4",
          "%e4",
          "%C3",
          "%A4",
          "\u00a4",
          "\u00c3",
          "+",
          "%2B",
          "%26",
          "%3D",
          "\u00c3\u00a4",
          "\u00e4",
          "\r\n",
          "?",
          "#",
          "[0]",
          "[]",
          "user=a",
          "user=b",
          "&user=");

  /** Pieces of which attackers make JSON. */
  private static final List<String> OF_JSON =
      List.of(
          "{",
          "}",
          "{",
          "}",
          "\"user\"",
          "\"User\"",
          "\"\\u0075ser\"",
          "\"u\\ser\"",
          "'user'",
          "user",
          ":",
          ":",
          ":",
          ",",
          ",",
          "\"a\"",
          "\"b\"",
          "\"\\u0061\"",
          "null",
          "1",
          "1.5",
          "true",
          "[",
          "]",
          "//",
          "/**/",
          "\"\u00c3\u00a4\"",
          "\"\u00e4\"",
          "\u0000",
          "\u00ef\u00bb\u00bf",
          " ",
          "{\"user\":\"a\"}",
          "{\"user\":\"b\",",
          "\"user\":\"c\"",
          "\"USER\":\"d\"}",
          "\"\\ud800\"");

  /** Returns bodies that no policy can read: each reader would read them in another way. */
  public static List<HostileBody> unreadable() {
    return List.of(
        new HostileBody(FORM, "user=a&user=b"),
        new HostileBody(FORM, "user=a&us%65r=a"),
        new HostileBody(FORM, "user=%zz"),
        new HostileBody(FORM, "user=%C3%28"),
        new HostileBody(FORM, "user=%C3\u00a4"),
        new HostileBody(FORM, "user=\u00c3%A4"),
        new HostileBody(FORM, "b=c& user=a"),
        new HostileBody(FORM, "user=a\r\n"),
        new HostileBody(FORM + ";charset=x-nothing", "user=a"),
        new HostileBody(FORM + ";charset=UTF-16", "user=a"),
        new HostileBody("text/plain", "user=a"),
        new HostileBody("nothing", "user=a"),
        new HostileBody(JSON, "{\"user\":\"a\",\"user\":\"b\"}"),
        new HostileBody(JSON, "{\"user\":\"a\",\"USER\":null}"),
        new HostileBody(JSON, "{\"user\":{\"a\":1}}"),
        new HostileBody(JSON, "{\"user\":[\"a\"]}"),
        new HostileBody(JSON, "{\"user\":1.5}"),
        new HostileBody(JSON, "{\"user\":\"\\ud800\"}"),
        new HostileBody(JSON, "{\"user\":\"a\"} {}"),
        new HostileBody(JSON, "{'user':'a'}"),
        new HostileBody(JSON, "{\"user\":\"a\","),
        new HostileBody(JSON, "{\"user\":\"\u00e4\"}"),
        new HostileBody(JSON, "{\"a\":" + "[".repeat(40) + "]".repeat(40) + ",\"user\":\"a\"}"),
        new HostileBody(JSON + ";charset=ISO-8859-1", "{\"user\":\"a\"}"),
        new HostileBody(MULTIPART, PART.formatted("user", "a").replace("; name", ";  name")),
        new HostileBody(MULTIPART, PART.formatted("user", "a").replace("\r\n", "\n")),
        new HostileBody(MULTIPART, "a" + PART.formatted("user", "a")),
        new HostileBody(
            MULTIPART,
            PART.formatted("user", "a").replace("--xyz--\r\n", "") + PART.formatted("user", "a")),
        new HostileBody("multipart/form-data", PART.formatted("user", "a")));
  }

  /** Makes a form of random pieces. */
  public static String form(Random random) {
    return body(random, OF_FORMS);
  }

  /** Makes JSON of random pieces. */
  public static String json(Random random) {
    return body(random, OF_JSON);
  }

  private static String body(Random random, List<String> pieces) {
    StringBuilder body = new StringBuilder();
    for (int i = random.nextInt(9); i >= 0; i--) {
      body.append(pieces.get(random.nextInt(pieces.size())));
    }
    return body.toString();
  }
}
