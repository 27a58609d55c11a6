package io.weir.internal.server.envoy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.weir.Key;
import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor.RateLimitOverride;
import io.weir.internal.server.envoy.proto.RateLimitUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which limit the entries of a request lead to. Limits are identified by their number. */
class DescriptorNodeTest {
  private static final EnvoyPolicyFactory POLICIES = new EnvoyPolicyFactory(OnStoreFailure.DEFAULT);

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
    FileConfig file = new ConfigParser(POLICIES).read("limits.yaml", yaml);
    return Objects.requireNonNull(
        EnvoyConfig.of(List.of(file), POLICIES).domain(file.domains().iterator().next()));
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

  private static final String ASTERISKS =
      """
      domain: shop
      descriptors:
        - key: path
          value: /api*v1
          share_threshold: true
          rate_limit: {unit: minute, requests_per_unit: 1}
        - key: path
          value: /api*
          rate_limit: {unit: minute, requests_per_unit: 2}
        - key: path
          value: /api*v2
          rate_limit: {unit: minute, requests_per_unit: 3}
        - key: call
          value: svc*ep*rpc
          share_threshold: true
          rate_limit: {unit: minute, requests_per_unit: 4}
        - key: host
          value: "*.example.org"
          rate_limit: {unit: minute, requests_per_unit: 5}
        - key: tenant
          value: t*prod
          share_threshold: true
          descriptors:
            - key: resource
              value: aba*aba
              rate_limit: {unit: minute, requests_per_unit: 6}
      """;

  @Test
  void anAsteriskStandsForAnyTextAnywhereInAValue() {
    EnvoyDomain asterisks = domain(ASTERISKS);
    assertEquals(1, limit(asterisks, "path", "/api/users/v1"));
    assertEquals(1, limit(asterisks, "path", "/apiv1"));
    assertEquals(2, limit(asterisks, "path", "/api/v1/users"));
    assertEquals(2, limit(asterisks, "path", "/api/v2"), "the first of the file");
    assertEquals(3, limit(asterisks, "path", "/api*v2"), "its own text is an exact value");
    assertEquals(4, limit(asterisks, "call", "svc-a/ep-b/rpc"));
    assertEquals(4, limit(asterisks, "call", "svceprpc"));
    assertEquals(-1, limit(asterisks, "call", "svc/rpc"));
    assertEquals(-1, limit(asterisks, "call", "svc/rpc/ep"));
    assertEquals(-1, limit(asterisks, "call", "a-svc/ep/rpc"));
    assertEquals(5, limit(asterisks, "host", "shop.example.org"));
    assertEquals(-1, limit(asterisks, "host", "example.org"));
    assertEquals(6, limit(asterisks, "tenant", "t1-prod", "resource", "abaaba"));
    assertEquals(-1, limit(asterisks, "tenant", "t1-prod", "resource", "ababa"), "no overlap");
  }

  @Test
  void valuesThatShareAThresholdAreOneWhereverTheAsteriskIs() {
    EnvoyDomain asterisks = domain(ASTERISKS);
    assertEquals(key(asterisks, "path", "/api/a/v1"), key(asterisks, "path", "/api/b/v1"));
    assertNotEquals(key(asterisks, "path", "/api/a"), key(asterisks, "path", "/api/b"));
    assertEquals(key(asterisks, "call", "svc1ep1rpc"), key(asterisks, "call", "svc2ep2rpc"));
    assertEquals(
        key(asterisks, "tenant", "t1prod", "resource", "aba-aba"),
        key(asterisks, "tenant", "t2prod", "resource", "aba-aba"));
    assertNotEquals(
        key(asterisks, "tenant", "t1prod", "resource", "aba-1-aba"),
        key(asterisks, "tenant", "t1prod", "resource", "aba-2-aba"));
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
    return limit(tree, entries);
  }

  private static long limit(EnvoyDomain domain, String... entries) {
    Optional<EnvoyLimit> found = domain.limit(descriptor(entries));
    return found.map(EnvoyLimit::permits).orElse(-1L);
  }

  private Key key(String... entries) {
    return key(tree, entries);
  }

  private static Key key(EnvoyDomain domain, String... entries) {
    RateLimitDescriptor descriptor = descriptor(entries);
    return domain.limit(descriptor).orElseThrow().key(descriptor.getEntriesList());
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
