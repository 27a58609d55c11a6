package io.weir.control;

import static io.weir.control.AdminRequests.assertField;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.annotation.Algorithm;
import io.weir.control.ControlApp.Reply;
import io.weir.rules.Rule;
import io.weir.rules.RuleWindow;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Administrators see the buckets of one caller, and reset them. */
interface CallerTests extends AdminRequests {
  String AS = ", \"endpoint\": \"/api/posts\"}";

  private void rules() {
    app().rule("*", "/api/*", 2);
    app()
        .save(
            Rule.builder("*", "/api/*")
                .name("addresses")
                .countBy(List.of("IP"))
                .limit(5)
                .algorithm(Algorithm.FIXED_WINDOW));
    app().save(Rule.builder("*", "/all").countBy(List.of("ENDPOINT")).limit(9));
  }

  private static JsonNode bucket(Reply caller, String name) {
    for (JsonNode each : caller.body().path("buckets")) {
      if (each.path("policy").asText().startsWith(name)) {
        return each;
      }
    }
    return caller.body().path("none");
  }

  @Test
  default void eachBucketOfAUserIsToldAndCanBeMadeFull() {
    rules();
    app().check("{\"userId\": \"ann\"" + AS);
    app().check("{\"userId\": \"ann\"" + AS);
    assertFalse(app().check("{\"userId\": \"ann\"" + AS).body().path("allowed").asBoolean());
    Reply caller = look("/callers?userId=ann");
    assertEquals(200, caller.status(), () -> caller.body().toString());
    assertEquals(1, caller.body().path("buckets").size(), () -> caller.body().toString());
    assertEquals("free", caller.body().path("tier").asText());
    JsonNode bucket = bucket(caller, "api.all-60s");
    assertEquals(0, bucket.path("remaining").asLong());
    assertEquals(22, bucket.path("bucket").asText().length());
    assertEquals("60s", bucket.path("window").asText());
    assertFalse(bucket.path("allowed").asBoolean());
    String policy = bucket.path("policy").asText();
    assertEquals(204, delete("/callers/buckets/" + policy + "?userId=ann", "").status());
    assertTrue(app().check("{\"userId\": \"ann\"" + AS).body().path("allowed").asBoolean());
    assertEquals("buckets", look("/changes").body().path("items").get(0).path("table").asText());
    assertEquals(404, delete("/callers/buckets/none?userId=ann", "").status());
  }

  @Test
  default void addressesAndKeysHaveBucketsToo() {
    rules();
    app().check("{\"ip\": \"192.0.2.7\"" + AS);
    Reply address = look("/callers?ip=192.0.2.7");
    assertEquals(4, bucket(address, "addresses").path("remaining").asLong());
    app().check("{\"apiKey\": \"secret-key\"" + AS);
    Reply key = add("/callers", "{\"apiKey\": \"secret-key\"}");
    assertEquals(200, key.status(), () -> key.body().toString());
    assertEquals(1, bucket(key, "api.all-60s").path("remaining").asLong());
    assertTrue(key.body().path("caller").asText().startsWith("sha256:"));
    assertFalse(key.body().toString().contains("secret-key"), "a key isn't repeated");
    String policy = bucket(key, "api.all-60s").path("policy").asText();
    Reply reset =
        add("/callers/reset", "{\"apiKey\": \"secret-key\", \"policy\": \"" + policy + "\"}");
    assertEquals(204, reset.status(), () -> reset.body().toString());
    Reply again = add("/callers", "{\"apiKey\": \"secret-key\"}");
    assertEquals(2, bucket(again, "api.all-60s").path("remaining").asLong());
  }

  @Test
  default void theDigestOfAKeyLeadsToNoBuckets() {
    rules();
    app().check("{\"apiKey\": \"secret-key\"" + AS);
    String digest = add("/callers", "{\"apiKey\": \"secret-key\"}").body().path("caller").asText();
    Reply found = add("/callers", "{\"userId\": \"" + digest + "\"}");
    assertEquals(200, found.status(), () -> found.body().toString());
    assertEquals(digest, found.body().path("caller").asText());
    assertEquals(0, found.body().path("buckets").size(), "those of a user of that name");
    String policy = bucket(look("/callers?userId=ann"), "api.all").path("policy").asText();
    Reply reset =
        add("/callers/reset", "{\"userId\": \"" + digest + "\", \"policy\": \"" + policy + "\"}");
    assertEquals(404, reset.status(), () -> reset.body().toString());
  }

  @Test
  default void lookingCountsNothing() {
    rules();
    for (int i = 0; i < 5; i++) {
      look("/callers?userId=ann");
    }
    assertEquals(2, bucket(look("/callers?userId=ann"), "api.all").path("remaining").asLong());
  }

  @Test
  default void aLimitWhoseCostTheRequestSaysIsToldBesideTheOthers() {
    rules();
    app().save(Rule.builder("*", "/paid").limit(9).costFrom("query:amount"));
    app()
        .check(
            "{\"userId\": \"ann\", \"endpoint\": \"/paid\","
                + " \"attributes\": {\"query:amount\": \"7\"}}");
    Reply caller = look("/callers?userId=ann");
    assertEquals(200, caller.status(), () -> caller.body().toString());
    assertEquals(2, bucket(caller, "paid").path("remaining").asLong());
    assertEquals(2, bucket(caller, "api.all-60s").path("remaining").asLong());
  }

  @Test
  default void aQuotaIsToldButNotMadeFull() {
    app().save(Rule.builder("*", "/api/*").name("monthly").limit(3).window(RuleWindow.ofQuota()));
    Reply checked;
    do { // while the caller's quota isn't read yet, it is closed
      checked = app().check("{\"userId\": \"ann\"" + AS);
    } while (!checked.body().path("allowed").asBoolean());
    Reply caller = look("/callers?userId=ann");
    JsonNode bucket = bucket(caller, "quota");
    assertEquals(2, bucket.path("remaining").asLong(), () -> caller.body().toString());
    assertFalse(bucket.path("resettable").asBoolean());
    assertEquals("QUOTA", bucket.path("window").asText());
    assertField(
        "policy", delete("/callers/buckets/" + bucket.path("policy").asText() + "?userId=ann", ""));
  }

  @Test
  default void oneCallerIsNamed() {
    assertField("userId", look("/callers"));
    assertField("userId", look("/callers?userId=a&ip=192.0.2.1"));
    assertField("ip", look("/callers?ip=nowhere"));
    assertField("userId", add("/callers", "{}"));
    assertField("policy", add("/callers/reset", "{\"userId\": \"ann\"}"));
  }
}
