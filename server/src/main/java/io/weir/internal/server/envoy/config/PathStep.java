package io.weir.internal.server.envoy.config;

/**
 * One entry on the way from the root of a domain to a descriptor. Immutable.
 *
 * @param key the entry's key
 * @param value the value that it must have; a pattern if it has an asterisk; empty: any
 * @param isShared whether the values of a pattern are counted together
 */
record PathStep(String key, String value, boolean isShared) {
  boolean isPattern() {
    return value.indexOf('*') >= 0;
  }

  boolean isExact() {
    return !value.isEmpty() && !isPattern();
  }

  /** As the file has it, for people. */
  String describe() {
    return value.isEmpty() ? key : key + "=" + value;
  }
}
