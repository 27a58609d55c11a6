package io.weir.internal.server.envoy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.Key;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor.RateLimitOverride;
import io.weir.internal.server.envoy.proto.RateLimitUnit;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which limit a request's entries lead to. Limits are told apart by their number. */
class DescriptorNodeTest {
  private static final EnvoyPolicies POLICIES = new EnvoyPolicies(OnStoreFailure.DEFAULT);

  private static final String TREE =
      """
      domain: shop
      descriptors:
        - key: path
          value: /login
          rate_limit: {unit: minute, requests_per_unit: 1}
        - key: path
          value: /api/admin*
          rate_limit: {unit: minute, requests_per_unit: 2}
        - key: path
          value: /api*
          rate_limit: {unit: minute, requests_per_unit: 3}
        - key: path
          rate_limit: {unit: minute, requests_per_unit: 4}
        - key: tenant
          value: acme
          descriptors:
            - key: user
              rate_limit: {unit: hour, requests_per_unit: 5}
        - key: tenant
          descriptors:
            - key: user
              rate_limit: {unit: hour, requests_per_unit: 6}
            - key: team
              rate_limit: {unit: hour, requests_per_unit: 7}
        - key: plan
          value: "*"
          share_threshold: true
          descriptors:
            - key: user
              rate_limit: {unit: day, requests_per_unit: 8}
        - key: status
          value: 404
          rate_limit: {unit: week, requests_per_unit: 9}
      """;

  private final EnvoyDomain tree = domain(TREE);

  private static EnvoyDomain domain(String yaml) {
    return new EnvoyDomain(new ConfigReader(POLICIES).read("limits.yaml", yaml), POLICIES);
  }

  @Test
  void anExactValueGoesBeforePatternsAndTheBareKey() {
    assertEquals(1, limit("path", "/login"));
  }

  @Test
  void ofPatternsTheFirstOfTheFileGoes() {
    assertEquals(2, limit("path", "/api/admin/users"));
    assertEquals(3, limit("path", "/api/orders"));
  }

  @Test
  void aPatternMatchesWhatItBeginsWithAlone() {
    assertEquals(3, limit("path", "/api"));
  }

  @Test
  void theBareKeyTakesAllOtherValues() {
    assertEquals(4, limit("path", "/"));
    assertEquals(4, limit("path", ""));
  }

  @Test
  void anotherKeyMatchesNothing() {
    assertEquals(-1, limit("paths", "/login"));
    assertEquals(-1, limit("path_/login", ""));
  }

  @Test
  void nestedDescriptorsMatchLevelByLevel() {
    assertEquals(5, limit("tenant", "acme", "user", "alice"));
    assertEquals(6, limit("tenant", "other", "user", "alice"));
  }

  @Test
  void aMoreExactBranchThatLeadsNowhereIsNotLeftAgain() {
    assertEquals(7, limit("tenant", "other", "team", "red"));
    assertEquals(-1, limit("tenant", "acme", "team", "red"));
  }

  @Test
  void aLimitCountsOnlyWhereTheLastEntryIs() {
    assertEquals(-1, limit("path", "/login", "user", "alice"));
    assertEquals(-1, limit("tenant", "acme"));
    assertEquals(-1, limit("tenant", "acme", "user", "alice", "team", "red"));
    assertEquals(-1, limit("user", "alice"));
    assertEquals(-1, limit());
  }

  @Test
  void theOrderOfEntriesMatters() {
    assertEquals(-1, limit("user", "alice", "tenant", "acme"));
  }

  @Test
  void aNumberIsTakenAsItIsWritten() {
    assertEquals(9, limit("status", "404"));
    assertEquals(-1, limit("status", "0404"));
  }

  @Test
  void eachValueOfAPatternIsCountedApart() {
    assertNotEquals(key("path", "/api/a"), key("path", "/api/b"));
    assertNotEquals(key("path", "/a"), key("path", "/b"));
  }

  @Test
  void sharedValuesOfAPatternAreCountedTogether() {
    assertEquals(key("plan", "gold", "user", "al"), key("plan", "iron", "user", "al"));
    assertNotEquals(key("plan", "gold", "user", "al"), key("plan", "gold", "user", "bo"));
  }

  @Test
  void entriesThatAreJoinedDifferentlyNeverCollide() {
    EnvoyDomain pairs =
        domain(
            """
            domain: pairs
            descriptors:
              - key: a
                descriptors:
                  - key: b
                    rate_limit: {unit: second, requests_per_unit: 1}
            """);
    Key first =
        pairs
            .limit(descriptor("a", "1", "b", "2_3"))
            .orElseThrow()
            .key(descriptor("a", "1", "b", "2_3").getEntriesList());
    Key second =
        pairs
            .limit(descriptor("a", "1_b_2", "b", "3"))
            .orElseThrow()
            .key(descriptor("a", "1_b_2", "b", "3").getEntriesList());
    Key third =
        pairs
            .limit(descriptor("a", "11:b1:2", "b", "3"))
            .orElseThrow()
            .key(descriptor("a", "11:b1:2", "b", "3").getEntriesList());
    assertNotEquals(first, second);
    assertNotEquals(second, third);
  }

  @Test
  void eachDescriptorHasAPolicyOfItsOwnThatDoesNotDependOnTheNumber() {
    EnvoyDomain raised = domain(TREE.replace("requests_per_unit: 1}", "requests_per_unit: 100}"));
    assertEquals(policy(tree, "path", "/login"), policy(raised, "path", "/login"));
    assertNotEquals(policy(tree, "path", "/login"), policy(tree, "path", "/x"));
    assertNotEquals(
        policy(tree, "path", "/login"),
        policy(domain(TREE.replace("domain: shop", "domain: stop")), "path", "/login"));
  }

  @Test
  void aLimitOfTheRequestGoesBeforeTheTree() {
    RateLimitDescriptor own =
        descriptor("path", "/login").toBuilder()
            .setLimit(
                RateLimitOverride.newBuilder().setRequestsPerUnit(42).setUnit(RateLimitUnit.HOUR))
            .build();
    assertEquals(42, tree.limit(own).orElseThrow().permits());
  }

  @Test
  void aLimitOfTheRequestBeyondTheLargestIsTheLargest() {
    RateLimitDescriptor own =
        descriptor("path", "/login").toBuilder()
            .setLimit(
                RateLimitOverride.newBuilder().setRequestsPerUnit(-1).setUnit(RateLimitUnit.DAY))
            .build();
    assertEquals(1_000_000_000, tree.limit(own).orElseThrow().permits());
  }

  private long limit(String... entries) {
    Optional<EnvoyLimit> found = tree.limit(descriptor(entries));
    return found.map(EnvoyLimit::permits).orElse(-1L);
  }

  private Key key(String... entries) {
    RateLimitDescriptor descriptor = descriptor(entries);
    return tree.limit(descriptor).orElseThrow().key(descriptor.getEntriesList());
  }

  private static String policy(EnvoyDomain domain, String... entries) {
    return domain.limit(descriptor(entries)).orElseThrow().policy().name();
  }

  private static RateLimitDescriptor descriptor(String... entries) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (int i = 0; i < entries.length; i += 2) {
      descriptor.addEntriesBuilder().setKey(entries[i]).setValue(entries[i + 1]);
    }
    return descriptor.build();
  }
}
