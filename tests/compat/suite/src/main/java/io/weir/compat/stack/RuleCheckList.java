package io.weir.compat.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.compat.jaxrs.server.Await;
import io.weir.compat.stack.StackClient.Caller;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.function.Executable;

/**
 * Lists the checks of rules. Each has tiers, users and switched policies of its own, so that any of
 * them can run alone, and waits until it sees over HTTP what it has written.
 */
final class RuleCheckList {
  private static final String FREE = "/free";
  private static final String USER = "X-User";

  private final StackClient client;
  private final RuleDatabase rules;
  private final boolean hasTemplates;
  private final List<Check> checks = new ArrayList<>();
  private final AtomicInteger callers = new AtomicInteger();

  private RuleCheckList(StackClient client, RuleDatabase rules, boolean hasTemplates) {
    this.client = client;
    this.rules = rules;
    this.hasTemplates = hasTemplates;
  }

  /**
   * Lists the checks.
   *
   * @param hasTemplates whether rules match templates of JAX-RS, or paths of servlets
   */
  static List<Check> of(StackClient client, RuleDatabase rules, boolean hasTemplates) {
    RuleCheckList list = new RuleCheckList(client, rules, hasTemplates);
    list.addRules();
    list.addTiers();
    list.addPatterns();
    list.addQuota();
    list.addSwitches();
    return List.copyOf(list.checks);
  }

  private void add(String text, Executable test) {
    checks.add(new Check(checks.size() + 1, text, test));
  }

  /** Returns a new address. */
  private Caller anonymous() {
    return Caller.at("203.0.113." + callers.incrementAndGet());
  }

  /** Returns a user that is in no table. */
  private Caller stranger() {
    Caller anonymous = anonymous();
    return anonymous.with(USER, "user-" + anonymous.address());
  }

  /** Returns a new user with a tier. */
  private Caller userOf(String tier) throws SQLException {
    Caller user = stranger();
    rules.user(name(user), tier);
    return user;
  }

  private static String name(Caller user) {
    return user.fields().get(user.fields().indexOf(USER) + 1);
  }

  /** Waits until a path has these limits for a caller, which may use up its permits. */
  private void await(String path, Caller caller, Map<String, Long> limits) throws Exception {
    Reply last = awaitReply(path, caller, each -> each.limits().equals(limits));
    assertEquals(limits, last.limits(), () -> path + ": " + last);
  }

  private Reply awaitReply(String path, Caller caller, Predicate<Reply> expected) throws Exception {
    return Await.last(() -> client.get(path, caller), expected);
  }

  private void assertStatuses(List<Integer> expected, String path, Caller caller) throws Exception {
    List<Integer> statuses =
        client.get(expected.size(), path, caller).stream().map(Reply::status).toList();
    assertEquals(expected, statuses, path);
  }

  private void addRules() {
    add(
        "a rule limits an endpoint without an annotation",
        () -> {
          rules.rule("added", FREE, "added", 2);
          await(FREE, userOf("added"), Map.of("added", 2L));
          Caller user = userOf("added");
          assertStatuses(List.of(200, 200, 429), FREE, user);
          assertEquals(List.of(), client.get(FREE, user).wrongFields());
          assertEquals(List.of(), client.get(FREE, stranger()).fields(), "another tier");
        });
    add(
        "a rule changes the limit of an annotation",
        () -> {
          rules.rule("changed", "policy:user", "changed", 5);
          await("/user", userOf("changed"), Map.of("user", 5L));
          assertStatuses(List.of(200, 200, 200, 200, 200, 429), "/user", userOf("changed"));
          assertStatuses(List.of(200, 200, 200, 429), "/user", stranger());
        });
    add(
        "a rule for all callers changes a limit by address, also asynchronous",
        () -> {
          rules.rule("*", "policy:async", "for-all", 5);
          await("/async", anonymous(), Map.of("async", 5L));
          assertStatuses(List.of(200, 200, 200, 200, 200, 429), "/async", anonymous());
        });
    add(
        "a rule applies beside an annotation",
        () -> {
          rules.rule("beside", "/user", "beside", 2);
          await("/user", userOf("beside"), Map.of("user", 3L, "beside", 2L));
          assertStatuses(List.of(200, 200, 429), "/user", userOf("beside"));
        });
    add(
        "a rule that is changed and deleted holds without a restart",
        () -> {
          rules.rule("updated", FREE, "updated", 1);
          Caller probe = userOf("updated");
          await(FREE, probe, Map.of("updated", 1L));
          Caller user = userOf("updated");
          assertStatuses(List.of(200, 429), FREE, user);
          rules.run("UPDATE weir.rate_limit_rules SET limit_count = 3 WHERE name = 'updated'");
          await(FREE, probe, Map.of("updated", 3L));
          assertStatuses(List.of(200, 200, 429), FREE, user);
          rules.run("DELETE FROM weir.rate_limit_rules WHERE name = 'updated'");
          await(FREE, probe, Map.of());
          assertStatuses(List.of(200), FREE, user);
        });
  }

  private void addTiers() {
    add(
        "a user has the limit of its tier, and of another one without a restart",
        () -> {
          rules.rule("silver", FREE, "plan", 2);
          rules.rule("gold", FREE, "plan", 4);
          await(FREE, userOf("gold"), Map.of("plan", 4L));
          Caller user = userOf("silver");
          assertStatuses(List.of(200, 200, 429), FREE, user);
          rules.run(
              "UPDATE weir.user_tiers SET tier = 'gold' WHERE user_id = '" + name(user) + "'");
          Reply admitted = awaitReply(FREE, user, each -> each.status() == 200);
          assertEquals(200, admitted.status(), "the new tier's limit");
          assertStatuses(List.of(200, 429), FREE, user);
        });
    add(
        "users and addresses without a tier have the default tier",
        () -> {
          rules.rule("free", "/failures", "default", 2);
          await("/failures", anonymous(), Map.of("default", 2L, "failures", 3L));
          assertStatuses(List.of(200, 200, 429), "/failures", anonymous());
          assertStatuses(List.of(200, 200, 429), "/failures", stranger());
          assertStatuses(List.of(200, 200, 200), "/failures", userOf("other"));
        });
    add(
        "a user has a limit of its own",
        () -> {
          rules.rule("own", FREE, "own", 1);
          Caller user = userOf("own");
          rules.run(
              "UPDATE weir.user_tiers SET custom_limits = '{\"/free\": 3}' WHERE user_id = '"
                  + (name(user) + "'"));
          await(FREE, userOf("own"), Map.of("own", 1L));
          assertStatuses(List.of(200, 200, 200, 429), FREE, user);
        });
  }

  private void addPatterns() {
    add(
        "a rule with a variable counts all paths in one bucket",
        () -> {
          rules.rule("variable", "/items/{id}", "variable", 2);
          await("/items/1", userOf("variable"), Map.of("variable", 2L));
          Caller user = userOf("variable");
          assertStatuses(List.of(200), "/items/1", user);
          assertStatuses(List.of(200), "/items/2", user);
          assertStatuses(List.of(429), "/items/3", user);
        });
    add(
        hasTemplates
            ? "a rule for a path doesn't match a template"
            : "a rule for a path matches below the mapping of a servlet",
        () -> {
          rules.rule("literal", "/items/7", "literal", 1);
          rules.rule("literal", FREE, "later", 9); // is in force no sooner than the first one
          await(FREE, userOf("literal"), Map.of("later", 9L));
          Reply reply = client.get("/items/7", userOf("literal"));
          assertEquals(200, reply.status());
          assertEquals(hasTemplates ? Set.of() : Set.of("literal"), reply.limits().keySet());
        });
    add(
        "a rule with a star limits all endpoints together",
        () -> {
          rules.rule("star", "*", "star", 3);
          await(FREE, userOf("star"), Map.of("star", 3L));
          Caller user = userOf("star");
          assertStatuses(List.of(200), FREE, user);
          assertStatuses(List.of(200), "/items/1", user);
          assertStatuses(List.of(200), "/async", user);
          assertStatuses(List.of(429), "/user", user);
          assertStatuses(List.of(429), "/items/2", user);
        });
  }

  private void addQuota() {
    add(
        "a quota is refused once used up, and its ledger is written",
        () -> {
          rules.run(
              "INSERT INTO weir.rate_limit_rules (tier, endpoint_pattern, limit_count, period)"
                  + " VALUES ('billed', '/free', 1000, 'QUOTA')");
          Caller user = userOf("billed");
          int farFromNow = LocalDate.now(ZoneOffset.UTC).plusDays(14).getDayOfMonth();
          rules.run(
              "INSERT INTO weir.user_quotas (user_id, monthly_limit, billing_day) VALUES ('"
                  + (name(user) + "', 3, " + Math.min(farFromNow, 28) + ")"));
          await(FREE, userOf("billed"), Map.of("quota", 1000L));
          assertStatuses(List.of(200, 200, 200, 429), FREE, user);
          assertTrue(client.get(FREE, user).body().contains("\"quota\""));
          String used = "SELECT used FROM weir.quota_periods WHERE user_id = '" + name(user) + "'";
          assertEquals(
              List.of("3"), Await.last(() -> rules.column(used), List.of("3")::equals), "used");
          rules.run(
              "UPDATE weir.user_quotas SET monthly_limit = 4 WHERE user_id = '" + name(user) + "'");
          Reply admitted = awaitReply(FREE, user, each -> each.status() == 200);
          assertEquals(200, admitted.status(), "the raised limit");
          assertStatuses(List.of(429), FREE, user);
        });
  }

  private void addSwitches() {
    add(
        "a switch turns a policy off until it is deleted",
        () -> {
          rules.turn("key", "OFF");
          Caller caller = anonymous().with("X-Api-Key", "switched");
          Reply off = awaitReply("/key", caller, each -> each.limits().isEmpty());
          assertEquals(List.of(), off.fields());
          assertStatuses(List.of(200, 200, 200, 200, 200), "/key", caller);
          rules.run("DELETE FROM weir.switches WHERE policy = 'key'");
          awaitReply("/key", caller, each -> each.status() == 429);
          Caller other = anonymous().with("X-Api-Key", "limited again");
          assertStatuses(List.of(200, 200, 200, 429), "/key", other);
        });
    add(
        "a switch turns a policy into shadow mode",
        () -> {
          rules.turn("ip", "SHADOW");
          Await.last(() -> client.get(4, "/ip", anonymous()), each -> each.get(3).status() == 200);
          Caller caller = anonymous();
          assertStatuses(List.of(200, 200, 200, 200, 200), "/ip", caller);
          assertEquals(0, client.get("/ip", caller).remaining());
        });
  }
}
