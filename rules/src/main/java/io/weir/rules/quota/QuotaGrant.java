package io.weir.rules.quota;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Grants permits beyond a user's quota, used after limit and rollover: a row of {@code
 * quota_grants}.
 *
 * <p>Immutable.
 *
 * @param id the row's number; 0 for one that isn't saved yet
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param permits the number of permits granted, 1 to 1,000,000,000
 * @param remaining the number of permits left; changes only when a period is closed
 * @param reason the reason, for people; may be empty
 * @param grantedBy the author; empty for one that isn't saved yet
 * @param validUntil its end; the grant holds until the end of the period that contains it. Empty if
 *     until used up
 * @param createdAt when it was granted; empty for one that isn't saved yet
 * @param version how often the row was written; 0 for one that isn't saved yet
 */
public record QuotaGrant(
    long id,
    String userId,
    long permits,
    long remaining,
    String reason,
    String grantedBy,
    Optional<Instant> validUntil,
    Optional<Instant> createdAt,
    long version) {
  /**
   * Checks no numbers: they are checked when it is granted.
   *
   * @param id the row's number
   * @param userId the principal's name
   * @param permits the number of permits granted
   * @param remaining the number of permits left
   * @param reason the reason
   * @param grantedBy the author
   * @param validUntil its end
   * @param createdAt when it was granted
   * @param version how often the row was written
   */
  public QuotaGrant {
    Objects.requireNonNull(userId, "userId");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(grantedBy, "grantedBy");
  }

  /**
   * Makes a grant that isn't saved yet, and holds until it is used up.
   *
   * @param userId the principal's name
   * @param permits the number of permits granted
   * @param reason the reason
   * @return the grant
   */
  public static QuotaGrant of(String userId, long permits, String reason) {
    return new QuotaGrant(
        0, userId, permits, permits, reason, "", Optional.empty(), Optional.empty(), 0);
  }

  /**
   * Returns the grant with an end.
   *
   * @param end see {@link #validUntil()}
   * @return a copy
   */
  public QuotaGrant until(Instant end) {
    return new QuotaGrant(
        id, userId, permits, remaining, reason, grantedBy, Optional.of(end), createdAt, version);
  }
}
