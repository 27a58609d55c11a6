package io.weir.internal.control.admin.users;

import io.weir.Policy;
import io.weir.internal.control.http.EntityTags;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.Described;
import io.weir.rules.quota.Quota;
import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.Quotas;
import io.weir.rules.quota.UserQuota;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reads and changes the quotas, grants and billing periods of users. Safe for concurrent use. */
final class QuotaOperations {
  private static final int CREATED = 201;
  private static final int MAX_REASON = 1_000;
  private static final int MAX_BILLING_DAY = 31;

  private final Quotas quotas;

  QuotaOperations(Quotas quotas) {
    this.quotas = quotas;
  }

  /** A user's own quota; members that are left out follow the rule. */
  record QuotaSettings(
      @Described("Permits per period") @Nullable Long monthlyLimit,
      @Described("Permits to add to the first period") @Nullable Long rolloverAmount,
      @Described("The maximum number of permits that roll over to the next period")
          @Nullable Long maxRollover,
      @Described("The first day of a period, 1 to 31; default 1") @Nullable Long billingDay,
      @Described("A time zone; default UTC") @Nullable String zone,
      @Described("As in ETag and If-Match; ignored in requests") @Nullable Long version) {
    UserQuota quota(String userId, long seen) {
      return new UserQuota(
          userId,
          monthlyLimit == null ? OptionalLong.empty() : OptionalLong.of(monthlyLimit),
          rolloverAmount == null ? 0 : rolloverAmount,
          maxRollover == null ? OptionalLong.empty() : OptionalLong.of(maxRollover),
          billingDay == null
              ? 1
              : (int) FieldReader.required("billingDay", billingDay, 1, MAX_BILLING_DAY),
          zone == null ? ZoneOffset.UTC : FieldReader.zone("zone", zone),
          seen);
    }
  }

  /**
   * A user's quota in the current period; without numbers if no rule gives the user's tier a quota.
   */
  record QuotaDocument(
      String userId,
      @Nullable Long limit,
      @Nullable Long used,
      @Nullable Long available,
      @Nullable Long rollover,
      @Nullable Long granted,
      @Nullable Instant resetsAt,
      @Described("The user's own quota; null if it has none") @Nullable QuotaSettings settings) {
    static QuotaDocument of(
        String userId, @Nullable Quota quota, @Nullable QuotaSettings settings) {
      Map<String, Object> members = quota == null ? new HashMap<>() : JsonRecords.members(quota);
      members.put("userId", userId);
      if (settings != null) {
        members.put("settings", settings);
      }
      return JsonRecords.of(QuotaDocument.class, members);
    }
  }

  record GrantDocument(
      @Described("Assigned by the database; ignored in requests") @Nullable Long id,
      @Described("As in If-Match; ignored in requests") @Nullable Long version,
      @Nullable Long permits,
      @Described("The permits that are left; ignored in requests") @Nullable Long remaining,
      @Nullable String reason,
      @Described("Ignored in requests") @Nullable String grantedBy,
      @Nullable Instant validUntil,
      @Described("Ignored in requests") @Nullable Instant createdAt) {}

  record PeriodDocument(
      Instant startsAt,
      Instant endsAt,
      long limit,
      long rollover,
      long granted,
      long used,
      @Nullable Instant closedAt) {}

  private QuotaDocument document(String userId, Optional<UserQuota> settings) {
    return QuotaDocument.of(
        userId,
        quotas.find(userId).orElse(null),
        settings.map(JsonRecords.to(QuotaSettings.class)).orElse(null));
  }

  QuotaDocument document(String userId) {
    return document(userId, quotas.settings(userId));
  }

  Response read(String userId) {
    Optional<UserQuota> settings = quotas.settings(userId);
    QuotaDocument document = document(userId, settings);
    return settings.isPresent()
        ? EntityTags.ok(document, settings.get().version())
        : JsonEntity.ok(document);
  }

  Response save(String userId, OptionalLong seen, QuotaSettings sent, String author) {
    if (seen.isEmpty() && quotas.settings(userId).isPresent()) {
      throw EntityTags.missing();
    }
    UserQuota wanted = sent.quota(userId, seen.orElse(0));
    UserQuota unused = EntityTags.change(() -> quotas.save(wanted, author), () -> version(userId));
    return read(userId);
  }

  private OptionalLong version(String userId) {
    return EntityTags.of(quotas.settings(userId), UserQuota::version);
  }

  Response delete(String userId, long version, String author) {
    return EntityTags.delete(() -> quotas.delete(userId, version, author), () -> version(userId));
  }

  Response periods(String userId, int limit) {
    return JsonEntity.ok(periodDocuments(userId, limit));
  }

  List<PeriodDocument> periodDocuments(String userId, int limit) {
    return JsonRecords.copies(quotas.periods(userId, limit), PeriodDocument.class);
  }

  Response grants(String userId) {
    return JsonEntity.ok(grantDocuments(userId));
  }

  List<GrantDocument> grantDocuments(String userId) {
    return JsonRecords.copies(quotas.grants(userId), GrantDocument.class);
  }

  Response grant(String userId, GrantDocument sent, String author) {
    long permits = FieldReader.required("permits", sent.permits(), 1, Policy.MAX_LIMIT);
    String reason = FieldReader.optional("reason", sent.reason(), MAX_REASON);
    QuotaGrant wanted = QuotaGrant.of(userId, permits, reason);
    if (sent.validUntil() != null) {
      wanted = wanted.until(sent.validUntil());
    }
    QuotaGrant saved = quotas.grant(wanted, author);
    return EntityTags.tagged(CREATED, JsonRecords.copy(saved, GrantDocument.class), saved.version())
        .build();
  }

  Response revoke(String userId, long id, long version, String author) {
    if (find(userId, id).isEmpty()) {
      throw Problem.notFound("The user has no grant " + id + ".").exception();
    }
    return EntityTags.delete(
        () -> quotas.revoke(id, version, author),
        () -> EntityTags.of(find(userId, id), QuotaGrant::version));
  }

  private Optional<QuotaGrant> find(String userId, long id) {
    return quotas.grants(userId).stream().filter(each -> each.id() == id).findFirst();
  }
}
