package io.weir.internal.server.envoy.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.annotation.OnStoreFailure;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests that each mistake in a file is reported with its place and rule. */
class ConfigParserTest {
  private static final EnvoyPolicyFactory POLICIES = new EnvoyPolicyFactory(OnStoreFailure.DEFAULT);

  private final ConfigParser reader = new ConfigParser(POLICIES);

  @Test
  void anUnknownKeyOfTheFile() {
    assertMistake(
        """
        domain: shop
        descriptor: []
        """,
        "a.yaml:2:1: unknown key 'descriptor' in the file; allowed are domain, descriptors");
  }

  @Test
  void anUnknownKeyOfADescriptor() {
    assertMistake(
        """
        domain: shop
        descriptors:
          - key: path
            values: /
        """,
        "a.yaml:4:5: unknown key 'values' in a descriptor; allowed are key, value, rate_limit,"
            + " descriptors, shadow_mode, quota_mode, detailed_metric, value_to_metric,"
            + " share_threshold, metadata");
  }

  @Test
  void anUnknownKeyOfALimit() {
    assertMistake(
        limit("{unit: day, requests_per_units: 3}"),
        "a.yaml:4:29: unknown key 'requests_per_units' in rate_limit; allowed are unit,"
            + " requests_per_unit, unlimited, name, replaces");
  }

  @Test
  void aFieldInTheWrongPlace() {
    assertMistake(
        limit("{unit: day, requests_per_unit: 3, shadow_mode: true}"),
        "a.yaml:4:51: unknown key 'shadow_mode' in rate_limit");
  }

  @Test
  void aMissingKey() {
    assertMistake(
        """
        domain: shop
        descriptors:
          - value: x
        """,
        "a.yaml:3:5: key is missing in a descriptor");
  }

  @Test
  void aMissingDomain() {
    assertMistake("descriptors: []", "a.yaml:1:1: domain is missing");
    assertMistake("domain: ''", "a.yaml:1:1: domain is missing");
    assertMistake("", "a.yaml: domain is missing, because the file is empty");
  }

  @Test
  void aDescriptorTwice() {
    assertMistake(
        """
        domain: shop
        descriptors:
          - key: path
            value: /a*
          - key: path
            value: /a*
        """,
        "a.yaml:5:5: the descriptor path=/a* is repeated");
  }

  @Test
  void aFieldTwice() {
    assertMistake("domain: a\ndomain: b", "a.yaml:2:1: 'domain' is repeated");
  }

  @Test
  void aUnitThatIsNone() {
    assertMistake(
        limit("{unit: fortnight, requests_per_unit: 3}"),
        "a.yaml:4:17: unit must be one of second, minute, hour, day, week, month, year, not"
            + " 'fortnight'");
    assertMistake(limit("{requests_per_unit: 3}"), "a.yaml:4:17: unit must be one of");
  }

  @Test
  void aNumberOutOfRange() {
    String rule = "requests_per_unit must be 0 to 1,000,000,000, not ";
    assertMistake(limit("{unit: day, requests_per_unit: -1}"), "a.yaml:4:48: " + rule + "'-1'");
    assertMistake(limit("{unit: day, requests_per_unit: 1000000001}"), rule + "'1000000001'");
    assertMistake(limit("{unit: day, requests_per_unit: many}"), rule + "'many'");
    assertMistake(limit("{unit: day}"), "a.yaml:4:17: " + rule + "''");
  }

  @Test
  void unlimitedWithAUnit() {
    assertMistake(
        limit("{unlimited: true, unit: day}"), "a.yaml:4:17: unit and unlimited can't be combined");
  }

  @Test
  void sharingWithoutAPattern() {
    assertMistake(
        """
        domain: shop
        descriptors:
          - key: path
            value: /a
            share_threshold: true
        """,
        "a.yaml:3:5: share_threshold needs a value with *");
  }

  @Test
  void aFlagThatIsNone() {
    assertMistake(
        """
        domain: shop
        descriptors:
          - key: path
            shadow_mode: on
        """,
        "a.yaml:4:18: shadow_mode must be true or false, not 'on'");
  }

  @Test
  void replacesItselfOrNothing() {
    assertMistake(
        limit("{unit: day, requests_per_unit: 1, name: a, replaces: [{name: a}]}"),
        "a limit can't replace itself");
    assertMistake(
        limit("{unit: day, requests_per_unit: 1, replaces: [{name: ''}]}"),
        "name is missing in replaces");
    assertMistake(
        limit("{unit: day, requests_per_unit: 1, replaces: [a]}"),
        "a.yaml:4:62: replaces must have the fields name");
  }

  @Test
  void metadataThatIsNoMapping() {
    assertMistake(
        """
        domain: shop
        descriptors:
          - key: path
            metadata: gold
            rate_limit: {unit: day, requests_per_unit: 1}
        """,
        "a.yaml:4:15: metadata must be a mapping");
  }

  @Test
  void listsAndMappingsWhereOthersBelong() {
    assertMistake("- a", "a.yaml:1:1: the file must have the fields domain, descriptors");
    assertMistake("domain: [a]", "a.yaml:1:9: domain must be a single value");
    assertMistake("domain: a\ndescriptors: b", "a.yaml:2:14: descriptors must be a list");
    assertMistake("domain: a\ndescriptors: [b]", "a.yaml:2:15: a descriptor must have");
    assertMistake("domain: a\n[b]: c", "a field's name must be a word");
  }

  @Test
  void whatIsNoYaml() {
    assertMistake("domain: 'a", "a.yaml:1:11: ");
    assertMistake("domain: a\n---\ndomain: 'b", "a.yaml:3:11: ");
  }

  @Test
  void allMistakesOfAFileAreToldAtOnce() {
    String message = message("domain: shop\ndescriptors: [{value: 1}, {key: a, x: y}]");
    assertTrue(message.contains("key is missing") && message.contains("'x'"), message);
  }

  @Test
  void aliasesThatMultiplyAreStopped() {
    StringBuilder bomb = new StringBuilder("domain: shop\ndescriptors:\n");
    bomb.append("  - &d0 {key: k}\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("  - &d").append(i).append(" {key: k").append(i).append(", descriptors: [");
      bomb.append("*d").append(i - 1).append(", *d").append(i - 1).append("]}\n");
    }
    assertMistake(bomb.toString(), "a file may have at most 100,000");
  }

  @Test
  void anAliasThatHoldsItselfIsStopped() {
    assertMistake(
        "domain: shop\ndescriptors:\n  - &a {key: k, descriptors: [*a]}",
        "descriptors may be nested at most 32 deep");
  }

  @Test
  void metadataThatMultipliesIsStopped() {
    StringBuilder bomb = new StringBuilder("domain: shop\ndescriptors:\n  - key: k\n");
    bomb.append("    rate_limit: {unit: day, requests_per_unit: 1}\n    metadata:\n");
    bomb.append("      a0: &a0 [x]\n");
    for (int i = 1; i < 15; i++) {
      String last = "*a" + (i - 1);
      bomb.append("      a" + i + ": &a" + i + " [" + String.join(", ", List.of(last, last, last)));
      bomb.append("]\n");
    }
    assertMistake(
        bomb.toString(),
        "metadata may be nested at most 16 levels deep and have at most 1,000 values");
  }

  @Test
  void mappingsAreMergedAsInYaml11() {
    EnvoyLimit limit =
        limit(
            """
                domain: shop
                descriptors:
                  - &all
                    key: path
                    rate_limit: &daily {unit: day, requests_per_unit: 7}
                  - <<: *all
                    value: /a
                    rate_limit:
                      <<: [*daily, {unit: hour, name: pages}]
                      requests_per_unit: 8
                """,
            "/a");
    assertEquals(8, limit.permits());
    assertEquals("pages", limit.name());
    assertEquals(1, limit.policy().window().toDays());
    assertMistake("<<: {domain: a, x: y}", "a.yaml:1:17: unknown keys can't be merged");
    assertMistake("<<: a", "a.yaml:1:5: only mappings can be merged");
  }

  @Test
  void everythingThatIsKnownIsRead() {
    EnvoyLimit limit =
        limit(
            """
                domain: shop
                descriptors:
                  - key: path
                    value: /a*
                    shadow_mode: true
                    quota_mode: true
                    detailed_metric: true
                    value_to_metric: false
                    share_threshold: true
                    metadata: {route: gold, weight: 1.5, on: true, none: null, all: [1, a]}
                    rate_limit:
                      unit: MONTH
                      requests_per_unit: 7
                      name: pages
                      replaces:
                        - name: all
                """,
            "/ab");
    assertEquals(7, limit.permits());
    assertEquals("pages", limit.name());
    assertTrue(limit.isShadow() && limit.isQuota() && limit.replaces().contains("all"));
    assertEquals(30, limit.policy().window().toDays());
    assertEquals("gold", limit.metadata().getFieldsOrThrow("route").getStringValue());
    assertEquals(1.5, limit.metadata().getFieldsOrThrow("weight").getNumberValue());
    assertTrue(limit.metadata().getFieldsOrThrow("on").getBoolValue());
    assertTrue(limit.metadata().getFieldsOrThrow("none").hasNullValue());
    assertEquals(2, limit.metadata().getFieldsOrThrow("all").getListValue().getValuesCount());
  }

  private static String limit(String flow) {
    return "domain: shop\ndescriptors:\n  - key: path\n    rate_limit: " + flow + "\n";
  }

  @Test
  void aFileMayHaveSeveralDocuments() {
    FileConfig file =
        reader.read(
            "a.yaml",
            """
            ---
            domain: shop
            descriptors: [{key: a}]
            ---
            domain: bank
            ---
            domain: shop
            descriptors: [{key: b}, {key: a, value: x, descriptors: [{key: c}]}]
            ---
            """);
    assertEquals(Set.of("shop", "bank"), file.domains());
    assertEquals(
        List.of("a", "b", "a=x"),
        file.descriptors().stream().map(each -> each.entry().describe()).toList());
  }

  @Test
  void mistakesOfAllDocumentsAreToldAtTheirPlaces() {
    String told =
        message(
            """
            domain: shop
            descriptors: [{key: a}]
            ---
            domain: shop
            descriptors: [{key: a}]
            ---
            descriptors: []
            """);
    assertTrue(told.contains("a.yaml:5:15: the descriptor a is repeated"), told);
    assertTrue(told.contains("a.yaml:7:1: domain is missing"), told);
  }

  private EnvoyLimit limit(String yaml, String path) {
    EnvoyConfig config = EnvoyConfig.of(List.of(reader.read("a.yaml", yaml)), POLICIES);
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    descriptor.addEntriesBuilder().setKey("path").setValue(path);
    return Objects.requireNonNull(config.domain("shop")).limit(descriptor.build()).orElseThrow();
  }

  private void assertMistake(String yaml, String expected) {
    String message = message(yaml);
    assertTrue(message.contains(expected), message);
  }

  private String message(String yaml) {
    return assertThrows(ConfigException.class, () -> reader.read("a.yaml", yaml)).getMessage();
  }
}
