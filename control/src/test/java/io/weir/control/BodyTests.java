package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.control.ControlApp.Reply;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Invalid bodies are rejected with the name of the field. */
interface BodyTests extends ControlAppTests {
  private void assertField(String field, String rule, String json) {
    Reply reply = app().check(json);
    assertEquals(400, reply.status(), json);
    assertEquals("application/problem+json", reply.header("Content-Type"));
    assertEquals(field, reply.body().path("field").asText(), reply.body()::toString);
    assertEquals(rule, reply.body().path("rule").asText());
    assertEquals(field + " " + rule + ".", reply.body().path("detail").asText());
  }

  private static String with(String member) {
    return "{\"userId\": \"alice\", \"endpoint\": \"/a\", " + member + "}";
  }

  @Test
  default void aBadFieldIsNamedWithItsRule() {
    assertField("cost", "must be from 1 to 1000000000", with("\"cost\": 0"));
    assertField("cost", "must be from 1 to 1000000000", with("\"cost\": 1000000001"));
    assertField("cost", "must be a whole number", with("\"cost\": 1.5"));
    assertField("cost", "must be a whole number", with("\"cost\": \"7\""));
    assertField("cost", "must be a whole number", with("\"cost\": 99999999999999999999"));
    assertField("load", "must be from 0 to 1", with("\"load\": 1.01"));
    assertField("load", "must be a number", with("\"load\": \"high\""));
    assertField("method", "must be an HTTP method", with("\"method\": \"GET /\""));
    assertField("method", "must be a string", with("\"method\": 7"));
    assertField("ip", "must be an IPv4 or IPv6 address", with("\"ip\": \"example.com\""));
    assertField("ip", "must be an IPv4 or IPv6 address", with("\"ip\": \"1.2.3.4.5\""));
    assertField("ip", "must be an IPv4 or IPv6 address", with("\"ip\": \"::g\""));
    assertField(
        "tier", "must not be blank, and must have at most 50 characters", with("\"tier\": \" \""));
    assertField("attributes", "must be an object", with("\"attributes\": []"));
    assertField(
        "attributes.header:X", "must be a string", with("\"attributes\": {\"header:X\": 7}"));
    assertField(
        "attributes",
        "must not repeat a header or a JSON field",
        with("\"attributes\": {\"header:X\": \"1\", \"header:x\": \"2\"}"));
    assertField(
        "attributes",
        "must not repeat a header or a JSON field",
        with("\"attributes\": {\"json:/user\": \"1\", \"json:/User\": \"2\"}"));
    for (String name :
        List.of("user", "body:user", "json:user", "json:/a~2", "form:user|json:/user")) {
      assertField(
          "attributes",
          "must have names of one place each: header:, query:, cookie:, path:, param: or form: and"
              + " at most 255 characters, or json: and a JSON Pointer, such as json:/user/email",
          with("\"attributes\": {\"" + name + "\": \"1\"}"));
    }
    assertField(
        "userId",
        "must not contain the character U+0000 or half of a surrogate pair",
        "{\"userId\": \"a\\u0000\", \"endpoint\": \"/a\"}");
    assertField(
        "userId",
        "must not contain the character U+0000 or half of a surrogate pair",
        "{\"userId\": \"\\ud800\", \"endpoint\": \"/a\"}");
    assertField("userId", "must be given, or else apiKey or ip", "{\"endpoint\": \"/a\"}");
    assertField("endpoint", "must be given", "{\"userId\": \"alice\"}");
    assertField(
        "endpoint", "must begin with / or policy:", "{\"userId\": \"a\", \"endpoint\": \"a\"}");
    for (String garbled : new String[] {"/%", "/%4", "/%zz", "/%ff", "/%00"}) {
      assertField(
          "endpoint",
          "must use % only before two hexadecimal digits, and encode UTF-8",
          "{\"userId\": \"a\", \"endpoint\": \"" + garbled + "\"}");
    }
    assertField("body", "must be an object", "7");
    assertField("body", "must be an object", "null");
  }

  @Test
  default void aBadItemOfAListHasAProblemInItsPlace() {
    app().rule("free", "*", 5);
    String good = "{\"userId\": \"a\", \"endpoint\": \"/a\"}";
    Reply reply =
        app()
            .check(
                "["
                    + String.join(
                        ",", good, with("\"cost\": []"), with("\"load\": 2"), "[]", "null", good)
                    + "]");
    assertEquals(200, reply.status(), () -> reply.body().toString());
    assertEquals(4, reply.body().at("/0/remaining").asLong());
    assertProblem("[1].cost", "must be a whole number", reply.body().get(1));
    assertProblem("[2].load", "must be from 0 to 1", reply.body().get(2));
    assertProblem("[3]", "must be an object", reply.body().get(3));
    assertProblem("[4]", "must be an object", reply.body().get(4));
    assertEquals(3, reply.body().at("/5/remaining").asLong());
  }

  private static void assertProblem(String field, String rule, JsonNode document) {
    assertEquals(field, document.path("field").asText(), document::toString);
    assertEquals(rule, document.path("rule").asText(), document::toString);
    assertEquals(400, document.path("status").asLong(), document::toString);
    assertTrue(document.path("allowed").isMissingNode(), document::toString);
  }

  @Test
  default void aBadItemOfAListThatIsDecidedTogetherChargesNobody() {
    app().rule("free", "*", 5);
    String good = "{\"userId\": \"a\", \"endpoint\": \"/a\"}";
    Reply reply =
        app().post("/v1/ratelimit/check?atomic=true", "[" + good + "," + with("\"load\": 2") + "]");
    assertEquals(400, reply.status());
    assertProblem("[1].load", "must be from 0 to 1", reply.body());
    assertEquals(4, app().check(good).body().get("remaining").asLong());
    assertField("body", "must have at most 1000 items", "[" + "{},".repeat(1_000) + "{}]");
  }

  @Test
  default void checksIgnoreUnknownMembersOfClientsThatAreNewer() {
    String newer = with("\"colour\": {\"of\": [1, 2]}");
    assertEquals(200, app().check(newer).status());
    assertEquals(200, app().post("/v1/ratelimit/explain", newer).status());
    Reply listed = app().check("[" + newer + "]");
    assertTrue(listed.body().at("/0/allowed").asBoolean(), listed.body()::toString);
  }

  @Test
  default void parametersAreChecked() {
    Reply reply = app().post("/v1/ratelimit/check?atomic=yes", "[]");
    assertEquals(400, reply.status());
    assertEquals("atomic must be true or false.", reply.body().get("detail").asText());
    assertEquals(400, app().post("/v1/ratelimit/check?status=true", "[]").status());
    assertEquals(200, app().post("/v1/ratelimit/check?atomic=true", "[]").status());
  }

  @Test
  default void whatIsNotJsonIsRefused() {
    String[] wrong = {
      "",
      " ",
      "{",
      "{}{}",
      "[1,]",
      "{\"a\": 1, \"a\": 2}",
      "{'userId': 'a'}",
      "{\"a\": NaN}",
      "{\"a\": " + "9".repeat(100) + "}",
      "{\"a\":".repeat(100) + "1" + "}".repeat(100),
      "[".repeat(30_000),
      "/* */ {}",
      "\u0000"
    };
    for (String each : wrong) {
      Reply reply = app().check(each);
      String shown = each.substring(0, Math.min(40, each.length()));
      assertEquals(400, reply.status(), shown);
      assertTrue(reply.body().get("detail").asText().startsWith("The body is"), shown);
      assertTrue(reply.response().body().length() < 1_000, shown);
    }
  }

  @Test
  default void whatIsNotUtf8IsRefused() {
    byte[][] wrong = {
      {'{', '"', (byte) 0xff, '"', ':', '1', '}'},
      "{\"userId\": \"ä\"}".getBytes(StandardCharsets.ISO_8859_1),
      {'"', (byte) 0xc0, (byte) 0x80, '"'},
      {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'}
    };
    for (byte[] each : wrong) {
      Reply reply =
          app()
              .send(
                  app()
                      .request("/v1/ratelimit/check", "gateway/weir-check")
                      .header("Content-Type", "application/json")
                      .POST(BodyPublishers.ofByteArray(each)));
      assertEquals(400, reply.status());
      assertEquals("The body isn't UTF-8.", reply.body().get("detail").asText());
    }
    assertEquals(
        400,
        app()
            .send(
                app()
                    .request("/v1/ratelimit/check", "gateway/weir-check")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{}", StandardCharsets.UTF_16)))
            .status());
  }

  @Test
  default void aLongBodyIsRefusedWhateverItsLengthIsSaidToBe() {
    String fits = with("\"x\": \"" + "x".repeat(65_536 - with("\"x\": \"\"").length()) + "\"");
    assertEquals(65_536, fits.length());
    assertEquals(200, app().check(fits).status());
    assertEquals(413, app().check(fits + " ").status());
    Reply chunked =
        app()
            .send(
                app()
                    .request("/v1/ratelimit/check", "gateway/weir-check")
                    .header("Content-Type", "application/json")
                    .POST(
                        BodyPublishers.ofInputStream(
                            () ->
                                new ByteArrayInputStream(
                                    (fits + " ").getBytes(StandardCharsets.UTF_8)))));
    assertEquals(413, chunked.status());
    assertEquals("The body is longer than 65536 bytes.", chunked.body().get("detail").asText());
  }

  @Test
  default void anotherTypeIsRefused() {
    String[] types = {
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/xml",
      "application/json; charset=ISO-8859-1",
      "multipart/form-data; boundary=x"
    };
    for (String each : types) {
      Reply reply =
          app()
              .send(
                  app()
                      .request("/v1/ratelimit/check", "gateway/weir-check")
                      .header("Content-Type", each)
                      .POST(BodyPublishers.ofString("{}")));
      assertEquals(415, reply.status(), each);
      assertEquals("application/problem+json", reply.header("Content-Type"));
    }
    Reply none =
        app()
            .send(
                app()
                    .request("/v1/ratelimit/check", "gateway/weir-check")
                    .POST(BodyPublishers.ofString("{}")));
    assertEquals(415, none.status());
  }

  @Test
  default void whatIsNotThereIsToldAsAProblem() {
    assertProblem(404, app().get("/v1/ratelimit/nothing", "root/weir-admin"));
    assertProblem(405, app().get("/v1/ratelimit/check", "root/weir-admin"));
    assertProblem(
        406,
        app()
            .send(
                app()
                    .request("/v1/ratelimit/status/a", "root/weir-admin")
                    .header("Accept", "text/csv")));
  }

  private static void assertProblem(int status, Reply reply) {
    assertEquals(status, reply.status());
    assertEquals(
        "application/problem+json",
        reply.header("Content-Type").toLowerCase(Locale.ROOT),
        reply.response()::body);
    assertEquals(status, reply.body().get("status").asInt());
    assertEquals("no-store", reply.header("Cache-Control"));
  }
}
