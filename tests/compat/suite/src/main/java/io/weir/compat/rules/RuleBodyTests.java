package io.weir.compat.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.Rule;
import io.weir.rules.RuleBuilder;
import io.weir.rules.SwitchState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests rules that count by fields of the body. */
interface RuleBodyTests extends RuleServing {
  private Reply json(String body, String... fields) {
    return app().post("/api/echo", "application/json", body, fields);
  }

  private static RuleBuilder accounts(String tier) {
    return Rule.builder(tier, "/api/echo")
        .name("accounts")
        .limit(2)
        .countBy(List.of("lower:json:/user"));
  }

  private void assertTwoOf(String account, String... fields) {
    String body = "{\"user\": \"" + account + "\"}";
    for (int i = 0; i < 2; i++) {
      Reply reply = json(body, fields);
      assertEquals("200 " + body, reply.status() + " " + reply.body());
    }
    assertEquals(429, json("{\"USER\": \"" + account + "\"}", fields).status());
  }

  @Test
  default void aRuleOfEverybodyCountsByTheBodyBeforeTheSignIn() {
    app().save(accounts(Rule.EVERYBODY));
    assertTwoOf("ann");
    assertTwoOf("bob");
    assertEquals(429, json("{\"user\": \"ann\"}", "User", "nobody").status());
    assertEquals(401, json("{\"user\": \"carl\"}", "User", "nobody").status());
  }

  @Test
  default void aRuleOfATierCountsByTheBodyOfItsUsers() {
    app().save(accounts("free").countBy(List.of("USER", "json:/user")));
    assertTwoOf("ann", "User", "one");
    assertTwoOf("ann", "User", "other");
  }

  @Test
  default void whatCannotBeReadIsRefusedAndChargedNowhere() {
    RuleBuilder all = Rule.builder(Rule.EVERYBODY, "/api/echo").name("all").limit(3);
    app().save(all.countBy(List.of("IP")));
    app().save(accounts(Rule.EVERYBODY));
    for (String each : List.of("{\"user\": 1, \"User\": 2}", "{", "{\"user\": [1]}")) {
      assertEquals(400, json(each).status(), each);
    }
    assertEquals(2, json("{\"user\": \"dora\"}").limits().size());
    assertEquals(200, json("{\"user\": \"dora\"}").status());
    assertEquals(429, json("{\"user\": \"dora\"}").status());
    assertEquals(200, json("{\"user\": \"eve\"}").status(), "the refusal gave back its permit");
    Reply used = json("{");
    assertEquals(429, used.status(), used.body());
    assertTrue(used.body().contains("Policy all admits"), used.body());
  }

  @Test
  default void aRuleCostsWhatTheBodySays() {
    app().save(Rule.builder("free", "/api/echo").limit(10).costFrom("json:/amount"));
    assertEquals(7, json("{\"amount\": 2.5}", "User", "payer").left());
    assertEquals(400, json("{}", "User", "payer").status());
    assertEquals(429, json("{\"amount\": 8}", "User", "payer").status());
    assertEquals(0, json("{\"amount\": 7}", "User", "payer").left());
  }

  @Test
  default void aSwitchLetsBodiesPassThatCannotBeRead() {
    app().save(accounts(Rule.EVERYBODY));
    assertEquals(400, json("{").status());
    app().switchTo(SwitchState.SHADOW, "accounts");
    assertEquals("200 {", json("{").status() + " " + json("{").body());
    app().switchTo(SwitchState.OFF, "accounts");
    assertEquals("200 {", json("{").status() + " " + json("{").body());
  }
}
