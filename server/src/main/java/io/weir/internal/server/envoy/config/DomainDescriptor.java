package io.weir.internal.server.envoy.config;

import java.util.List;

/**
 * An outermost descriptor of a domain, with all that is nested in it. Immutable.
 *
 * @param node what is nested in it, and its limit
 */
record DomainDescriptor(String domain, DescriptorEntry entry, DescriptorNode node) {
  /** Returns what only one descriptor may have. */
  List<String> identity() {
    return List.of(domain, entry.key(), entry.value());
  }

  String describe() {
    return "the descriptor " + entry.describe() + " of the domain " + domain;
  }
}
