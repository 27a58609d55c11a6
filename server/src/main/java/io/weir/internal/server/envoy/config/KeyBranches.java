package io.weir.internal.server.envoy.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of one level that have the same key. Changed only while a file is read; then safe
 * for concurrent use.
 */
final class KeyBranches {
  /** Also patterns by their own text, which may be a value. */
  private final Map<String, DescriptorNode> exact = new HashMap<>();

  private final List<Pattern> patterns = new ArrayList<>();
  private @Nullable DescriptorNode bare;

  private record Pattern(ValuePattern value, DescriptorNode node) {}

  /** False if there is one of this value already. */
  boolean add(PathStep step, DescriptorNode node) {
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
