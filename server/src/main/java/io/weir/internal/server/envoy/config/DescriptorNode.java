package io.weir.internal.server.envoy.config;

import io.weir.internal.server.envoy.proto.RateLimitDescriptor.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor of the configuration, with those nested in it; the root of a domain is one without a
 * limit. Changed only while a file is read; then safe for concurrent use.
 *
 * <p>A request's entries lead down the tree. At each level the exact value goes first, then the
 * first pattern of the file that matches, then the bare key. There is no way back up: where the
 * more exact branch leads nowhere, nothing matches. A limit counts only where the last entry is.
 */
public final class DescriptorNode {
  private final Map<String, KeyBranches> branches = new HashMap<>();
  private @Nullable EnvoyLimit limit;

  DescriptorNode() {}

  /** Sets the limit of those whose last entry leads here. */
  void limit(EnvoyLimit ofThis) {
    this.limit = ofThis;
  }

  /**
   * Nests a descriptor.
   *
   * @return false if one of this key and value is there already
   */
  boolean add(PathStep step, DescriptorNode child) {
    return branches.computeIfAbsent(step.key(), key -> new KeyBranches()).add(step, child);
  }

  /**
   * The limit that a request's entries lead to.
   *
   * @param entries the entries of one descriptor, in their order
   * @return nothing if they match no path, or their path has no limit
   */
  public Optional<EnvoyLimit> match(List<Entry> entries) {
    DescriptorNode node = this;
    for (int level = 0; level < entries.size() && node != null; level++) {
      Entry entry = entries.get(level);
      KeyBranches ofKey = node.branches.get(entry.getKey());
      node = ofKey == null ? null : ofKey.match(entry.getValue());
    }
    return node == null ? Optional.empty() : Optional.ofNullable(node.limit);
  }
}
