package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.ControlApp.Reply;
import io.weir.control.Endpoints.Endpoint;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each endpoint is open to the roles in its {@code @OpenTo}, and to no others. */
interface AccessTests extends ControlAppTests {
  /** Callers, with the roles that they have. */
  Map<String, Set<ControlRole>> VISITORS =
      Map.of(
          "", Set.of(),
          "alice/", Set.of(ControlRole.USER),
          "meter/weir-metrics", Set.of(ControlRole.USER),
          "gateway/weir-check", Set.of(ControlRole.USER, ControlRole.CHECK),
          "root/weir-admin", Set.of(ControlRole.USER, ControlRole.CHECK, ControlRole.ADMIN));

  @Test
  default void eachEndpointLetsInWhomItIsForAndNobodyElse() {
    List<String> wrong = new ArrayList<>();
    for (Endpoint each : Endpoints.all()) {
      VISITORS.forEach(
          (visitor, roles) -> {
            int status = send(each, visitor).status();
            boolean isLetIn = status != 401 && status != 403;
            OpenTo opened = each.method().getAnnotation(OpenTo.class);
            boolean mayEnter =
                opened != null && List.of(opened.value()).stream().anyMatch(roles::contains);
            if (isLetIn != mayEnter || status >= 500) {
              wrong.add(each + " answers " + status + " to '" + visitor + "'");
            }
            if (!isLetIn && status != (visitor.isEmpty() ? 401 : 403)) {
              wrong.add(each + " answers " + status + " instead of 401 or 403");
            }
          });
    }
    assertEquals(List.of(), wrong);
  }

  private Reply send(Endpoint endpoint, String visitor) {
    String path = endpoint.path("x") + (endpoint.isStream() ? "?seconds=0" : "");
    HttpRequest.Builder request = app().request(path, visitor);
    if (visitor.isEmpty()) {
      request.header("Origin", app().address().toString()).header("X-Weir", "1");
    }
    return endpoint.takesBody()
        ? app().send(request, endpoint.verb(), "{}", endpoint.bodyType())
        : app().send(request.method(endpoint.verb(), BodyPublishers.noBody()));
  }

  @Test
  default void eachEndpointIsOpenedForSomebody() {
    for (Endpoint each : Endpoints.all()) {
      assertTrue(each.method().isAnnotationPresent(OpenTo.class), each::toString);
    }
    assertTrue(Endpoints.all().size() >= 5);
  }

  @Test
  default void nobodyLearnsAnythingByOptionsOrHead() {
    for (Endpoint each : Endpoints.all()) {
      Reply options =
          app().send(app().request(each.path("x"), "").method("OPTIONS", BodyPublishers.noBody()));
      assertEquals(405, options.status(), each::toString);
      assertFalse(options.response().body().contains("wadl"), each::toString);
      Reply head =
          app().send(app().request(each.path("x"), "").method("HEAD", BodyPublishers.noBody()));
      assertTrue(head.status() == 401 || head.status() == 405, each::toString);
    }
  }

  @Test
  default void traceRepeatsNoCredentials() {
    Reply traced =
        app()
            .send(
                app()
                    .request("/v1/openapi.json", "root/weir-admin")
                    .method("TRACE", BodyPublishers.noBody()));
    assertEquals(405, traced.status());
    assertFalse(traced.response().body().contains("root/weir-admin"));
  }

  @Test
  default void aUserSeesItsOwnStatusOnly() {
    assertEquals(200, app().get("/v1/ratelimit/status/alice", "alice/").status());
    assertEquals(403, app().get("/v1/ratelimit/status/bob", "alice/").status());
    assertEquals(403, app().get("/v1/ratelimit/status/Alice", "alice/").status());
    assertEquals(200, app().get("/v1/ratelimit/status/%61lice", "alice/").status());
  }

  @Test
  default void theRolesHaveTheNamesOfTheSettings() {
    Map<String, String> settings =
        Map.of(
            "weir.control.role.admin", "boss",
            "weir.control.role.check", "asks",
            "weir.control.role.user", "member");
    try (ControlApp other = app(settings)) {
      assertEquals(403, checks(other, "root/weir-admin"));
      assertEquals(403, checks(other, "gateway/weir-check"));
      assertEquals(200, checks(other, "root/boss"));
      assertEquals(200, checks(other, "gateway/asks"));
      assertEquals(200, other.get("/v1/openapi.json", "alice/member").status());
      assertEquals(403, other.get("/v1/openapi.json", "alice/").status());
      assertEquals(200, other.get("/v1/ratelimit/status/alice", "alice/member").status());
      assertEquals(403, other.get("/v1/ratelimit/status/alice", "alice/").status());
    }
  }

  private static int checks(ControlApp app, String who) {
    return app.send(app.request("/v1/ratelimit/check", who), "POST", DecideTests.ALICE).status();
  }

  /** Sends a request of a browser that is signed in by a cookie. */
  private Reply byCookie(ControlApp app, String... headers) {
    HttpRequest.Builder request =
        app.request("/v1/ratelimit/check", "").header("Cookie", "who=root/weir-admin");
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return app.send(request, "POST", DecideTests.ALICE);
  }

  @Test
  default void withoutATokenOnlyThePageItselfChangesAnything() {
    ControlApp app = app();
    String own = app.address().toString();
    assertEquals(200, byCookie(app, "Origin", own, "X-Weir", "1").status());
    assertEquals(403, byCookie(app, "Origin", own).status());
    assertEquals(403, byCookie(app, "X-Weir", "1").status());
    assertEquals(403, byCookie(app, "Origin", own, "X-Weir", "0").status());
    for (String forged :
        new String[] {
          "https://evil.example",
          "null",
          "",
          own + ".evil.example",
          own.replace("http", "https"),
          "http://127.0.0.1",
          own + "/"
        }) {
      assertEquals(403, byCookie(app, "Origin", forged, "X-Weir", "1").status(), forged);
    }
    Reply refused = byCookie(app, "Origin", "https://evil.example", "X-Weir", "1");
    assertEquals("application/problem+json", refused.header("Content-Type"));
    assertFalse(refused.response().headers().firstValue("Access-Control-Allow-Origin").isPresent());
  }

  @Test
  default void basicIsNoTokenEither() {
    HttpRequest.Builder basic =
        app().request("/v1/ratelimit/check", "").header("Authorization", "Basic root/weir-admin");
    assertEquals(403, app().send(basic, "POST", DecideTests.ALICE).status());
  }

  @Test
  default void anotherSitesFormIsRefused() {
    HttpRequest.Builder form =
        app()
            .request("/v1/ratelimit/check", "")
            .header("Cookie", "who=root/weir-admin")
            .header("Origin", "https://evil.example")
            .header("Content-Type", "text/plain")
            .POST(BodyPublishers.ofString(DecideTests.ALICE));
    assertEquals(415, app().send(form).status());
  }

  @Test
  default void theOriginMayBeSet() {
    try (ControlApp other =
        app(Map.of("weir.control.origin", "https://console.example, https://b.example"))) {
      assertEquals(
          200, byCookie(other, "Origin", "https://console.example", "X-Weir", "1").status());
      assertEquals(
          403, byCookie(other, "Origin", other.address().toString(), "X-Weir", "1").status());
    }
  }

  @Test
  default void withACookieTheHostMustBeKnownWhereHostsAreSet() {
    try (ControlApp other = app(Map.of("weir.control.hosts", "limits.example"))) {
      assertEquals(200, statusAt(other, "limits.example:8443"));
      assertEquals(200, statusAt(other, "LIMITS.example"));
      assertEquals(200, statusAt(other, "localhost:1"));
      assertEquals(200, statusAt(other, "[::1]:1"));
      assertEquals(403, statusAt(other, "rebound.example"));
      assertEquals(403, statusAt(other, "limits.example.evil"));
    }
  }

  private static int statusAt(ControlApp app, String host) {
    return app.send(
            app.request("/v1/ratelimit/status/root", "")
                .header("Cookie", "who=root/weir-admin")
                .setHeader("Host", host)
                .GET())
        .status();
  }

  @Test
  default void noRuleLocksOutWhoIsToChangeIt() {
    app().rule("*", "*", 1);
    for (int i = 0; i < 3; i++) {
      assertEquals(200, app().get("/v1/ratelimit/status/bob", "root/weir-admin").status());
    }
  }
}
