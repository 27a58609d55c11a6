package io.weir.internal.server.envoy.config;

import io.weir.internal.server.envoy.proto.RateLimitDescriptor.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node in the tree of a domain's descriptors; the root has no limit. Changed only while files are
 * read; then safe for concurrent use.
 *
 * <p>A request's entries lead down the tree. At each level the exact value takes precedence, then
 * the first pattern that matches, in the order of the file, and of files by path, then the bare
 * key. It doesn't backtrack: if the more exact branch leads nowhere, nothing matches. A limit
 * counts only if the last entry leads to it.
 */
public final class DescriptorNode {
  private final Map<String, KeyBranches> branches = new HashMap<>();
  private @Nullable EnvoyLimit limit;

  DescriptorNode() {}

  /** Sets the limit of requests whose last entry leads here. */
  void limit(EnvoyLimit ofThis) {
    this.limit = ofThis;
  }

  /** Adds a nested descriptor; returns false if there is one of this key and value already. */
  boolean add(DescriptorEntry step, DescriptorNode child) {
    return branches.computeIfAbsent(step.key(), key -> new KeyBranches()).add(step, child);
  }

  /**
   * Finds the limit that a request's entries lead to.
   *
   * @param entries the entries of one descriptor, in their order
   * @return empty if they match no path, or their path has no limit
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

  /** The descriptors of one level that have the same key. */
  private static final class KeyBranches {
    /** By value; also patterns by their own text, which may be a value. */
    private final Map<String, DescriptorNode> exact = new HashMap<>();

    private final List<Pattern> patterns = new ArrayList<>();
    private @Nullable DescriptorNode bare;

    private record Pattern(ValuePattern value, DescriptorNode node) {}

    /** Returns false if there is one of this value already. */
    boolean add(DescriptorEntry step, DescriptorNode node) {
      if (step.value().isEmpty()) {
        boolean isNew = bare == null;
        bare = node;
        return isNew;
      }
      if (step.isPattern()) {
        patterns.add(new Pattern(ValuePattern.of(step.value()), node));
      }
      return exact.put(step.value(), node) == null;
    }

    @Nullable DescriptorNode match(String value) {
      DescriptorNode node = exact.get(value);
      if (node != null) {
        return node;
      }
      for (int i = 0; i < patterns.size(); i++) {
        if (patterns.get(i).value().matches(value)) {
          return patterns.get(i).node();
        }
      }
      return bare;
    }
  }
}
