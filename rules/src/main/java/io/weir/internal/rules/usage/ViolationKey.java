package io.weir.internal.rules.usage;

import java.util.Comparator;

/**
 * What is summed up in one row.
 *
 * @param caller the user, the address of one who isn't known, or {@code *}
 * @param endpoint the endpoint
 * @param policy the policy that refused
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

  /** The same of all callers that aren't known. */
  ViolationKey ofOthers() {
    return new ViolationKey(FinishedRequest.OTHERS, endpoint, policy);
  }
}
