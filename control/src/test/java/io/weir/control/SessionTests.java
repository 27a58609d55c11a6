package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.control.ControlApp.Reply;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pages learn who is signed in. */
interface SessionTests extends ControlAppTests {
  String SESSION = "/v1/session";

  private static List<String> roles(ControlApp app, String who) {
    Reply reply = app.get(SESSION, who);
    assertEquals(200, reply.status(), reply.response()::body);
    List<String> roles = new ArrayList<>();
    reply.body().get("roles").forEach(each -> roles.add(each.asText()));
    return roles;
  }

  @Test
  default void namesTheCallerAndItsRoles() {
    JsonNode alice = app().get(SESSION, "alice/").body();
    assertEquals("alice", alice.get("name").asText());
    assertEquals("alice", alice.get("userId").asText());
    assertFalse(alice.get("signOut").asBoolean());
    assertEquals(
        List.of("name", "userId", "roles", "validUntil", "signIn", "signOut"),
        List.copyOf(alice.properties().stream().map(Map.Entry::getKey).toList()));
    assertEquals(List.of("user"), roles(app(), "alice/"));
    assertEquals(List.of("user", "weir-view"), roles(app(), "eyes/weir-view"));
    assertEquals(List.of("user", "weir-check"), roles(app(), "gateway/weir-check"));
    assertEquals(
        List.of("user", "weir-admin", "weir-check", "weir-view"), roles(app(), "root/weir-admin"));
  }

  @Test
  default void aReservedNameIsNoUsers() {
    JsonNode address = app().get(SESSION, "ip:192.0.2.1/weir-view").body();
    assertEquals("ip:192.0.2.1", address.get("name").asText());
    assertFalse(address.hasNonNull("userId"));
    assertEquals(List.of("weir-view"), roles(app(), "ip:192.0.2.1/weir-view"));
  }

  @Test
  default void rolesHaveTheirUsualNamesWhateverTheSettingsCallThem() {
    Map<String, String> settings =
        Map.of(
            "weir.control.role.admin", "boss",
            "weir.control.role.view", "eyes",
            "weir.control.role.check", "asks",
            "weir.control.role.user", "member",
            "weir.control.sign-in", "/login");
    try (ControlApp other = app(settings)) {
      assertEquals(List.of("weir-admin", "weir-check", "weir-view"), roles(other, "a/boss"));
      assertEquals(List.of("weir-view"), roles(other, "a/eyes"));
      assertEquals(List.of("weir-check"), roles(other, "a/asks"));
      assertEquals(List.of("user"), roles(other, "a/member"));
      assertEquals(List.of(), roles(other, "a/weir-admin"));
      assertFalse(other.get(SESSION, "a/weir-admin").body().hasNonNull("userId"));
      assertEquals("/login", other.get(SESSION, "a/boss").body().get("signIn").asText());
    }
  }

  @Test
  default void whoIsNotSignedInLearnsWhereTo() {
    Reply nowhere = app().get(SESSION, "");
    assertEquals(401, nowhere.status());
    assertEquals("application/problem+json", nowhere.header("Content-Type"));
    assertFalse(nowhere.body().has("signIn"));
    try (ControlApp other = app(Map.of("weir.control.sign-in", "https://sso.example/login?x=1"))) {
      for (String path : List.of(SESSION, "/v1/admin/ratelimit/rules", "/v1/dashboard/status")) {
        Reply reply = other.get(path, "");
        assertEquals(401, reply.status());
        assertEquals("https://sso.example/login?x=1", reply.body().get("signIn").asText());
        assertEquals("Authentication is required.", reply.body().get("detail").asText());
      }
      assertFalse(other.get("/v1/admin/ratelimit/rules", "alice/").body().has("signIn"));
      assertEquals(
          "https://sso.example/login?x=1",
          other.get("/v1/console/sign-in", "").body().get("signIn").asText(),
          "for pages whose other requests don't reach the API");
    }
    assertFalse(app().get("/v1/console/sign-in", "").body().hasNonNull("signIn"));
  }

  /** The application's sign-in may send a browser to what it has asked for. */
  @Test
  default void aBrowserThatShowsItIsLedToTheConsole() {
    String html = "text/html,application/xhtml+xml,*/*;q=0.8";
    for (String path : List.of(SESSION, SESSION + "/")) {
      Reply page = app().send(app().request(path, "alice/").setHeader("Accept", html));
      assertEquals(302, page.status(), path);
      URI asked = page.response().uri();
      assertEquals(
          URI.create(asked.toString().replaceFirst("session/?$", "console/")),
          asked.resolve(page.header("Location")));
    }
    assertEquals(401, app().send(app().request(SESSION, "").setHeader("Accept", html)).status());
  }

  @Test
  default void theApplicationAloneSignsInAndOut() {
    for (String verb : List.of("POST", "DELETE")) {
      assertEquals(
          405,
          app()
              .send(app().request(SESSION, "alice/").method(verb, BodyPublishers.noBody()))
              .status());
    }
  }
}
