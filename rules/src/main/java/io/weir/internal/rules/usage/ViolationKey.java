package io.weir.internal.rules.usage;

import java.util.Comparator;

/**
 * Identifies a row of violations of one write.
 *
 * @param caller the user, the address of an unknown caller, or {@code *}
 */
record ViolationKey(String caller, String endpoint, String policy)
    implements Comparable<ViolationKey> {
  private static final Comparator<ViolationKey> ORDER =
      Comparator.comparing(ViolationKey::caller)
          .thenComparing(ViolationKey::endpoint)
          .thenComparing(ViolationKey::policy);

  @Override
  public int compareTo(ViolationKey other) {
    return ORDER.compare(this, other);
  }

  /** Returns the same endpoint and policy for all unknown callers together. */
  ViolationKey ofOthers() {
    return new ViolationKey(FinishedRequest.OTHERS, endpoint, policy);
  }
}
