package io.weir.internal.server.envoy.config;

import com.google.protobuf.Struct;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads a file of Envoy's rate limit service, as that service does, with these differences:
 *
 * <ul>
 *   <li>a file may have several documents, each with its domain;
 *   <li>a field in the wrong place, such as {@code shadow_mode} inside of {@code rate_limit}, is a
 *       mistake, instead of being ignored;
 *   <li>{@code requests_per_unit} is required, and at most 1,000,000,000; 0 refuses everything, as
 *       there;
 *   <li>flags are {@code true} or {@code false}, without the {@code yes} and {@code on} of YAML
 *       1.1;
 *   <li>only values with an asterisk are patterns, not keys;
 *   <li>{@code detailed_metric} and {@code value_to_metric} have no effect, since a series of
 *       metrics for each value that callers choose would be unbounded. Each descriptor has a policy
 *       of its own in the metrics.
 * </ul>
 *
 * <p>Safe for concurrent use.
 */
final class ConfigParser {
  /** Bounds the expansion of nested aliases. */
  private static final int MAX_DESCRIPTORS = 100_000;

  private static final int MAX_DEPTH = 32;

  private static final Set<String> FILE = YamlFile.fieldNames("domain", "descriptors");
  private static final Set<String> DESCRIPTOR =
      YamlFile.fieldNames(
          "key",
          "value",
          "rate_limit",
          "descriptors",
          "shadow_mode",
          "quota_mode",
          "detailed_metric",
          "value_to_metric",
          "share_threshold",
          "metadata");

  private final EnvoyPolicyFactory policies;

  ConfigParser(EnvoyPolicyFactory policies) {
    this.policies = policies;
  }

  /**
   * Reads a file.
   *
   * @throws ConfigException naming each mistake and its place
   */
  FileConfig read(String file, String text) {
    YamlFile yaml = new YamlFile(file);
    List<Node> documents = yaml.parse(text);
    yaml.requireCorrect();
    if (documents.isEmpty()) {
      throw new ConfigException(List.of(file + ": domain is missing, because the file is empty"));
    }
    Reading reading = new Reading(yaml);
    documents.forEach(reading::document);
    yaml.requireCorrect();
    return reading.config();
  }

  private final class Reading {
    private final YamlFile yaml;
    private final Map<String, DescriptorNode> roots = new HashMap<>();
    private final List<DomainDescriptor> outermost = new ArrayList<>();
    private final List<DescriptorEntry> path = new ArrayList<>();
    private String domain = "";
    private int count;

    Reading(YamlFile yaml) {
      this.yaml = yaml;
    }

    FileConfig config() {
      return new FileConfig(roots.keySet(), outermost);
    }

    void document(Node document) {
      Map<String, Node> fields = yaml.fields(document, "the file", FILE);
      domain = yaml.text(fields, "domain");
      if (domain.isEmpty()) {
        yaml.mistake(document, "domain is missing");
      }
      DescriptorNode root = roots.computeIfAbsent(domain, any -> new DescriptorNode());
      descriptors(root, yaml.list(fields, "descriptors"));
    }

    private void descriptors(DescriptorNode parent, List<Node> nodes) {
      for (Node node : nodes) {
        if (path.size() == MAX_DEPTH || ++count > MAX_DESCRIPTORS) {
          yaml.mistake(
              node,
              "descriptors may be nested at most "
                  + MAX_DEPTH
                  + " deep, and a file may have at most 100,000");
          return;
        }
        descriptor(parent, node);
      }
    }

    private void descriptor(DescriptorNode parent, Node node) {
      Map<String, Node> fields = yaml.fields(node, "a descriptor", DESCRIPTOR);
      DescriptorEntry step = step(fields, node);
      path.add(step);
      DescriptorNode child = new DescriptorNode();
      if (!step.key().isEmpty() && !parent.add(step, child)) {
        yaml.mistake(node, "the descriptor " + step.describe() + " is repeated");
      } else if (path.size() == 1) {
        outermost.add(new DomainDescriptor(domain, step, child));
      }
      EnvoyLimit.Builder parts = new EnvoyLimit.Builder();
      parts.shadow = yaml.flag(fields, "shadow_mode");
      parts.quota = yaml.flag(fields, "quota_mode");
      parts.metadata = metadata(fields.get("metadata"));
      Node limit = fields.get("rate_limit");
      if (limit != null && !YamlFile.isNull(limit)) {
        limit(child, limit, parts);
      }
      descriptors(child, yaml.list(fields, "descriptors"));
      path.remove(path.size() - 1);
    }

    private DescriptorEntry step(Map<String, Node> fields, Node node) {
      String key = yaml.text(fields, "key");
      if (key.isEmpty()) {
        yaml.mistake(node, "key is missing in a descriptor");
      }
      yaml.flag(fields, "detailed_metric");
      yaml.flag(fields, "value_to_metric");
      DescriptorEntry step =
          new DescriptorEntry(
              key, yaml.text(fields, "value"), yaml.flag(fields, "share_threshold"));
      if (step.isShared() && !step.isPattern()) {
        yaml.mistake(node, "share_threshold needs a value with *");
      }
      return step;
    }

    private @Nullable Struct metadata(@Nullable Node node) {
      return node == null || YamlFile.isNull(node) ? null : new MetadataReader(yaml).struct(node);
    }

    private void limit(DescriptorNode descriptor, Node node, EnvoyLimit.Builder parts) {
      if (!new LimitReader(yaml, node).read(parts)) {
        return;
      }
      RateUnit unit = parts.unit;
      if (unit != null && parts.permits > 0) {
        boolean admitsAll = parts.shadow || parts.quota;
        parts.policy = policies.of(domain, path, parts.permits, unit, admitsAll);
      }
      parts.keys = DescriptorKeyFactory.ofPath(path);
      descriptor.limit(parts.build());
    }
  }
}
