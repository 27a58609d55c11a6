package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests who sees and changes what in the console. */
@NeedsChromium
@ExtendWith(SharedConsole.class)
class WhoMayTest {
  private final ConsoleServer server = SharedConsole.server();

  /** What changes something, by its place in a page. */
  private static final String CONTROLS =
      String.join(
          ",",
          "#rule-form",
          "#to-draft",
          "#to-shadow",
          "#to-enforced",
          "#new-rule",
          "#switch-form",
          "#change-limit",
          "#switch-policy",
          "#new-entry",
          "[data-lift]",
          "#edit-tier",
          "#delete-tier",
          "#add-grant",
          "#edit-quota",
          "[data-restore]",
          "[data-end]",
          "[data-extend]",
          "[data-reset]",
          "[data-revoke]",
          "[data-decide]",
          "#hit-most a[href*='rules/new']");

  @Test
  void aViewerSeesAllAndChangesNothing() {
    String user = SharedConsole.unique("seen");
    String path = "/api/" + user;
    long rule = server.ruleToUseUp("free", path, 5, 3_600);
    String policy = server.get("/rules/" + rule).path("name").asText();
    Await.until("it is refused", () -> !server.check(user, path));
    server.put("PUT", ConsoleServer.ADMIN + "/user?userId=" + user, "{\"tier\": \"free\"}");
    server.put(
        "POST",
        ConsoleServer.ADMIN + "/user/grants?userId=" + user,
        "{\"permits\": 5, \"reason\": \"of the test\"}");
    server.put(
        "PUT",
        ConsoleServer.ADMIN + "/switches/" + policy,
        "{\"state\": \"SHADOW\", \"reason\": \"of the test\", \"until\": \""
            + Instant.now().plusSeconds(3_600)
            + "\"}");
    server.sql(
        "INSERT INTO weir.tier_upgrade_requests (user_id, current_tier, requested_tier, reason, status,"
            + " pending_of, created_at) VALUES (?, 'free', 'gold', '', 'PENDING', ?, ?)",
        user,
        user,
        Instant.now().atOffset(ZoneOffset.UTC));

    Map<String, String> pages = new LinkedHashMap<>();
    pages.put("/", "now");
    pages.put("/policies", "policies");
    pages.put("/policies/" + policy, "policy");
    pages.put("/rules", "rules");
    pages.put("/rules/new", "rule");
    pages.put("/rules/" + rule, "rule");
    pages.put("/callers", "callers");
    pages.put("/callers/user/" + user, "callers");
    pages.put("/switches", "switches");
    pages.put("/access", "access");
    pages.put("/anomalies", "anomalies");
    pages.put("/upgrades", "upgrades");
    pages.put("/usage", "usage");
    pages.put("/what-if?endpointPattern=/api/*&limitCount=100&windowSeconds=3600", "whatif");
    pages.put("/changes", "changes");
    pages.put("/problems", "problems");
    pages.put("/nodes", "nodes");
    Map<String, Boolean> offered = new LinkedHashMap<>();
    Browser administrator = SharedConsole.administrator("/");
    pages.forEach(
        (address, view) -> {
          administrator.show(address, view);
          settle(administrator, address);
          offered.put(address, administrator.has(CONTROLS));
        });
    assertTrue(offered.values().stream().filter(each -> each).count() >= 9, offered::toString);
    Browser viewer = SharedConsole.second("weir-view", null, "/");
    pages.forEach(
        (address, view) -> {
          viewer.show(address, view);
          settle(viewer, address);
          viewer.awaitText("#read-only", "weir-view");
          assertFalse(viewer.has(CONTROLS), address + " offers a change to a viewer");
          assertFalse(viewer.has("#view .notice.bad .actions"), address + " can't be read");
        });
    viewer.show("/rules/" + rule, "rule");
    viewer.awaitText("#rule-facts", path);
    viewer.assertFlawless("a rule as a viewer sees it");
    viewer.show("/callers/user/" + user, "callers");
    viewer.awaitText("#caller-buckets-table", "of 5 per ");
    viewer.type("#try-endpoint", path);
    viewer.click("#try");
    viewer.awaitText("#tried", "Caller: user " + user);
    viewer.assertFlawless("a caller as a viewer sees it");

    forceEverything(viewer, rule, policy, user);
    assertEquals("ENFORCED", server.get("/rules/" + rule).path("state").asText());
    assertEquals(5, server.get("/rules/" + rule).path("limitCount").asLong());
  }

  private static void settle(Browser browser, String address) {
    if (address.startsWith("/what-if")) {
      browser.await("#what-if-tiles");
    }
  }

  /** Sends what the pages of an administrator would. */
  private void forceEverything(Browser viewer, long rule, String policy, String user) {
    String rules = "admin/ratelimit/rules";
    String account = "admin/ratelimit/user";
    String who = "?userId=" + user;
    String body = "{\"userId\": \"" + user + "\", \"endpoint\": \"/api/posts\"}";
    JsonNode pending = server.get("/upgrades?status=PENDING").path("items").get(0);
    String upgrade = "admin/ratelimit/upgrades/" + pending.path("id").asText();
    String change = server.get("/changes?limit=1").path("items").get(0).path("number").asText();
    assertEquals(200, viewer.send("GET", rules, ""));
    String[][] forced = {
      {"POST", rules, "{}"},
      {"POST", "admin/ratelimit/access", "{}"},
      {"DELETE", "admin/ratelimit/access/1", ""},
      {"PUT", rules + "/" + rule, "{}"},
      {"DELETE", rules + "/" + rule, ""},
      {"POST", rules + "/" + rule + "/state", "{\"state\": \"DRAFT\"}"},
      {"PUT", "admin/ratelimit/switches/" + policy, "{}"},
      {"DELETE", "admin/ratelimit/switches/" + policy, ""},
      {"PUT", account + who, "{\"tier\": \"gold\"}"},
      {"DELETE", account + who, ""},
      {"PUT", account + "/quota" + who, "{}"},
      {"POST", account + "/grants" + who, "{\"permits\": 5}"},
      {"POST", "admin/ratelimit/callers/reset", body},
      {"POST", "admin/ratelimit/anomalies/end", body},
      {"POST", upgrade + "/approve", "{}"},
      {"POST", upgrade + "/decline", "{}"},
      {"POST", "admin/ratelimit/changes/" + change + "/restore", ""},
      {"POST", "ratelimit/check", body},
    };
    for (String[] each : forced) {
      assertEquals(403, viewer.send(each[0], each[1], each[2]), each[0] + " " + each[1]);
    }
  }

  @Test
  void aUserSeesItsOwnOnly() {
    String other = SharedConsole.unique("bob-the-other");
    for (int i = 0; i < 10; i++) {
      server.check(other, "/api/posts");
    }
    String name = SharedConsole.unique("alice");
    server.check(name, "/api/posts");
    Browser user = SharedConsole.second("user", name, "/");
    user.awaitText("#my-limits-table", "/api/posts");
    assertEquals("#/me", user.hash());
    for (String address :
        List.of(
            "/callers/user/" + other,
            "/callers",
            "/rules",
            "/rules/1",
            "/rules/new",
            "/policies",
            "/switches",
            "/usage",
            "/usage?by=user",
            "/upgrades",
            "/anomalies",
            "/what-if",
            "/changes",
            "/problems",
            "/nodes")) {
      user.run("location.hash = arguments[0];", address);
      user.awaitText("#title", "Not for this account");
      assertFalse(user.has("#view table, #view form"), address);
    }
    user.assertFlawless("a page for others");
    for (String path :
        List.of(
            "admin/ratelimit/rules",
            "admin/ratelimit/callers?userId=" + other,
            "admin/ratelimit/usage/" + other,
            "admin/ratelimit/usage?format=csv",
            "admin/ratelimit/user?userId=" + other,
            "admin/ratelimit/outcomes",
            "admin/ratelimit/events",
            "ratelimit/status?userId=" + other)) {
      assertEquals(403, user.send("GET", path, ""), path);
    }
    for (String path : List.of("callers", "callers/account", "what-if")) {
      assertEquals(
          403,
          user.send("POST", "admin/ratelimit/" + path, "{\"userId\": \"" + other + "\"}"),
          path);
    }
    for (String path : List.of("status", "refusals", "usage/hours", "tiers", "tier/upgrades")) {
      String own = user.read("../dashboard/" + path + "?userId=" + other);
      assertFalse(own.contains(other), path + " of somebody else: " + own);
    }
    assertFalse(
        ((String) user.run("return document.documentElement.outerHTML;"))
            .replace("#/callers/user/" + other, "")
            .contains(other));
    assertFalse(user.has("#nav-rules"), "the menu has no pages of administrators");
  }
}
