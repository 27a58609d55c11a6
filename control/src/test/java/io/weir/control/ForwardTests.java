package io.weir.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.control.ControlApp.Reply;
import io.weir.rules.Rule;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Gateways check requests by sub-requests, with the headers that the documentation of each one
 * describes.
 */
interface ForwardTests extends ControlAppTests {
  List<String> TRAEFIK =
      List.of(
          "X-Forwarded-Method",
          "GET",
          "X-Forwarded-Proto",
          "https",
          "X-Forwarded-Host",
          "shop.example",
          "X-Forwarded-Uri",
          "/api/posts?page=2",
          "X-Forwarded-For",
          "192.0.2.7",
          "Accept-Encoding",
          "gzip");
  List<String> CADDY =
      List.of(
          "X-Forwarded-Method",
          "GET",
          "X-Forwarded-Uri",
          "/api/posts",
          "X-Forwarded-Proto",
          "https",
          "X-Forwarded-Host",
          "shop.example",
          "X-Forwarded-For",
          "192.0.2.7");
  List<String> NGINX =
      List.of(
          "X-Original-Method",
          "GET",
          "X-Original-URI",
          "/api/posts",
          "X-Forwarded-For",
          "192.0.2.7");

  private static Reply ask(ControlApp app, String query, List<String> headers, String... others) {
    HttpRequest.Builder request =
        app.request("/v1/ratelimit/forward" + query, "gateway/weir-check").GET();
    for (int i = 0; i < headers.size(); i += 2) {
      request.setHeader(headers.get(i), headers.get(i + 1));
    }
    for (int i = 0; i < others.length; i += 2) {
      request.setHeader(others[i], others[i + 1]);
    }
    return app.send(request);
  }

  private void byAddress(long limit) {
    app().save(Rule.builder("*", "/api/posts").limit(limit).countBy(List.of("IP")));
  }

  @Test
  default void eachGatewayIsUnderstood() {
    byAddress(3);
    for (List<String> gateway : List.of(TRAEFIK, CADDY, NGINX)) {
      Reply admitted = ask(app(), "", gateway);
      assertEquals(200, admitted.status());
      assertEquals("", admitted.response().body());
      assertTrue(admitted.header("RateLimit").contains(";r="), admitted.header("RateLimit"));
    }
    Reply refused = ask(app(), "", TRAEFIK);
    assertEquals(429, refused.status());
    assertEquals("application/problem+json", refused.header("Content-Type"));
    assertEquals(
        "https://iana.org/assignments/http-problem-types#quota-exceeded",
        refused.body().get("type").asText());
    assertEquals("0", refused.header("X-RateLimit-Remaining"));
    assertTrue(Long.parseLong(refused.header("Retry-After")) > 0);
  }

  @Test
  default void nginxGets403InPlaceOf429() {
    byAddress(1);
    assertEquals(200, ask(app(), "?deny=403", NGINX).status());
    Reply refused = ask(app(), "?deny=403", NGINX);
    assertEquals(403, refused.status());
    assertTrue(Long.parseLong(refused.header("Retry-After")) > 0);
    assertEquals(403, ask(app(), "?deny=403", NGINX, "X-Original-URI", "/%zz").status());
    assertEquals(400, ask(app(), "?deny=429", NGINX).status());
  }

  @Test
  default void aDeniedCallerGets403WithoutFieldsOfALimit() {
    Map<String, String> settings =
        Map.of(
            "weir.access.deny", "192.0.2.7, user:mallory", "weir.control.forward.user", "X-User");
    try (ControlApp app = app(settings)) {
      app.save(Rule.builder("*", "/api/posts").limit(9).countBy(List.of("IP")));
      for (String deny : List.of("", "?deny=403")) {
        Reply denied = ask(app, deny, NGINX);
        assertEquals(403, denied.status());
        assertEquals("application/problem+json", denied.header("Content-Type"));
        assertEquals("true", denied.header("X-Weir-Denied"));
        for (String limit : List.of("Retry-After", "RateLimit", "RateLimit-Policy")) {
          assertEquals("", denied.header(limit), limit);
        }
      }
      String[] elsewhere = {"X-Forwarded-For", "192.0.2.8"};
      Reply admitted = ask(app, "", NGINX, elsewhere);
      assertEquals(200, admitted.status());
      assertEquals("", admitted.header("X-Weir-Denied"));
      assertEquals(
          403, ask(app, "", NGINX, elsewhere[0], elsewhere[1], "X-User", "mallory").status());
    }
  }

  @Test
  default void whatCostsMoreThanTheLimitHasLimitsButNoTimeToComeBack() {
    app()
        .save(
            Rule.builder("*", "/api/posts")
                .limit(3)
                .countBy(List.of("IP"))
                .costFrom("query:amount"));
    for (String deny : List.of("", "?deny=403")) {
      Reply refused = ask(app(), deny, NGINX, "X-Original-URI", "/api/posts?amount=4");
      assertEquals(deny.isEmpty() ? 429 : 403, refused.status());
      assertEquals(List.of(), refused.response().headers().allValues("Retry-After"));
      assertTrue(refused.header("RateLimit-Policy").contains("q=3"), "nginx looks at it");
      String detail = refused.body().get("detail").asText();
      assertTrue(detail.contains("never admits this request"), detail);
    }
  }

  @Test
  default void whatTheApplicationMayReadIsCountedInEachReading() {
    app().save(Rule.builder("*", "/item/{id}").limit(2).countBy(List.of("IP")));
    assertEquals(200, ask(app(), "", NGINX, "X-Original-URI", "/item/8").status());
    assertEquals(200, ask(app(), "", NGINX, "X-Original-URI", "/item/;8").status());
    String[] spellings = {"/item/;8", "/item/8%2Fx", "/item/8%5cx", "/item//8", "/item;x/8"};
    for (String each : spellings) {
      assertEquals(429, ask(app(), "", NGINX, "X-Original-URI", each).status(), each);
      assertEquals(429, ask(app(), "", CADDY, "X-Forwarded-Uri", each).status(), each);
    }
  }

  @Test
  default void whatTheApplicationMustNotGetIsRefusedWithoutATimeToComeBack() {
    String[] refused = {"/search/shoes/../../x", "/item/8%2F..%2F..%2Fx", "/%FF", "/%2", "/a#b"};
    for (String each : refused) {
      for (String deny : List.of("", "?deny=403")) {
        Reply reply = ask(app(), deny, NGINX, "X-Original-URI", each);
        assertEquals(deny.isEmpty() ? 400 : 403, reply.status(), each);
        assertEquals(List.of(), reply.response().headers().allValues("Retry-After"), each);
      }
    }
  }

  @Test
  default void theAddressIsTheOneThatTheGatewaySaw() {
    byAddress(1);
    assertEquals(200, ask(app(), "", NGINX, "X-Forwarded-For", "10.9.9.9, 192.0.2.7").status());
    assertEquals(429, ask(app(), "", NGINX, "X-Forwarded-For", "10.8.8.8, 192.0.2.7").status());
    assertEquals(429, ask(app(), "", NGINX, "X-Forwarded-For", "192.0.2.7").status());
    assertEquals(200, ask(app(), "", NGINX, "X-Forwarded-For", "192.0.2.8").status());
  }

  @Test
  default void theWalkGoesOnPastTrustedProxies() {
    try (ControlApp other = app(Map.of("weir.proxy.trusted", "10.0.0.0/8"))) {
      other.save(Rule.builder("*", "/api/posts").limit(1).countBy(List.of("IP")));
      assertEquals(200, ask(other, "", NGINX, "X-Forwarded-For", "192.0.2.7, 10.0.0.1").status());
      assertEquals(429, ask(other, "", NGINX, "X-Forwarded-For", "192.0.2.7, 10.0.0.2").status());
      assertEquals(200, ask(other, "", NGINX, "X-Forwarded-For", "192.0.2.8, 10.0.0.1").status());
    }
  }

  @Test
  default void whatAClientAddsOfAnotherGatewayIsRefused() {
    byAddress(1);
    Reply both = ask(app(), "", TRAEFIK, "X-Original-URI", "/free");
    assertEquals(400, both.status());
    assertEquals("X-Original-URI", both.body().get("field").asText());
    assertEquals(400, ask(app(), "", NGINX, "X-Forwarded-Method", "OPTIONS").status());
    try (ControlApp other = app(Map.of("weir.control.forward.by", "original"))) {
      other.save(Rule.builder("*", "/api/posts").limit(1).countBy(List.of("IP")));
      assertEquals(200, ask(other, "", NGINX, "X-Forwarded-Uri", "/free").status());
      assertEquals(429, ask(other, "", NGINX, "X-Forwarded-Uri", "/free").status());
    }
  }

  @Test
  default void whatAGatewayMustSendIsNamed() {
    assertEquals("X-Original-Method", missing("X-Original-URI", "/a"));
    assertEquals("X-Forwarded-Uri", missing("X-Forwarded-Method", "GET"));
    assertEquals("X-Forwarded-For", missing("X-Original-Method", "GET", "X-Original-URI", "/a"));
  }

  private String missing(String... headers) {
    Reply reply = ask(app(), "", List.of(headers));
    assertEquals(400, reply.status());
    return reply.body().get("field").asText();
  }

  @Test
  default void userAndKeyComeByHeadersThatSettingsName() {
    Map<String, String> settings =
        Map.of(
            "weir.control.forward.user", "X-User",
            "weir.control.forward.key", "X-Forwarded-Key",
            "weir.policy.probes.url", "/healthz",
            "weir.policy.probes.limit", "1",
            "weir.policy.probes.window", "1h",
            "weir.policy.probes.except", "/healthz");
    try (ControlApp other = app(settings)) {
      other.save(Rule.builder("*", "/api/posts").limit(1));
      other.save(Rule.builder("*", "/keyed").limit(1).countBy(List.of("header:X-Api-Key")));
      assertEquals(200, ask(other, "", NGINX, "X-User", "alice").status());
      assertEquals(429, ask(other, "", NGINX, "X-User", "alice").status());
      assertEquals(200, ask(other, "", NGINX, "X-User", "bob").status());
      List<String> keyed = List.of("X-Original-Method", "GET", "X-Original-URI", "/keyed");
      assertEquals(200, ask(other, "", keyed, "X-Forwarded-Key", "k1").status());
      assertEquals(429, ask(other, "", keyed, "X-Forwarded-Key", "k1").status());
      assertEquals(200, ask(other, "", keyed, "X-Forwarded-Key", "k2").status());
      assertCountsCredentialsOnly(other);
    }
  }

  /** The token in Authorization is the gateway's own, unless it sends that apart. */
  private static void assertCountsCredentialsOnly(ControlApp other) {
    for (int i = 0; i < 2; i++) {
      assertEquals(200, ask(other, "", NGINX, "X-Original-URI", "/healthz").status());
    }
    assertEquals(200, ask(other, "", NGINX, "X-Original-URI", "/healthz?token=x").status());
    for (String field : List.of("X-Api-Key", "X-Weir-Token")) {
      Reply guess = ask(other, "", NGINX, "X-Original-URI", "/healthz", field, "guess");
      assertEquals(429, guess.status(), field);
    }
  }

  @Test
  default void theClientsOwnHeadersCookiesAndQueryAreRead() {
    app().save(Rule.builder("*", "/q").limit(1).countBy(List.of("query:tenant")));
    app().save(Rule.builder("*", "/h").limit(1).countBy(List.of("header:X-Tenant")));
    List<String> query =
        List.of(
            "X-Original-Method",
            "GET",
            "X-Original-URI",
            "/q?x=1&tenant=a%20b",
            "X-Forwarded-For",
            "192.0.2.7");
    assertEquals(200, ask(app(), "", query).status());
    assertEquals(429, ask(app(), "", query, "X-Original-URI", "/q?tenant=a+b").status());
    assertEquals(200, ask(app(), "", query, "X-Original-URI", "/q?tenant=c").status());
    List<String> header =
        List.of("X-Original-Method", "GET", "X-Original-URI", "/h", "X-Forwarded-For", "192.0.2.7");
    assertEquals(200, ask(app(), "", header, "X-Tenant", "acme").status());
    assertEquals(429, ask(app(), "", header, "X-Tenant", "acme").status());
    assertEquals(200, ask(app(), "", header, "X-Tenant", "other").status());
  }
}
