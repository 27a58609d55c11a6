package io.weir.spring.web;

import static io.weir.bodies.HostileBody.FORM;
import static io.weir.bodies.HostileBody.JSON;
import static io.weir.bodies.HostileBody.MULTIPART;
import static io.weir.bodies.HostileBody.UPLOAD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.bodies.UnreadBody;
import io.weir.spring.web.MvcServer.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Promises of policies that read the body of a request before a handler does. */
interface MvcBodyContract {
  MvcServer server();

  /** A way to send an account. */
  record Way(String method, String path, String type, String body) {
    String of(String user) {
      return body.replace("%s", user);
    }
  }

  static Stream<Way> ways() {
    String form = "user=%s&text=a+%C3%A4%26b";
    String json = "{\"user\": \"%s\", \"text\": \"\\u00e4\"}";
    return Stream.of(
        new Way("POST", "/json", JSON, json),
        new Way("POST", "/param", FORM, form),
        new Way("PUT", "/param", FORM, form),
        new Way("POST", "/model", FORM, form),
        new Way("POST", "/values", FORM, form),
        new Way("POST", "/upload", MULTIPART, UPLOAD),
        new Way("POST", "/model", MULTIPART, UPLOAD),
        new Way("POST", "/stream", JSON, json),
        new Way("POST", "/reader", JSON, json),
        new Way("POST", "/stream", FORM, form),
        new Way("POST", "/callable?q=1", JSON, json),
        new Way("POST", "/forward", JSON, json));
  }

  private Reply send(String place, Way way, String body, String... more) throws Exception {
    List<String> fields = new ArrayList<>(List.of(MvcContract.caller(more)));
    fields.addAll(List.of("Content-Type", way.type()));
    return server().send(way.method(), place + way.path(), body, fields);
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void aHandlerReadsTheBodyAsIfNoPolicyHad(Way way) throws Exception {
    Reply plain = send("/plain", way, way.of("ann"));
    assertEquals(200, plain.status(), plain::body);
    assertTrue(plain.body().contains("ann"), plain::body);
    for (String place : List.of("/bodies", "/users-bodies")) {
      String user = "ann-" + place.substring(1) + way.hashCode();
      for (int i = 0; i < 3; i++) {
        Reply limited = send(place, way, way.of(user), "X-User", "reader");
        assertEquals(200, limited.status(), limited::body);
        assertEquals(plain.body(), limited.body().replace(user, "ann"));
        assertEquals(2 - i, limited.remaining());
      }
      MvcContract.assertRefusal(send(place, way, way.of(user), "X-User", "reader"));
    }
  }

  @Test
  default void anAccountIsOneBucketInAllItsSpellings() throws Exception {
    Way json = new Way("POST", "/json", JSON, "");
    Way form = new Way("POST", "/param", FORM, "");
    assertEquals(2, send("/bodies", json, "{\"user\": \"zo\\u00eb\"}").remaining());
    assertEquals(1, send("/bodies", json, "{\"us\\u0065r\": \"zo\\u0065\\u0308\"}").remaining());
    assertEquals(0, send("/bodies", form, "us%65r=zo%C3%AB&text=").remaining());
    MvcContract.assertRefusal(send("/bodies", form, "text=&user=zoe%CC%88"));
  }

  @Test
  default void whatCannotBeReadIsRefusedUncharged() throws Exception {
    Way json = new Way("POST", "/json", JSON, "");
    Way form = new Way("POST", "/param", FORM, "");
    for (String place : List.of("/bodies", "/users-bodies")) {
      for (String each : List.of("{\"user\":\"a\",\"user\":\"b\"}", "{", "{\"user\":{}}")) {
        assertEquals(400, send(place, json, each, "X-User", "mad").status(), each);
      }
      for (String each : List.of("user=a&text=&user=b", "user=%zz&text=")) {
        Reply refused = send(place, form, each, "X-User", "mad");
        assertEquals(400, refused.status(), each);
        assertEquals(List.of(), refused.fields());
      }
      Way twice = new Way("POST", "/param?user=a", FORM, "");
      assertEquals(400, send(place, twice, "user=a&text=", "X-User", "mad").status());
      String tooLong = "user=" + "a".repeat(70_000) + "&text=";
      assertEquals(413, send(place, form, tooLong, "X-User", "mad").status());
    }
  }

  @Test
  default void noConnectionIsClosedUnannouncedAfterARefusal() throws Exception {
    for (UnreadBody each : UnreadBody.values()) {
      for (String place : List.of("/bodies", "/users-bodies")) {
        String form = "X-User: mad\r\nContent-Type: " + FORM;
        assertEquals(413, each.post(server().port(), place + "/param", form), each.name());
      }
      String[] caller = MvcContract.caller("Content-Type", "text/plain");
      for (int i = 0; i < 3; i++) {
        assertEquals(200, server().send("POST", "/posted", "", List.of(caller)).status());
      }
      String[] fields = {caller[0] + ": " + caller[1], caller[2] + ": " + caller[3]};
      assertEquals(429, each.post(server().port(), "/posted", fields), each.name());
    }
  }

  @Test
  default void aForwardCountsByTheBodyOfTheRequest() throws Exception {
    Way way = new Way("POST", "/to-limited", JSON, "{\"user\": \"far\", \"text\": \"t\"}");
    for (int i = 0; i < 3; i++) {
      Reply reply = send("/plain", way, way.body());
      assertEquals("200 far|t", reply.status() + " " + reply.body());
    }
    MvcContract.assertRefusal(send("/plain", way, way.body()));
  }

  @Test
  default void aRouteCountsByTheBodyOfTheRequest() throws Exception {
    Way way = new Way("POST", "/routed", JSON, "{\"user\": \"routed\", \"text\": \"t\"}");
    for (int i = 0; i < 3; i++) {
      Reply reply = send("", way, way.body());
      assertEquals("200 routed|t", reply.status() + " " + reply.body());
    }
    MvcContract.assertRefusal(send("", way, way.body()));
    assertEquals(400, send("", way, "{\"user\": [1]}").status());
  }
}
