package io.weir.internal.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidPolicyException;
import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.adapter.EndpointType;
import io.weir.annotation.Algorithm;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Scope;
import io.weir.annotation.Tier;
import io.weir.internal.region.RegionShares;
import io.weir.internal.settings.LiveSettings;
import io.weir.internal.settings.SettingsSnapshot;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three regions, of which the smallest has an eighth: limits of less than eight leave it none. */
class RegionSharePoliciesTest {
  private static final RegionShares SHARES =
      RegionShares.of("eu", Map.of("ap", 13, "eu", 40, "us", 47));

  private static PolicyCatalog catalog(String members) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.policy.p.url", "/*");
    settings.put("weir.policy.p.window", "1m");
    for (String member : members.split(" ")) {
      String[] parts = member.split("=");
      settings.put("weir.policy.p." + parts[0], parts[1]);
    }
    return Catalogs.over(LiveSettings.of(SettingsSnapshot.of(settings)), SHARES);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "limit=2 | weir.policy.p.limit = 2: must be at least 8, or scope REGION",
        "limit=7 | weir.policy.p.limit = 7: must be at least 8, or scope REGION",
        "limit=100 tier.free=7 | tiers.free = 7: must be at least 8",
        "limit=100 algorithm=token-bucket burst=7 | weir.policy.p.burst = 7: must be at least 8",
        "limit=100 algorithm=leaky-bucket | burst = 1: must be at least 8",
        "limit=100 algorithm=token-bucket refill=7 | weir.policy.p.refill = 7: must be at least 8",
        "limit=100 algorithm=token-bucket refill=20 tier.a=10 tier-refill.a=2"
            + " | tiers.a.refill = 2: must be at least 8",
        "limit=100 cost=14 | weir.policy.p.cost = 14: must be 1 to 13, or scope REGION, since"
            + " weir.regions.shares leaves a region only 13 of 100",
        "limit=20 mode=soft exceed-by=20 | weir.policy.p.exceed-by = 20: must add a permit"
      })
  void whatLeavesARegionNothingIsRefusedAtTheStart(String members, String rule) {
    String message =
        assertThrows(InvalidPolicyException.class, () -> catalog(members)).getMessage();
    assertTrue(message.contains(rule), message);
  }

  @ParameterizedTest
  @CsvSource({
    "limit=8",
    "limit=100 cost=13",
    "limit=2 scope=region",
    "limit=100 algorithm=leaky-bucket burst=8",
    "limit=100 algorithm=token-bucket refill=8",
    "limit=100 mode=soft exceed-by=20",
    "limit=20 mode=elastic exceed-by=20"
  })
  void whatCanBeDividedIsAccepted(String members) {
    assertEquals(1, catalog(members).ofPaths().size());
  }

  public static class Small {
    @RateLimit(limit = 8, window = 1, tiers = @Tier(name = "free", limit = 5))
    public void few() {}

    @RateLimit(limit = 5, window = 1, scope = Scope.REGION)
    public void own() {}
  }

  @Test
  void annotationsAreRefusedWithTheirPlace() {
    PolicyCatalog catalog = catalog("limit=8");
    InvalidPolicyException refused =
        assertThrows(
            InvalidPolicyException.class,
            () -> Catalogs.of(catalog, Small.class, "few", EndpointType.JAXRS));
    assertTrue(
        refused.getMessage().contains("Small#few: tiers.free = 5: must be at least 8"),
        refused.getMessage());
    List<LivePolicy> own = Catalogs.of(catalog, Small.class, "own", EndpointType.JAXRS);
    assertEquals(Scope.REGION, own.get(0).current().scope());
  }

  /** A rule that is left out would limit nobody. */
  @Test
  void policiesOfSourcesAreNotRefused() {
    PolicyBuilder leaking =
        Policy.builder("rule")
            .limit(1)
            .window(Duration.ofMinutes(1))
            .algorithm(Algorithm.LEAKY_BUCKET);
    assertEquals(List.of(), catalog("limit=8").mistakes(leaking.build()));
  }
}
