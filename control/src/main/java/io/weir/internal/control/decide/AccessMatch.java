package io.weir.internal.control.decide;

import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.control.resource.Described;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry of an access list that is about a caller.
 *
 * @param reason empty if there is none
 */
public record AccessMatch(
    @Described("DENY, ALLOW or BAN") String action,
    @Described("Such as ip:203.0.113.0/24; of a ban by one policy policy:NAME:user:alice")
        String subject,
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

  /** Returns whether it decides at all endpoints, as a ban by one policy doesn't. */
  private boolean decides() {
    return !shadow && bannedBy().isEmpty();
  }

  /** Returns whether it is a ban that is in force. */
  boolean bans() {
    return !shadow && action.equals(AccessAction.BAN.name());
  }

  /** Returns the one policy that a ban keeps the caller out of; empty if it isn't such a ban. */
  Optional<String> bannedBy() {
    return Optional.of(AccessSubject.parse(subject).policy())
        .filter(policy -> !policy.isEmpty() && !policy.equals(AccessSubject.ANY_POLICY));
  }

  /** Returns whether no limit is asked about a caller. */
  static boolean overrides(List<AccessMatch> matches) {
    return matches.stream().anyMatch(each -> each.decides() && !each.counted());
  }

  /** Returns what decides about a caller; null if no entry does. */
  static @Nullable AccessAction deciding(List<AccessMatch> matches) {
    for (AccessMatch each : matches) {
      if (each.decides()) {
        return AccessAction.valueOf(each.action());
      }
    }
    return null;
  }
}
