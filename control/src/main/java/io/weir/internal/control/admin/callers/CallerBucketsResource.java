package io.weir.internal.control.admin.callers;

import io.weir.Decision;
import io.weir.Ticker;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.admin.callers.CallerDocument.CallerBucket;
import io.weir.internal.control.admin.callers.CallerDocument.Refusal;
import io.weir.internal.control.decide.CallerBucketFinder;
import io.weir.internal.control.decide.CallerBucketFinder.Caller;
import io.weir.internal.control.decide.CallerBucketFinder.Found;
import io.weir.internal.control.decide.RegionsAnswer;
import io.weir.internal.control.decide.RegionsReader;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.http.StoreCallAwaiter;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.rules.callers.CallerId;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.rulebook.WindowText;
import io.weir.rules.Rules;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.tier.UserTier;
import io.weir.store.BucketSpec;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Shows the buckets of one caller, and resets them. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/callers")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class CallerBucketsResource {
  private static final Duration RECENT = Duration.ofDays(1);
  private static final int MAX_REFUSALS = 100;

  private final Rules rules;
  private final CallerBucketFinder buckets;
  private final RegionsReader regions;
  private final Ticker ticker;

  public CallerBucketsResource(
      Rules rules, CallerBucketFinder buckets, RegionsReader regions, Ticker ticker) {
    this.ticker = ticker;
    this.rules = rules;
    this.buckets = buckets;
    this.regions = regions;
  }

  /** Names a caller by one of the three. Keys are sent in bodies only, never in addresses. */
  record CallerQuery(@Nullable String userId, @Nullable String ip, @Nullable String apiKey) {}

  record ResetQuery(
      @Nullable String userId,
      @Nullable String ip,
      @Nullable String apiKey,
      @Described("The policy's name") @Nullable String policy) {}

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "Return all buckets of a user or an address, and its recent refusals",
      answer = CallerDocument.class)
  public Response find(
      @QueryParam("userId") @Described("The user") @Nullable String userId,
      @QueryParam("ip") @Described("The address, instead of a user") @Nullable String ip) {
    return document(callerOf(userId, ip, null));
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "Return all buckets of a user, an address or a key, and its recent refusals. The"
              + " digest of a key, as userId, has refusals and a tier, but no buckets",
      body = CallerQuery.class,
      answer = CallerDocument.class)
  public Response findByBody(JsonBody body) {
    CallerQuery query = body.as(CallerQuery.class);
    return document(callerOf(query.userId(), query.ip(), query.apiKey()));
  }

  private static Caller callerOf(
      @Nullable String userId, @Nullable String ip, @Nullable String apiKey) {
    int given = (userId == null ? 0 : 1) + (ip == null ? 0 : 1) + (apiKey == null ? 0 : 1);
    if (given != 1) {
      throw new InvalidFieldException(
          "userId", "must be given, or else ip or apiKey, and only one of them");
    }
    return new Caller(userId, apiKey, ip);
  }

  private Response document(Caller caller) {
    List<Found> found = find(caller);
    Map<Decision, RegionsAnswer> counted = regions.of(found.stream().map(Found::part).toList());
    String row = row(caller, found);
    return JsonEntity.ok(
        new CallerDocument(
            name(caller),
            tier(caller),
            rules.usage().total(row).requests(),
            isDigest(caller.userId()) ? List.of() : buckets.access(caller),
            found.stream().map(each -> document(each, counted.get(each.part()))).toList(),
            refusals(row)));
  }

  /** Finds no buckets by a key's digest: only the key itself leads to them. */
  private List<Found> find(Caller caller) {
    return isDigest(caller.userId()) ? List.of() : buckets.of(caller);
  }

  private static boolean isDigest(@Nullable String userId) {
    return userId != null && CallerId.isDigest(userId);
  }

  private CallerBucket document(Found found, @Nullable RegionsAnswer counted) {
    Decision part = found.part();
    boolean isRead = !part.degraded();
    return new CallerBucket(
        part.policy().name(),
        rules.buckets().name(part.policy(), part.key()),
        found.endpoint(),
        part.limit(),
        WindowText.of(part.policy().spec()),
        isRead ? Long.valueOf(found.remaining()) : null,
        isRead ? Long.valueOf(found.resetTime()) : null,
        part.admitted(),
        !part.policy().spec().isOfPeriod(),
        counted);
  }

  /** Shows a key by its digest only, even if rows have the key itself. */
  private static String name(Caller caller) {
    if (caller.userId() != null) {
      return caller.userId();
    }
    return caller.apiKey() == null ? String.valueOf(caller.ip()) : Sha256Digest.of(caller.apiKey());
  }

  private @Nullable String tier(Caller caller) {
    String userId = caller.userId();
    if (userId != null && isDigest(userId)) {
      return rules.users().find(userId).map(UserTier::tier).orElse(null);
    }
    Optional<String> user = Optional.ofNullable(caller.userId());
    Optional<String> key = Optional.ofNullable(caller.apiKey());
    return rules.explain(new ExplainedRequest("GET", "/", user, key, Optional.empty())).tierName();
  }

  private List<Refusal> refusals(String row) {
    Instant now = ticker.instant();
    return JsonRecords.copies(
        rules.usage().violationsOf(row, now.minus(RECENT), now.plusSeconds(1), MAX_REFUSALS),
        Refusal.class);
  }

  /** Returns the name under which the database counts a caller's requests and refusals. */
  private String row(Caller caller, List<Found> found) {
    if (caller.userId() != null) {
      return caller.userId();
    }
    if (caller.apiKey() != null) {
      return rules.userIdOfKey(caller.apiKey());
    }
    for (Found each : found) {
      String key = each.part().key().encoded();
      if (key.startsWith("a") && key.indexOf(':') > 0) { // an address, cut to the counted prefix
        return "ip:" + key.substring(key.indexOf(':') + 1);
      }
    }
    return "ip:" + caller.ip();
  }

  @DELETE
  @Path("/buckets/{policy}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Reset the buckets of a policy for a user or an address",
      errors = {404, 501})
  public Response resetAddressed(
      @PathParam("policy") String policy,
      @QueryParam("userId") @Described("The user") @Nullable String userId,
      @QueryParam("ip") @Described("The address, instead of a user") @Nullable String ip,
      @Context SecurityContext caller) {
    return reset(callerOf(userId, ip, null), policy, CallerName.asAuthor(caller));
  }

  @POST
  @Path("/reset")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Reset the buckets of a policy for a user, an address or a key",
      body = ResetQuery.class,
      errors = {404, 501})
  public Response resetByBody(JsonBody body, @Context SecurityContext caller) {
    ResetQuery query = body.as(ResetQuery.class);
    return reset(
        callerOf(query.userId(), query.ip(), query.apiKey()),
        FieldReader.required("policy", query.policy(), BucketSpec.MAX_NAME),
        CallerName.asAuthor(caller));
  }

  private Response reset(Caller caller, String policy, String author) {
    if (isDigest(caller.userId())) {
      throw Problem.notFound("Buckets are found by the key itself, not by its digest.").exception();
    }
    List<Found> wanted =
        buckets.of(caller).stream()
            .filter(each -> each.part().policy().name().equals(policy))
            .toList();
    if (wanted.isEmpty()) {
      throw Problem.notFound("The caller has no bucket of policy " + policy + ".").exception();
    }
    for (Found each : wanted) {
      if (each.part().policy().spec().isOfPeriod()) {
        throw new InvalidFieldException(
            "policy", "must not be a quota, which can't be reset; grant permits instead");
      }
    }
    wanted.forEach(each -> reset(each.part(), author));
    return Response.noContent().build();
  }

  private void reset(Decision part, String author) {
    Object unused =
        StoreCallAwaiter.await(
            rules.buckets().reset(part.policy(), part.key(), author),
            "The store doesn't support resetting buckets.");
  }
}
