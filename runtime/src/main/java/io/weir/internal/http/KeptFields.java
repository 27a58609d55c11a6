package io.weir.internal.http;

import io.weir.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the fields of a dialect say of one policy, whoever calls.
 *
 * <p>Immutable.
 *
 * @param window the policy's window
 * @param limit the permits per window that are in force
 * @param fields one for each field of the dialect; nothing for those that tell of the caller
 */
record KeptFields(Duration window, long limit, List<Optional<HeaderField>> fields) {
  static KeptFields of(HeaderDialect dialect, Policy policy, long limit) {
    return new KeptFields(
        policy.window(),
        limit,
        dialect.fields().stream().map(each -> each.of(policy, limit)).toList());
  }

  boolean fits(Policy policy, long inForce) {
    return limit == inForce && window.equals(policy.window());
  }
}
