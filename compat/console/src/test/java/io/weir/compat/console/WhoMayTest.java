package io.weir.compat.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests who sees and changes what in the console. */
@NeedsChromium
class WhoMayTest {
  private static ConsoleServer server;
  private static long rule;

  @BeforeAll
  static void start() {
    server = new ConsoleServer();
    rule = server.rule("free", "/api/posts", 5, "ENFORCED");
    for (int i = 0; i < 10; i++) {
      server.check("bob-the-other", "/api/posts");
    }
    server.check("alice", "/api/posts");
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @Test
  void aViewerSeesAndChangesNothing() {
    try (Browser viewer = new Browser(server.url())) {
      viewer.signIn(server.secret("eyes", "weir-view"), "/rules/" + rule);
      viewer.await("#rule-facts");
      assertTrue(viewer.text("#read-only").contains("weir-view"));
      assertFalse(viewer.has("#rule-form"));
      Map<String, List<String>> closed =
          Map.of(
              "/rules/" + rule,
              List.of("#rule-form", "#to-draft", "#to-shadow", "[data-restore]"),
              "/rules",
              List.of("#new-rule"),
              "/switches",
              List.of("#switch-form", "[data-end]", "[data-extend]"),
              "/callers/user/bob-the-other",
              List.of("[data-reset]", "#edit-tier", "#add-grant"),
              "/changes",
              List.of("[data-restore]"));
      Map<String, String> views =
          Map.of(
              "/rules/" + rule,
              "rule",
              "/rules",
              "rules",
              "/switches",
              "switches",
              "/callers/user/bob-the-other",
              "callers",
              "/changes",
              "changes");
      closed.forEach(
          (address, controls) -> {
            viewer.show(address, views.get(address));
            viewer.await("#read-only");
            for (String each : controls) {
              assertFalse(viewer.has(each), address + " offers " + each);
            }
            viewer.assertFlawless(address + " of a viewer");
          });
      String rules = "admin/ratelimit/rules";
      assertEquals(200, viewer.send("GET", rules, ""));
      assertEquals(403, viewer.send("POST", rules, "{}"));
      assertEquals(403, viewer.send("PUT", rules + "/" + rule, "{}"));
      assertEquals(403, viewer.send("DELETE", rules + "/" + rule, ""));
      assertEquals(
          403, viewer.send("POST", rules + "/" + rule + "/state", "{\"state\": \"DRAFT\"}"));
      assertEquals(
          403,
          viewer.send(
              "POST", "ratelimit/check", "{\"userId\": \"alice\", \"endpoint\": \"/api/posts\"}"));
      assertEquals("ENFORCED", server.get("/rules/" + rule).path("state").asText());
    }
  }

  @Test
  void aUserSeesItsOwnOnly() {
    try (Browser user = new Browser(server.url())) {
      user.signIn(server.token("alice's", "user", "alice").secret(), "/");
      user.await("#my-limits-table tbody tr");
      user.awaitText("#my-limits-table", "/api/posts");
      for (String address :
          List.of("/callers/user/bob-the-other", "/rules", "/usage", "/changes", "/nodes")) {
        user.run("location.hash = arguments[0];", address);
        user.awaitText("#title", "Not for this account");
        assertFalse(user.has("#view table"), address);
      }
      for (String path :
          List.of(
              "admin/ratelimit/rules",
              "admin/ratelimit/callers?userId=bob-the-other",
              "admin/ratelimit/usage/bob-the-other",
              "admin/ratelimit/outcomes",
              "ratelimit/status?userId=bob-the-other")) {
        assertEquals(403, user.send("GET", path, ""), path);
      }
      assertEquals(
          403,
          user.send("POST", "admin/ratelimit/callers/account", "{\"userId\": \"bob-the-other\"}"));
      assertFalse(
          ((String) user.run("return document.documentElement.outerHTML;"))
              .contains("bob-the-other"));
      assertFalse(user.has("#nav-rules"), "the menu has no pages of administrators");
    }
  }
}
