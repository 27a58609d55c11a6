package io.weir.internal.server.envoy.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All domains in force at one time. Immutable. */
public final class EnvoyConfig {
  static final EnvoyConfig NONE = new EnvoyConfig(Map.of());

  private final Map<String, EnvoyDomain> domains;

  private EnvoyConfig(Map<String, EnvoyDomain> domains) {
    this.domains = Map.copyOf(domains);
  }

  /**
   * Combines files to domains.
   *
   * @param files in the order in which their patterns are tried; no descriptor is in two of them
   */
  static EnvoyConfig of(List<FileConfig> files, EnvoyPolicyFactory policies) {
    Map<String, DescriptorNode> roots = new HashMap<>();
    for (FileConfig file : files) {
      file.domains().forEach(each -> root(roots, each));
      file.descriptors().forEach(each -> root(roots, each.domain()).add(each.entry(), each.node()));
    }
    Map<String, EnvoyDomain> domains = new HashMap<>();
    roots.forEach((name, root) -> domains.put(name, new EnvoyDomain(name, root, policies)));
    return new EnvoyConfig(domains);
  }

  private static DescriptorNode root(Map<String, DescriptorNode> roots, String domain) {
    return roots.computeIfAbsent(domain, any -> new DescriptorNode());
  }

  /** Finds a domain by its name in a request; null if no file has it. */
  public @Nullable EnvoyDomain domain(String name) {
    return domains.get(name);
  }
}
