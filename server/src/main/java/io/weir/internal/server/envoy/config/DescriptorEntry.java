package io.weir.internal.server.envoy.config;

/**
 * An entry on the path from the root of a domain to a descriptor. Immutable.
 *
 * @param value the value that it must have; a pattern if it has an asterisk; empty for any
 * @param isShared whether all values of a pattern share one bucket
 */
record DescriptorEntry(String key, String value, boolean isShared) {
  boolean isPattern() {
    return value.indexOf('*') >= 0;
  }

  boolean isExact() {
    return !value.isEmpty() && !isPattern();
  }

  /** Describes it as in the file. */
  String describe() {
    return value.isEmpty() ? key : key + "=" + value;
  }
}
