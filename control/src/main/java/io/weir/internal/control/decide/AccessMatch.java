package io.weir.internal.control.decide;

import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.internal.control.resource.Described;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an access list that is about a caller.
 *
 * @param reason empty if there is none
 */
public record AccessMatch(
    @Described("DENY or ALLOW") String action,
    @Described("Such as ip:203.0.113.0/24") String subject,
    @Described("Whether policies count the requests that it lets through") boolean counted,
    @Described("Whether it only measures, and another entry, or none, decides") boolean shadow,
    @Described("For operators: callers never see it") String reason,
    @Described("Its end; null if it has none") @Nullable Instant validUntil) {
  static AccessMatch of(AccessEntry entry) {
    return new AccessMatch(
        entry.action().name(),
        entry.subject().toString(),
        entry.isCounted(),
        entry.isShadow(),
        entry.reason(),
        entry.end().orElse(null));
  }

  /** Returns whether no limit is asked about a caller. */
  static boolean overrides(List<AccessMatch> matches) {
    return matches.stream().anyMatch(each -> !each.shadow() && !each.counted());
  }

  /** Returns what decides about a caller; null if no entry does. */
  static @Nullable AccessAction deciding(List<AccessMatch> matches) {
    for (AccessMatch each : matches) {
      if (!each.shadow()) {
        return AccessAction.valueOf(each.action());
      }
    }
    return null;
  }
}
