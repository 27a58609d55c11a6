package io.weir.internal.control.admin.users;

import io.weir.Ticker;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.admin.records.EndpointUsageDocument;
import io.weir.internal.control.admin.users.QuotaOperations.GrantDocument;
import io.weir.internal.control.admin.users.QuotaOperations.PeriodDocument;
import io.weir.internal.control.admin.users.QuotaOperations.QuotaDocument;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.rules.Rules;
import io.weir.rules.tier.UserTier;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Returns all that is stored of a user, who is named in the body: access logs have addresses, and
 * no names. Safe for concurrent use.
 */
@Path("/v1/admin/ratelimit/callers/account")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class UserAccountResource {
  private static final int MAX_NAME = 500;
  private static final int MAX_PERIODS = 12;
  private static final Duration USAGE = Duration.ofDays(1);

  private final Rules rules;
  private final QuotaOperations quotas;
  private final Ticker ticker;

  public UserAccountResource(Rules rules, Ticker ticker) {
    this.rules = rules;
    this.quotas = new QuotaOperations(rules.quotas());
    this.ticker = ticker;
  }

  record AccountQuery(@Nullable String userId) {}

  record AccountDocument(
      @Described("The user's own tier and limits; null if it has none") @Nullable UserDocument user,
      @Described(
              "The user's row in a table that Weir only reads, if the user's own tier overrides it")
          @Nullable UserDocument overridden,
      QuotaDocument quota,
      @Described("At most 12, newest first") List<PeriodDocument> periods,
      @Described("Newest first") List<GrantDocument> grants,
      @Described("Of the last 24 hours, by endpoint and hour") List<EndpointUsageDocument> usage) {}

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "Return the tier, quota, periods, grants and latest usage of a user",
      body = AccountQuery.class,
      answer = AccountDocument.class)
  public Response find(JsonBody body) {
    String userId = FieldReader.required("userId", body.as(AccountQuery.class).userId(), MAX_NAME);
    Instant now = ticker.instant();
    Optional<UserTier> own = rules.users().find(userId).filter(each -> each.origin().isEmpty());
    Optional<UserTier> foreign = rules.users().findForeign(userId);
    return JsonEntity.ok(
        new AccountDocument(
            own.or(() -> foreign).map(UserDocument::of).orElse(null),
            own.flatMap(any -> foreign).map(UserDocument::of).orElse(null),
            quotas.document(userId),
            quotas.periodDocuments(userId, MAX_PERIODS),
            quotas.grantDocuments(userId),
            JsonRecords.copies(
                rules.usage().hours(userId, now.minus(USAGE), now), EndpointUsageDocument.class)));
  }
}
