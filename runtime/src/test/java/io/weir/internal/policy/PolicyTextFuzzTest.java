package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.InvalidSettingException;
import io.weir.Policy;
import io.weir.adapter.EndpointType;
import io.weir.annotation.RateLimit;
import io.weir.attack.Cases;
import io.weir.test.log.LogLines;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * Any settings of policies can either be enforced, or stop the start with the rule that they break.
 */
class PolicyTextFuzzTest {
  private static final Cases CASES = new Cases("texts of policies");

  private static final List<String> MEMBERS =
      List.of(
          "limit",
          "window",
          "by",
          "key",
          "mode",
          "exceed-by",
          "algorithm",
          "burst",
          "cost",
          "count",
          "overshoot",
          "on-store-failure",
          "shadow",
          "url",
          "tier.gold");

  private static final Map<String, List<String>> LIKELY =
      Map.of(
          "limit", List.of("1", "100", "1000000000"),
          "window", List.of("10ms", "1s", "1m", "PT1H", "366d", "9ms", "367d"),
          "by", List.of("ip", "user", "key", "endpoint", "user, ip", "key,key", "ip,endpoint"),
          "key",
              List.of("header:A", "query:q", "path:p", "cookie:c", "param:p", "tenant", "header:"),
          "algorithm", List.of("fixed-window", "sliding_window", "token-bucket", "leaky-bucket"),
          "mode", List.of("hard", "soft", "elastic"),
          "url", List.of("/x", "/x/*", "*.x", "/", "/*, *.y"));

  private static final String[] ODD = {
    "",
    " ",
    "0",
    "-1",
    "1",
    "2",
    "99",
    "1001",
    "1000000001",
    "9223372036854775807",
    "1e3",
    "0x1",
    ",",
    "all",
    "failures",
    "true",
    "no",
    "local",
    "\u0000",
    "\u0663",
    "/*/",
    "**",
    "a".repeat(10_000),
    "${x}",
  };

  /** Has policies that settings can override. */
  public static class Shop {
    /** An endpoint with a policy. */
    @RateLimit(limit = 10, window = 60, name = "buy")
    public void buy() {}

    /** An endpoint that only the default policy limits. */
    public void plain() {}
  }

  private static final LogLines WARNINGS = new LogLines("io.weir.internal.policy");

  @AfterAll
  static void tell() {
    WARNINGS.close();
    CASES.tell();
  }

  @Test
  void whatCannotBeEnforcedIsRefusedByItsRule() {
    AtomicInteger enforced = new AtomicInteger();
    CASES.times(
        10_000,
        random -> {
          Map<String, String> settings = settings(random);
          try {
            PolicyCatalog catalog = Catalogs.with(settings);
            catalog.check(
                List.of(Shop.class), Cases.one(random, EndpointType.JAXRS, EndpointType.SERVLET));
            for (String method : List.of("buy", "plain")) {
              for (LivePolicy each : Catalogs.of(catalog, Shop.class, method, EndpointType.JAXRS)) {
                assertCanBeEnforced(each.current());
                enforced.incrementAndGet();
              }
            }
          } catch (InvalidSettingException | InvalidPolicyException refused) {
            assertFalse(String.valueOf(refused.getMessage()).isBlank(), settings::toString);
          }
        });
    assertTrue(enforced.get() > 1_000, enforced + " were enforced");
  }

  private static void assertCanBeEnforced(Policy policy) {
    assertTrue(policy.limit() >= 1 && policy.limit() <= 1_000_000_000, policy::toString);
    assertTrue(!policy.window().isNegative() && !policy.window().isZero(), policy::toString);
    assertTrue(policy.window().toDays() <= 366, policy::toString);
  }

  private static Map<String, String> settings(Random random) {
    Map<String, String> settings = new HashMap<>();
    String prefix = Cases.one(random, "weir.policy.buy.", "weir.policy.of-urls.", "weir.default.");
    if (!prefix.endsWith("buy.")) {
      settings.put(prefix + "limit", "10");
      settings.put(prefix + "window", "1m");
    }
    for (int i = random.nextInt(4); i >= 0; i--) {
      String member = MEMBERS.get(random.nextInt(MEMBERS.size()));
      List<String> likely = LIKELY.getOrDefault(member, List.of("1", "10"));
      boolean odd = random.nextInt(4) == 0;
      String value = odd ? Cases.one(random, ODD) : likely.get(random.nextInt(likely.size()));
      settings.put(prefix + member, value);
    }
    return settings;
  }
}
