package io.weir.rules.quota;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Permits on top of a user's quota, used after limit and rollover: a row of {@code quota_grants}.
 *
 * <p>Immutable.
 *
 * @param id the row's number; 0 for one that isn't saved yet
 * @param userId the principal's name, or {@code sha256:} and 64 hex digits of a key
 * @param permits how many were granted, 1 to 1,000,000,000
 * @param remaining how many are left of them; changes only when a period is closed
 * @param reason why, for people; may be empty
 * @param grantedBy who; empty for one that isn't saved yet
 * @param validUntil until when; it holds to the end of the period in which this lies. Nothing:
 *     until it is used up
 * @param createdAt when it was granted; nothing for one that isn't saved yet
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
   * Takes the members as they are; numbers out of range are told when it is granted.
   *
   * @param id see the record
   * @param userId see the record
   * @param permits see the record
   * @param remaining see the record
   * @param reason see the record
   * @param grantedBy see the record
   * @param validUntil see the record
   * @param createdAt see the record
   * @param version see the record
   */
  public QuotaGrant {
    Objects.requireNonNull(userId, "userId");
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(grantedBy, "grantedBy");
  }

  /**
   * One that isn't saved yet, and holds until it is used up.
   *
   * @param userId see the record
   * @param permits see the record
   * @param reason see the record
   * @return a whole grant
   */
  public static QuotaGrant of(String userId, long permits, String reason) {
    return new QuotaGrant(
        0, userId, permits, permits, reason, "", Optional.empty(), Optional.empty(), 0);
  }

  /**
   * The same with an end.
   *
   * @param end see the record
   * @return a copy
   */
  public QuotaGrant until(Instant end) {
    return new QuotaGrant(
        id, userId, permits, remaining, reason, grantedBy, Optional.of(end), createdAt, version);
  }
}
