package io.weir.internal.control.admin;

import io.weir.Decision;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.admin.CallerDocument.CallerBucket;
import io.weir.internal.control.admin.CallerDocument.Refusal;
import io.weir.internal.control.decide.CallerBuckets;
import io.weir.internal.control.decide.CallerBuckets.Found;
import io.weir.internal.control.decide.CallerBuckets.Who;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.InvalidFieldException;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.rules.ExplainedRequest;
import io.weir.rules.Rules;
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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What single callers have left, and how they get out again. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/callers")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class CallersResource {
  private static final Duration RECENT = Duration.ofDays(1);
  private static final int MOST_REFUSALS = 100;

  private final Rules rules;
  private final CallerBuckets buckets;

  /**
   * The resource of an application's callers.
   *
   * @param rules have their rows
   * @param buckets finds what counts them
   */
  public CallersResource(Rules rules, CallerBuckets buckets) {
    this.rules = rules;
    this.buckets = buckets;
  }

  /** A caller: one of the three. A key is sent in a body only, never in an address. */
  record CallerQuery(@Nullable String userId, @Nullable String ip, @Nullable String apiKey) {}

  /** Which bucket of a caller is to be full. */
  record ResetQuery(
      @Nullable String userId,
      @Nullable String ip,
      @Nullable String apiKey,
      @Described("The policy's name") @Nullable String policy) {}

  /** Tells what a user or an address has left. */
  @GET
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Tell every bucket of a user or an address, and its recent refusals",
      answer = CallerDocument.class,
      errors = {503})
  public Response find(
      @QueryParam("userId") @Described("The user") @Nullable String userId,
      @QueryParam("ip") @Described("Or the address") @Nullable String ip) {
    return told(who(userId, ip, null));
  }

  /** Tells what a caller has left who may be known by a key. */
  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Tell every bucket of a user, an address or a key, and its recent refusals",
      body = CallerQuery.class,
      answer = CallerDocument.class,
      errors = {413, 415, 503})
  public Response findByBody(JsonBody body) {
    CallerQuery query = body.as(CallerQuery.class);
    return told(who(query.userId(), query.ip(), query.apiKey()));
  }

  private static Who who(@Nullable String userId, @Nullable String ip, @Nullable String apiKey) {
    int given = (userId == null ? 0 : 1) + (ip == null ? 0 : 1) + (apiKey == null ? 0 : 1);
    if (given != 1) {
      throw new InvalidFieldException("userId", "must be given, or ip, or apiKey: one of them");
    }
    return new Who(userId, apiKey, ip);
  }

  private Response told(Who who) {
    List<Found> found = buckets.of(who);
    return JsonEntity.ok(
        new CallerDocument(
            name(who), tier(who), found.stream().map(this::told).toList(), refusals(who, found)));
  }

  private CallerBucket told(Found found) {
    Decision part = found.part();
    boolean isRead = !part.degraded();
    return new CallerBucket(
        part.policy().name(),
        rules.buckets().name(part.policy(), part.key()),
        found.endpoint(),
        part.limit(),
        isRead ? Long.valueOf(found.remaining()) : null,
        isRead ? Long.valueOf(found.resetTime()) : null,
        part.admitted(),
        !part.policy().spec().isOfPeriod());
  }

  /** Also where rows have keys as they are, a key isn't told again. */
  private static String name(Who who) {
    if (who.userId() != null) {
      return who.userId();
    }
    return who.apiKey() == null ? String.valueOf(who.ip()) : Sha256Digest.of(who.apiKey());
  }

  private @Nullable String tier(Who who) {
    Optional<String> user = Optional.ofNullable(who.userId());
    Optional<String> key = Optional.ofNullable(who.apiKey());
    return rules.explain(new ExplainedRequest("GET", "/", user, key, Optional.empty())).tierName();
  }

  private List<Refusal> refusals(Who who, List<Found> found) {
    Instant now = Instant.now();
    return rules
        .usage()
        .violationsOf(row(who, found), now.minus(RECENT), now.plusSeconds(1), MOST_REFUSALS)
        .stream()
        .map(each -> new Refusal(each.endpoint(), each.policy(), each.at(), each.count()))
        .toList();
  }

  /** By which name refusals are written. */
  private String row(Who who, List<Found> found) {
    if (who.userId() != null) {
      return who.userId();
    }
    if (who.apiKey() != null) {
      return rules.userIdOfKey(who.apiKey());
    }
    for (Found each : found) {
      String key = each.part().key().encoded();
      if (key.startsWith("a") && key.indexOf(':') > 0) { // cut to the prefix that it counts by
        return "ip:" + key.substring(key.indexOf(':') + 1);
      }
    }
    return "ip:" + who.ip();
  }

  /** Makes a bucket of a user or an address full. */
  @DELETE
  @Path("/buckets/{policy}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Make the buckets of a policy full for a user or an address",
      answer = Void.class,
      status = 204,
      errors = {404, 501, 503})
  public Response resetAddressed(
      @PathParam("policy") String policy,
      @QueryParam("userId") @Described("The user") @Nullable String userId,
      @QueryParam("ip") @Described("Or the address") @Nullable String ip,
      @Context SecurityContext caller) {
    return reset(who(userId, ip, null), policy, Words.author(caller));
  }

  /** Makes a bucket full of a caller who may be known by a key. */
  @POST
  @Path("/reset")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Make the buckets of a policy full for a user, an address or a key",
      body = ResetQuery.class,
      answer = Void.class,
      status = 204,
      errors = {404, 413, 415, 501, 503})
  public Response resetByBody(JsonBody body, @Context SecurityContext caller) {
    ResetQuery query = body.as(ResetQuery.class);
    return reset(
        who(query.userId(), query.ip(), query.apiKey()),
        Words.required("policy", query.policy(), BucketSpec.MAX_NAME),
        Words.author(caller));
  }

  private Response reset(Who who, String policy, String author) {
    List<Found> wanted =
        buckets.of(who).stream()
            .filter(each -> each.part().policy().name().equals(policy))
            .toList();
    if (wanted.isEmpty()) {
      throw Problem.notFound("The caller has no bucket of a policy " + policy + ".").exception();
    }
    for (Found each : wanted) {
      if (each.part().policy().spec().isOfPeriod()) {
        throw new InvalidFieldException(
            "policy", "must not be a quota, which a grant raises and nothing makes full");
      }
    }
    wanted.forEach(each -> reset(each.part(), author));
    return Response.noContent().build();
  }

  private void reset(Decision part, String author) {
    Object unused =
        StoreAnswers.of(
            rules.buckets().reset(part.policy(), part.key(), author),
            "The store can't forget a bucket.");
  }
}
