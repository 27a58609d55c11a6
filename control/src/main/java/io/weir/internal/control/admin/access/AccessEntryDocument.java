package io.weir.internal.control.admin.access;

import io.weir.access.AccessAction;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.resource.Described;
import io.weir.rules.AccessListRow;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An entry of the access list. */
record AccessEntryDocument(
    @Described("Assigned by the database; ignored in requests") @Nullable Long id,
    @Described("As in ETag and If-Match; ignored in requests") @Nullable Long version,
    @Described("DENY or ALLOW; BAN in answers alone, since bans are made by Weir")
        @Nullable String action,
    @Described(
            "An address or block such as ip:203.0.113.0/24, where ip: may be left out, user:NAME,"
                + " key: and the sha256: of a key, or resolver:NAME:VALUE; of a ban by one policy"
                + " policy:NAME:ip:203.0.113.7, say")
        @Nullable String subject,
    @Described("Only in requests, instead of the subject: a key, whose digest is saved")
        @Nullable String apiKey,
    @Described("Whether policies count the requests that it lets through; default false")
        @Nullable Boolean counted,
    @Described("ENFORCED or SHADOW; default ENFORCED") @Nullable String state,
    @Described("For operators: callers never see it") @Nullable String reason,
    @Described("The end; without it the entry holds for good") @Nullable Instant validUntil,
    @Described("The policy that made a ban; ignored in requests") @Nullable String policy,
    @Described("Ignored in requests") @Nullable Instant createdAt,
    @Described("Ignored in requests") @Nullable String updatedBy,
    @Described("Warnings for its author; ignored in requests") @Nullable List<String> warnings) {
  private static final int MAX_SUBJECT = 1_100;
  private static final int MAX_KEY = 8_192;

  private enum State {
    ENFORCED,
    SHADOW
  }

  static AccessEntryDocument of(AccessListRow row, @Nullable List<String> warnings) {
    AccessEntry entry = row.entry();
    return new AccessEntryDocument(
        row.id(),
        row.version(),
        entry.action().name(),
        entry.subject().toString(),
        null,
        entry.isCounted(),
        (entry.isShadow() ? State.SHADOW : State.ENFORCED).name(),
        entry.reason(),
        entry.end().orElse(null),
        row.policy().orElse(null),
        row.createdAt().orElse(null),
        row.updatedBy(),
        warnings);
  }

  /**
   * Converts the request's document to an entry.
   *
   * @throws InvalidFieldException if a member breaks a rule
   */
  AccessEntry entry() {
    AccessAction what = FieldReader.required("action", action, AccessAction.class);
    if (what == AccessAction.BAN) {
      throw new InvalidFieldException("action", "must be DENY or ALLOW: bans are made by Weir");
    }
    AccessSubject whom = whom();
    AccessEntry plain =
        checked(
            "subject",
            () -> what == AccessAction.DENY ? AccessEntry.deny(whom) : AccessEntry.allow(whom));
    String text = reason == null ? "" : reason;
    AccessEntry explained = checked("reason", () -> plain.withReason(text));
    AccessEntry entry =
        Boolean.TRUE.equals(counted) ? checked("counted", explained::counted) : explained;
    if (FieldReader.optional("state", state, State.class)
        .filter(State.SHADOW::equals)
        .isPresent()) {
      entry = entry.inShadow();
    }
    return validUntil == null ? entry : entry.until(validUntil);
  }

  private AccessSubject whom() {
    if (apiKey == null) {
      return subject(subject);
    }
    if (subject != null) {
      throw new InvalidFieldException("apiKey", "must not be given together with subject");
    }
    return AccessSubject.keyOf(FieldReader.required("apiKey", apiKey, MAX_KEY));
  }

  /** Reads a subject; null if it is missing. */
  static AccessSubject subject(@Nullable String text) {
    String given = FieldReader.required("subject", text, MAX_SUBJECT);
    return checked("subject", () -> AccessSubject.parse(given));
  }

  /** Names the field, in place of the words for it that some messages begin with. */
  private static <T> T checked(String field, Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException wrong) {
      String rule = String.valueOf(wrong.getMessage());
      throw new InvalidFieldException(field, rule.substring(Math.max(0, rule.indexOf("must"))));
    }
  }
}
