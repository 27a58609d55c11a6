package io.weir.internal.server.envoy.config;

/**
 * One entry on the way from the root of a domain to a descriptor. Immutable.
 *
 * @param key the entry's key
 * @param value the value that it must have; a pattern if it ends with an asterisk; empty: any
 * @param isShared whether the values of a pattern are counted together
 */
record PathStep(String key, String value, boolean isShared) {
  boolean isPattern() {
    return value.endsWith("*");
  }

  boolean isExact() {
    return !value.isEmpty() && !isPattern();
  }

  /** What a value must begin with to match the pattern. */
  String prefix() {
    return value.substring(0, value.length() - 1);
  }

  /** As the file has it, for people. */
  String describe() {
    return value.isEmpty() ? key : key + "=" + value;
  }
}
