package io.weir.control;

import static io.weir.internal.control.resource.ControlRole.ADMIN;
import static io.weir.internal.control.resource.ControlRole.ANYONE;
import static io.weir.internal.control.resource.ControlRole.CHECK;
import static io.weir.internal.control.resource.ControlRole.SIGNED_IN;
import static io.weir.internal.control.resource.ControlRole.USER;
import static io.weir.internal.control.resource.ControlRole.VIEW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.ControlApp.Reply;
import io.weir.control.Endpoints.Endpoint;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import jakarta.ws.rs.QueryParam;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each endpoint is open to the roles in its {@code @OpenTo}, and to no others. */
interface AccessTests extends ControlAppTests {
  String DRY_RUN = "?dryRun=true";

  /** Callers, with the roles that they have. */
  Map<String, Set<ControlRole>> VISITORS =
      Map.of(
          "", Set.of(ANYONE),
          "alice/", Set.of(ANYONE, SIGNED_IN, USER),
          "meter/weir-metrics", Set.of(ANYONE, SIGNED_IN, USER),
          "gateway/weir-check", Set.of(ANYONE, SIGNED_IN, USER, CHECK),
          "eyes/weir-view", Set.of(ANYONE, SIGNED_IN, USER, VIEW),
          "root/weir-admin", Set.of(ANYONE, SIGNED_IN, USER, CHECK, VIEW, ADMIN));

  /** What viewers may call besides GET. */
  Set<String> READ_BY_POST =
      Set.of(
          "POST /v1/admin/ratelimit/callers",
          "POST /v1/admin/ratelimit/callers/account",
          "POST /v1/admin/ratelimit/what-if",
          "POST /v1/ratelimit/explain");

  @Test
  default void eachEndpointLetsInWhomItIsForAndNobodyElse() {
    List<String> wrong = new ArrayList<>();
    for (Endpoint each : Endpoints.all()) {
      OpenTo opened = each.opened();
      Set<ControlRole> usual = Set.of(opened.value());
      wrong.addAll(wronglyAnswered(each, "", usual));
      if (each.hasDryRun()) {
        Set<ControlRole> dry = new HashSet<>(usual);
        dry.addAll(List.of(opened.dryRun()));
        wrong.addAll(wronglyAnswered(each, DRY_RUN, dry));
      }
    }
    assertEquals(List.of(), wrong);
  }

  private List<String> wronglyAnswered(Endpoint endpoint, String query, Set<ControlRole> opened) {
    List<String> wrong = new ArrayList<>();
    VISITORS.forEach(
        (visitor, roles) -> {
          int status = send(endpoint, query, visitor).status();
          boolean isLetIn = status != 401 && status != 403;
          boolean mayEnter = opened.stream().anyMatch(roles::contains);
          String said = endpoint + query + " answers " + status + " to '" + visitor + "'";
          if (isLetIn != mayEnter || status >= 500) {
            wrong.add(said);
          }
          if (!isLetIn && status != (visitor.isEmpty() ? 401 : 403)) {
            wrong.add(said + " instead of 401 or 403");
          }
        });
    return wrong;
  }

  @Test
  default void viewersSeeWhatAdministratorsSeeAndChangeNothing() {
    for (Endpoint each : Endpoints.all()) {
      Set<ControlRole> roles = Set.of(each.opened().value());
      boolean isOpenToAdmins = roles.contains(ADMIN) || roles.contains(CHECK);
      boolean mayView = roles.contains(VIEW);
      if (!each.verb().equals("GET")) {
        assertEquals(READ_BY_POST.contains(each.toString()), mayView, each::toString);
      } else if (each.template().equals("/v1/ratelimit/forward")) {
        assertFalse(mayView, "it decides a request");
      } else {
        assertFalse(isOpenToAdmins && !mayView, each::toString);
      }
    }
  }

  @Test
  default void aDryRunIsOneOnlyIfTheQuerySaysSoOnceAndExactly() {
    String rule =
        "{\"tier\": \"t\", \"endpointPattern\": \"/x\", \"limitCount\": 3, \"windowSeconds\": 60}";
    for (String query :
        List.of(
            "",
            "?dryRun=false",
            "?dryRun=TRUE",
            "?dryRun=1",
            "?dryrun=true",
            "?dryRun=true&dryRun=false",
            "?dryRun=false&dryRun=true",
            "?dryRun=true&dryRun=true",
            "?dryRun",
            "?x=dryRun=true")) {
      assertEquals(403, addRule(query, "eyes/weir-view", rule), query);
    }
    assertEquals(200, addRule("?dryRun=true", "eyes/weir-view", rule));
    assertEquals(200, addRule("?dry%52un=%74rue", "eyes/weir-view", rule));
    assertEquals(403, addRule("?dryRun=true", "gateway/weir-check", rule));
    assertEquals(List.of(), app().rules.rules().all());
  }

  private int addRule(String query, String who, String rule) {
    return app()
        .send(app().request("/v1/admin/ratelimit/rules" + query, who), "POST", rule)
        .status();
  }

  /** The method reads it too: otherwise a viewer would change something. */
  @Test
  default void whatIsOpenedForADryRunHasTheParameter() {
    List<Endpoint> all = Endpoints.all().stream().filter(Endpoint::hasDryRun).toList();
    assertTrue(all.size() >= 3);
    for (Endpoint each : all) {
      assertTrue(
          Stream.of(each.method().getParameters())
              .map(parameter -> parameter.getAnnotation(QueryParam.class))
              .anyMatch(query -> query != null && query.value().equals("dryRun")),
          each::toString);
    }
  }

  @Test
  default void onlyTheConsoleIsOpenToEverybody() {
    Set<String> open = new TreeSet<>();
    for (Endpoint each : Endpoints.all()) {
      if (each.isOpenToAnyone()) {
        open.add(each.toString());
      }
    }
    assertEquals(
        Set.of("GET /v1/console", "GET /v1/console/sign-in", "GET /v1/console/{file: .+}"), open);
  }

  private Reply send(Endpoint endpoint, String query, String visitor) {
    String path = endpoint.path("x") + (endpoint.isStream() ? "?seconds=0" : query);
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
      assertTrue(
          head.status() == 401 || head.status() == 405 || each.isOpenToAnyone(), each::toString);
    }
  }

  /** JAX-RS finds the method without them, so the feature's filters must find it too. */
  @Test
  default void pathParametersMakeNoDifference() {
    List<String> wrong = new ArrayList<>();
    for (Endpoint each : Endpoints.all()) {
      String path = each.path("x").replaceFirst("/v1/[a-z.]+", "$0;a=b.css");
      for (String visitor : List.of("", "alice/", "root/weir-admin")) {
        for (String verb : List.of(each.verb(), "OPTIONS", "HEAD")) {
          HttpRequest.Builder request =
              app().request(path + (each.isStream() ? "?seconds=0" : ""), visitor);
          Reply reply = app().send(request.method(verb, BodyPublishers.noBody()));
          boolean isCached = !reply.header("Cache-Control").equals("no-store");
          boolean isSniffed = !reply.header("X-Content-Type-Options").equals("nosniff");
          boolean isAnswered =
              verb.equals("OPTIONS") && reply.status() != 405
                  || verb.equals("HEAD") && each.isStream() && reply.status() != 405;
          if (isCached && !each.isOpenToAnyone() || isSniffed || isAnswered) {
            wrong.add(verb + " " + path + " answers " + reply.status() + " to '" + visitor + "'");
          }
        }
      }
    }
    assertEquals(List.of(), wrong);
    Reply invalid = app().get("/v1/admin;x/ratelimit/usage?limit=many", "root/weir-admin");
    assertEquals(400, invalid.status());
    assertEquals("limit", invalid.body().get("field").asText());
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
  default void aPageOfAnotherCallerIsRefused() {
    for (Endpoint each : Endpoints.all()) {
      if (!each.isOpenToAnyone()) {
        Reply other = app().send(expecting(each, "root", "eyes/weir-view"));
        assertEquals(409, other.status(), each::toString);
        assertEquals("eyes", other.body().path("signedInAs").asText());
        assertEquals(409, app().send(expecting(each, "%", "root/weir-admin")).status());
        assertEquals(401, app().send(expecting(each, "root", "")).status());
      }
    }
    String rules = "/v1/admin/ratelimit/rules";
    for (String name : List.of("root", "%72oot")) {
      HttpRequest.Builder own = app().request(rules, "root/weir-admin");
      assertEquals(200, app().send(own.header("X-Weir-Caller", name)).status());
    }
    HttpRequest.Builder spaced = app().request(rules, "zoe A+B/weir-admin");
    assertEquals(200, app().send(spaced.header("X-Weir-Caller", "zo%65%20A%2BB")).status());
  }

  private HttpRequest.Builder expecting(Endpoint endpoint, String name, String visitor) {
    String path = endpoint.path("x") + (endpoint.isStream() ? "?seconds=0" : "");
    return app()
        .request(path, visitor)
        .header("X-Weir-Caller", name)
        .method(endpoint.verb(), BodyPublishers.noBody());
  }

  @Test
  default void theRolesHaveTheNamesOfTheSettings() {
    Map<String, String> settings =
        Map.of(
            "weir.control.role.admin", "boss",
            "weir.control.role.view", "eyes",
            "weir.control.role.check", "asks",
            "weir.control.role.user", "member");
    try (ControlApp other = app(settings)) {
      assertEquals(403, checks(other, "root/weir-admin"));
      assertEquals(403, checks(other, "gateway/weir-check"));
      assertEquals(200, checks(other, "root/boss"));
      assertEquals(200, other.get("/v1/admin/ratelimit/rules", "ann/eyes").status());
      assertEquals(403, other.get("/v1/admin/ratelimit/rules", "ann/weir-view").status());
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
    return app.statusAt(host, "/v1/ratelimit/status/root", "Cookie: who=root/weir-admin");
  }

  @Test
  default void noRuleLocksOutWhoIsToChangeIt() {
    app().rule("*", "*", 1);
    for (int i = 0; i < 3; i++) {
      assertEquals(200, app().get("/v1/ratelimit/status/bob", "root/weir-admin").status());
    }
  }
}
