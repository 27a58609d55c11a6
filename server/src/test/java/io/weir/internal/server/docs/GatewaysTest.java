package io.weir.internal.server.docs;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.weir.compat.redis.Await;
import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.RuleWindow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests real gateways, configured as docs/service-gateways.md says, in front of an Express
 * application.
 */
class GatewaysTest {
  /** Spellings of which Express takes some for an item, and Weir must not take them for less. */
  private static final List<String> ITEMS =
      List.of(
          "/item/8",
          "/item/8/",
          "/item/;8",
          "/item/8;x",
          "/item/;",
          "/item/8%2Fx",
          "/item/8%2fx",
          "/item/8%5Cx",
          "/item/8\\x",
          "/item/%2F8",
          "/item/8%3Bx",
          "/item/8;x%2Fy",
          "/item/8?x=/../",
          "/item//8",
          "//item/8",
          "/item/%38",
          "/ITEM/8",
          "http://127.0.0.1/item/8",
          "/item/8%2520",
          "/item/8%252F9");

  /** Paths that must not reach the application, because other servers would leave its folder. */
  private static final List<String> REFUSED =
      List.of(
          "/item/8%2F..%2F..%2Fx",
          "/item/8%2f%2e%2e%2f%2e%2e%2fx",
          "/item/8%5C..%5C..%5Cx",
          "/item/..%2f8",
          "/item/8;/..;/..;/x",
          "/search/shoes/../../x",
          "/search/shoes/%2e%2e/%2E./x",
          "/search/shoes/..;/x",
          "/search/shoes/./x",
          "/item/%252e%252e",
          "/item/8%FF",
          "/item/8%C0%AE",
          "/item/8\u00e9",
          "/item/8#x",
          "/%FF");

  private static final RuleWindow AN_HOUR = RuleWindow.ofSeconds(3_600);

  private static ExpressApplication application;
  @TempDir private Path folder;

  @BeforeAll
  static void start() throws Exception {
    application = new ExpressApplication();
  }

  @AfterAll
  static void stop() {
    if (application != null) {
      application.close();
    }
  }

  /** Two requests an hour of each address for what is limited: no test takes as long. */
  private static List<RuleBuilder> rules() {
    List<RuleBuilder> rules = new ArrayList<>();
    for (String each : List.of("/item/{id}", "/search/*", "/{page}/{part}")) {
      rules.add(Rule.builder("*", each).limit(2).window(AN_HOUR).countBy(List.of("IP")));
    }
    for (String each : List.of("/ready/now", "/static/*")) {
      rules.add(Rule.builder("*", each).limit(1_000_000).countBy(List.of("IP")));
    }
    return rules;
  }

  private Gateway nginx() throws Exception {
    return Gateway.nginx(folder, application.address(), rules());
  }

  private Gateway caddy() throws Exception {
    return Gateway.caddy(folder, application.address(), rules());
  }

  @Test
  void nginxTellsALimitAndWhenToComeBack() throws Exception {
    try (Gateway gateway = nginx()) {
      assertLimits(gateway);
    }
  }

  @Test
  void nginxTellsALimitWhileOneOfTwoServersIsAway() throws Exception {
    try (Gateway gateway = Gateway.nginxOfTwoServers(folder, application.address(), rules())) {
      assertLimits(gateway);
      for (int i = 0; i < 2; i++) { // whichever address is asked first
        assertRefused(gateway.get("/item/8"), gateway);
        assertTellsWhatIsWrong(gateway);
      }
      gateway.loseServer();
      assertEquals(503, gateway.get("/static/a").status(), "nobody decides");
    }
  }

  @Test
  void caddyTellsALimitWithItsFieldsAndItsDocument() throws Exception {
    try (Gateway gateway = caddy()) {
      RawAnswer refused = assertLimits(gateway);
      assertEquals(1, refused.values("RateLimit").size(), () -> refused.head().toString());
      assertTrue(refused.body().contains("quota-exceeded"), refused.body());
      RawAnswer admitted = gateway.get("/static/a");
      assertTrue(admitted.body().contains("\"Ratelimit\""), admitted.body());
    }
  }

  @Test
  void preflightsPassNginxUndecidedAndNothingElse() throws Exception {
    try (Gateway gateway = Gateway.nginxWithPreflights(folder, application.address(), rules())) {
      assertOnlyPreflightsPass(gateway);
    }
  }

  @Test
  void preflightsPassCaddyUndecidedAndNothingElse() throws Exception {
    try (Gateway gateway = Gateway.caddyWithPreflights(folder, application.address(), rules())) {
      assertOnlyPreflightsPass(gateway);
    }
  }

  private static void assertOnlyPreflightsPass(Gateway gateway) {
    String[] asking = {"Origin", "https://shop.example", "Access-Control-Request-Method", "GET"};
    for (int i = 0; i < 3; i++) {
      assertEquals(200, gateway.options("/item/8", asking).status(), gateway::said);
    }
    for (int i = 0; i < 2; i++) {
      assertEquals(200, gateway.get("/item/8", asking).status(), gateway::said);
    }
    RawAnswer refused = gateway.get("/item/8", asking);
    assertRefused(refused, gateway);
    assertEquals(List.of(asking[1]), refused.values("Access-Control-Allow-Origin"));
    assertTrue(
        refused.values("Access-Control-Expose-Headers").get(0).contains("Retry-After"),
        gateway::said);
    assertEquals(200, gateway.options("/item/8", asking).status(), gateway::said);
    List<String[]> others =
        List.of(
            new String[] {},
            new String[] {asking[0], asking[1]},
            new String[] {asking[2], asking[3]},
            new String[] {asking[0], asking[1], asking[2], asking[3], "Authorization", "Basic x"},
            new String[] {asking[0], asking[1], asking[2], asking[3], "Cookie", "a=b"},
            new String[] {asking[0], asking[1], asking[2], asking[3], "X-Api-Key", "x"},
            new String[] {asking[0], asking[1], asking[2], ""},
            new String[] {asking[0], asking[1], asking[2], "GET:x"},
            new String[] {asking[0], "", asking[2], asking[3]},
            new String[] {asking[2], "GET:x"});
    List<Executable> refusals = new ArrayList<>();
    for (String[] other : others) {
      refusals.add(() -> assertRefused(gateway.options("/item/8", other), gateway));
    }
    refusals.add(() -> assertRefused(gateway.options("/item/8?token=x", asking), gateway));
    assertAll(refusals);
  }

  @Test
  void bothRefuseForGoodWhatCostsMoreThanTheLimit() throws Exception {
    List<RuleBuilder> paid =
        List.of(
            Rule.builder("*", "/item/{id}")
                .limit(2)
                .window(AN_HOUR)
                .countBy(List.of("IP"))
                .costFrom("query:amount"));
    try (Gateway nginx = Gateway.nginx(folder("nginx"), application.address(), paid)) {
      assertNeverAdmitted(nginx);
    }
    try (Gateway caddy = Gateway.caddy(folder("caddy"), application.address(), paid)) {
      assertNeverAdmitted(caddy);
    }
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectory(folder.resolve(name));
  }

  @Test
  void bothDenyWhomTheAccessListDenies() throws Exception {
    for (String kind : List.of("nginx", "caddy")) {
      Path own = folder(kind);
      try (Gateway gateway =
          kind.equals("nginx")
              ? Gateway.nginx(own, application.address(), rules())
              : Gateway.caddy(own, application.address(), rules())) {
        assertEquals(200, gateway.get("/static/a").status(), gateway::said);
        gateway.denyClient();
        RawAnswer denied = gateway.get("/static/a");
        assertEquals(403, denied.status(), gateway::said);
        assertEquals(List.of(), denied.values("Retry-After"), () -> denied.head().toString());
      }
    }
  }

  private static void assertNeverAdmitted(Gateway gateway) {
    RawAnswer refused = gateway.get("/item/8?amount=3");
    assertEquals(429, refused.status(), gateway::said);
    assertEquals(List.of(), refused.values("Retry-After"), () -> refused.head().toString());
    assertEquals(200, gateway.get("/item/8?amount=2").status(), gateway::said);
    assertFalse(gateway.get("/item/8?amount=1").values("Retry-After").isEmpty(), gateway::said);
  }

  /** Checks that headers which a client invents don't give it another limit. */
  private static RawAnswer assertLimits(Gateway gateway) {
    for (int i = 0; i < 2; i++) {
      RawAnswer admitted = gateway.get("/item/8?page=1");
      assertEquals(200, admitted.status(), gateway::said);
      assertTrue(admitted.isFrom("item"), admitted.body());
      assertFalse(admitted.body().contains(gateway.secret()), "the application isn't told");
    }
    RawAnswer refused =
        gateway.get(
            "/item/8",
            "X-Forwarded-For",
            "192.0.2.1",
            "X-Forwarded-Uri",
            "/free",
            "X-Original-URI",
            "/free");
    assertRefused(refused, gateway);
    assertEquals(200, gateway.get("/free").status(), "another path goes on");
    return refused;
  }

  private static void assertRefused(RawAnswer answer, Gateway gateway) {
    assertEquals(429, answer.status(), gateway::said);
    assertEquals(1, answer.values("Retry-After").size(), () -> answer.head().toString());
    assertTrue(Long.parseLong(answer.values("Retry-After").get(0)) > 0);
  }

  @Test
  void noSpellingLeadsPastALimitBehindNginx() throws Exception {
    try (Gateway gateway = nginx()) {
      assertNoSpellingLeadsPastALimit(gateway);
    }
  }

  @Test
  void noSpellingLeadsPastALimitBehindCaddy() throws Exception {
    try (Gateway gateway = caddy()) {
      assertNoSpellingLeadsPastALimit(gateway);
    }
  }

  private static void assertNoSpellingLeadsPastALimit(Gateway gateway) {
    for (String used : List.of("/item/8", "/search/shoes", "/page/part")) {
      for (int i = 0; i < 2; i++) {
        assertEquals(200, gateway.get(used).status(), gateway::said);
      }
      assertRefused(gateway.get(used), gateway);
    }
    List<String> spellings = new ArrayList<>(ITEMS);
    spellings.addAll(REFUSED);
    spellings.add("/%73tatic/x"); // static files for Weir, any page for Express
    int reached = 0;
    for (String each : spellings) {
      reached += isLimited(application.port(), each) ? 1 : 0;
      RawAnswer answer = gateway.get(each);
      for (String handler : List.of("item", "search", "page")) {
        assertFalse(answer.isFrom(handler), () -> each + " reaches " + handler);
      }
      if (answer.status() == 429) {
        assertRefused(answer, gateway);
      } else if (REFUSED.contains(each)) {
        assertEquals(400, answer.status(), each);
      } else if (answer.status() != 200) {
        fail(each + " is answered by " + answer.status());
      }
    }
    assertTrue(reached > spellings.size() / 2, "only " + reached + " reach a limited handler");
  }

  private static boolean isLimited(int port, String path) {
    RawAnswer straight = RawAnswer.get(port, path);
    return straight.isFrom("item") || straight.isFrom("search") || straight.isFrom("page");
  }

  @Test
  void nginxTellsWhatIsWrongWithARequest() throws Exception {
    try (Gateway gateway = nginx()) {
      assertTellsWhatIsWrong(gateway);
      gateway.revokeToken();
      Await.until("the gateway is refused", () -> gateway.get("/static/a").status() == 503);
      gateway.loseServer();
      assertEquals(503, gateway.get("/static/a").status(), "nobody decides");
    }
  }

  @Test
  void caddyTellsWhatIsWrongWithARequest() throws Exception {
    try (Gateway gateway = caddy()) {
      assertTellsWhatIsWrong(gateway);
    }
  }

  private static void assertTellsWhatIsWrong(Gateway gateway) {
    RawAnswer malformed = gateway.get("/%FF");
    assertEquals(400, malformed.status(), gateway::said);
    assertEquals(List.of(), malformed.values("Retry-After"));
    String long1 = "a".repeat(5_000);
    RawAnswer tooLong = gateway.get("/static/a", "X-One", long1, "X-Two", long1);
    assertEquals(431, tooLong.status(), gateway::said);
  }
}
