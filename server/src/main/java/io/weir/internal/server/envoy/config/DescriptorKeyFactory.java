package io.weir.internal.server.envoy.config;

import io.weir.Key;
import io.weir.internal.server.envoy.proto.RateLimitDescriptor.Entry;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the key of a bucket from a descriptor's entries. Each text is written with its length, so
 * that different descriptors have different keys, whatever separators their values contain.
 * Immutable.
 */
final class DescriptorKeyFactory {
  private static final DescriptorKeyFactory OF_VALUES = new DescriptorKeyFactory("", null, null);

  private final String prefix;
  private final @Nullable String @Nullable [] shared;
  private final @Nullable Key constant;

  private DescriptorKeyFactory(
      String prefix, @Nullable String @Nullable [] shared, @Nullable Key constant) {
    this.prefix = prefix;
    this.shared = shared;
    this.constant = constant;
  }

  /** Makes a key for each combination of values. */
  static DescriptorKeyFactory ofValues() {
    return OF_VALUES;
  }

  /** Makes a key for each domain and combination of values. */
  static DescriptorKeyFactory ofDomain(String domain) {
    StringBuilder text = new StringBuilder();
    append(text, domain);
    return new DescriptorKeyFactory(text.toString(), null, null);
  }

  /** Makes keys for a path of the tree: values of a shared pattern have one key. */
  static DescriptorKeyFactory ofPath(List<DescriptorEntry> path) {
    @Nullable String[] shared = new String[path.size()];
    boolean anyShared = false;
    boolean allKnown = true;
    StringBuilder text = new StringBuilder();
    for (int level = 0; level < shared.length; level++) {
      DescriptorEntry step = path.get(level);
      if (step.isShared()) {
        shared[level] = step.value();
        anyShared = true;
      }
      allKnown &= step.isShared() || step.isExact();
      append(text, step.key());
      append(text, step.value());
    }
    return new DescriptorKeyFactory(
        "", anyShared ? shared : null, allKnown ? Key.of(text.toString()) : null);
  }

  Key of(List<Entry> entries) {
    if (constant != null) {
      return constant;
    }
    StringBuilder text = new StringBuilder(prefix);
    for (int level = 0; level < entries.size(); level++) {
      Entry entry = entries.get(level);
      append(text, entry.getKey());
      String pattern = shared == null ? null : shared[level];
      append(text, pattern == null ? entry.getValue() : pattern);
    }
    return Key.of(text.toString());
  }

  private static void append(StringBuilder text, String part) {
    text.append(part.length()).append(':').append(part);
  }
}
