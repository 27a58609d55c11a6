package io.weir.internal.server.envoy.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All domains in force at one time. Immutable. */
public final class EnvoyConfig {
  private final Map<String, EnvoyDomain> domains;

  EnvoyConfig(Map<String, EnvoyDomain> domains) {
    this.domains = Map.copyOf(domains);
  }

  /**
   * Finds a domain.
   *
   * @param name the name in a request
   * @return null if no file has it
   */
  public @Nullable EnvoyDomain domain(String name) {
    return domains.get(name);
  }
}
