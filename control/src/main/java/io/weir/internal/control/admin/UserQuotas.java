package io.weir.internal.control.admin;

import io.weir.Policy;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.resource.Described;
import io.weir.rules.quota.Quota;
import io.weir.rules.quota.QuotaGrant;
import io.weir.rules.quota.QuotaPeriod;
import io.weir.rules.quota.Quotas;
import io.weir.rules.quota.UserQuota;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Quotas, grants and periods of users, in JSON. Safe for concurrent use. */
final class UserQuotas {
  private static final int CREATED = 201;
  private static final int LONGEST_REASON = 1_000;
  private static final int LAST_DAY = 31;

  private final Quotas quotas;

  UserQuotas(Quotas quotas) {
    this.quotas = quotas;
  }

  /** A user's own quota; what is left out is as the rule has it. */
  record QuotaSettings(
      @Described("Permits of each period") @Nullable Long monthlyLimit,
      @Described("What comes over from before there were periods") @Nullable Long rolloverAmount,
      @Described("How much at most comes over") @Nullable Long maxRollover,
      @Described("1 to 31; 1 unless given") @Nullable Long billingDay,
      @Described("A time zone; UTC unless given") @Nullable String zone,
      @Described("As ETag and If-Match have it; ignored in what is sent") @Nullable Long version) {
    static QuotaSettings of(UserQuota quota) {
      return new QuotaSettings(
          boxed(quota.monthlyLimit()),
          quota.rolloverAmount(),
          boxed(quota.maxRollover()),
          (long) quota.billingDay(),
          quota.zone().getId(),
          quota.version());
    }

    private static @Nullable Long boxed(OptionalLong number) {
      return number.isPresent() ? Long.valueOf(number.getAsLong()) : null;
    }

    UserQuota quota(String userId, long seen) {
      return new UserQuota(
          userId,
          monthlyLimit == null ? OptionalLong.empty() : OptionalLong.of(monthlyLimit),
          rolloverAmount == null ? 0 : rolloverAmount,
          maxRollover == null ? OptionalLong.empty() : OptionalLong.of(maxRollover),
          billingDay == null ? 1 : (int) Words.required("billingDay", billingDay, 1, LAST_DAY),
          zone == null ? ZoneOffset.UTC : Words.zone("zone", zone),
          seen);
    }
  }

  /**
   * What a user may use in its running period; without numbers where no rule gives its tier a
   * quota.
   */
  record QuotaDocument(
      String userId,
      @Nullable Long limit,
      @Nullable Long used,
      @Nullable Long available,
      @Nullable Long rollover,
      @Nullable Long granted,
      @Nullable Instant resetsAt,
      @Described("The user's own; null if it has none") @Nullable QuotaSettings settings) {
    static QuotaDocument of(
        String userId, @Nullable Quota quota, @Nullable QuotaSettings settings) {
      return quota == null
          ? new QuotaDocument(userId, null, null, null, null, null, null, settings)
          : new QuotaDocument(
              userId,
              quota.limit(),
              quota.used(),
              quota.available(),
              quota.rollover(),
              quota.granted(),
              quota.resetsAt(),
              settings);
    }
  }

  /** A grant in JSON. */
  record GrantDocument(
      @Described("Given by the database; ignored in what is sent") @Nullable Long id,
      @Described("As If-Match has it; ignored in what is sent") @Nullable Long version,
      @Nullable Long permits,
      @Described("What is left; ignored in what is sent") @Nullable Long remaining,
      @Nullable String reason,
      @Described("Ignored in what is sent") @Nullable String grantedBy,
      @Nullable Instant validUntil,
      @Described("Ignored in what is sent") @Nullable Instant createdAt) {
    static GrantDocument of(QuotaGrant grant) {
      return new GrantDocument(
          grant.id(),
          grant.version(),
          grant.permits(),
          grant.remaining(),
          grant.reason(),
          grant.grantedBy(),
          grant.validUntil().orElse(null),
          grant.createdAt().orElse(null));
    }
  }

  /** A billing period in JSON. */
  record PeriodDocument(
      Instant startsAt,
      Instant endsAt,
      long limit,
      long rollover,
      long granted,
      long used,
      @Nullable Instant closedAt) {
    static PeriodDocument of(QuotaPeriod period) {
      return new PeriodDocument(
          period.startsAt(),
          period.endsAt(),
          period.limit(),
          period.rollover(),
          period.granted(),
          period.used(),
          period.closedAt().orElse(null));
    }
  }

  Response told(String userId) {
    Optional<UserQuota> settings = quotas.settings(userId);
    QuotaDocument told =
        QuotaDocument.of(
            userId, quotas.find(userId).orElse(null), settings.map(QuotaSettings::of).orElse(null));
    return settings.isPresent() ? Versions.ok(told, settings.get().version()) : JsonEntity.ok(told);
  }

  Response save(String userId, OptionalLong seen, QuotaSettings sent, String author) {
    if (seen.isEmpty() && quotas.settings(userId).isPresent()) {
      throw Versions.missing();
    }
    UserQuota wanted = sent.quota(userId, seen.orElse(0));
    UserQuota unused = Versions.changing(() -> quotas.save(wanted, author), () -> version(userId));
    return told(userId);
  }

  private OptionalLong version(String userId) {
    return Versions.of(quotas.settings(userId), UserQuota::version);
  }

  Response delete(String userId, long version, String author) {
    return Versions.deleting(() -> quotas.delete(userId, version, author), () -> version(userId));
  }

  Response periods(String userId, int most) {
    return JsonEntity.ok(quotas.periods(userId, most).stream().map(PeriodDocument::of).toList());
  }

  Response grants(String userId) {
    return JsonEntity.ok(quotas.grants(userId).stream().map(GrantDocument::of).toList());
  }

  Response grant(String userId, GrantDocument sent, String author) {
    long permits = Words.required("permits", sent.permits(), 1, Policy.MAX_LIMIT);
    String reason = Words.optional("reason", sent.reason(), LONGEST_REASON);
    QuotaGrant wanted = QuotaGrant.of(userId, permits, reason);
    if (sent.validUntil() != null) {
      wanted = wanted.until(sent.validUntil());
    }
    QuotaGrant saved = quotas.grant(wanted, author);
    return Versions.tagged(CREATED, GrantDocument.of(saved), saved.version()).build();
  }

  Response revoke(String userId, long id, long version, String author) {
    if (find(userId, id).isEmpty()) {
      throw Problem.notFound("The user has no grant " + id + ".").exception();
    }
    return Versions.deleting(
        () -> quotas.revoke(id, version, author),
        () -> Versions.of(find(userId, id), QuotaGrant::version));
  }

  private Optional<QuotaGrant> find(String userId, long id) {
    return quotas.grants(userId).stream().filter(each -> each.id() == id).findFirst();
  }
}
