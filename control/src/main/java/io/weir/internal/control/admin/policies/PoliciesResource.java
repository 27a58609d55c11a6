package io.weir.internal.control.admin.policies;

import io.weir.Policy;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.http.StoreCallAwaiter;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.PolicyInForce;
import io.weir.rules.Rules;
import io.weir.store.BucketPage;
import io.weir.store.BucketSpec;
import io.weir.store.ScannedBucket;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Lists the policies in force and their buckets. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/policies")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class PoliciesResource {
  private static final String UNSUPPORTED = "The store doesn't support listing buckets.";

  private final Rules rules;

  public PoliciesResource(Rules rules) {
    this.rules = rules;
  }

  record BucketDocument(
      @Described("The bucket's name, which doesn't reveal its caller") String bucket,
      long remaining,
      @Described("The seconds until the bucket is full") long resetAfter) {}

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List all policies of annotations, settings and rules, and which limit wins",
      answer = PolicyDocument.class,
      answers = Many.LIST,
      needsDatabase = false)
  public Response list() {
    List<PolicyInForce> all = rules.policies();
    return JsonEntity.ok(all.stream().map(each -> PolicyDocument.of(each, all)).toList());
  }

  @GET
  @Path("/{name}/buckets")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List the buckets of a policy, if the store supports it (RocksDB, PostgreSQL)",
      answer = BucketDocument.class,
      answers = Many.PAGE,
      errors = {404, StoreCallAwaiter.NOT_IMPLEMENTED})
  public Response buckets(@PathParam("name") String name, @BeanParam PageRequest page) {
    List<Policy> variants = variants(name);
    if (variants.isEmpty()) {
      throw Problem.notFound("There is no policy " + name + ".").exception();
    }
    Optional<Cursor> cursor = page.cursor(2);
    int variant = (int) cursor.map(each -> each.number(0)).orElse(0L).longValue();
    String after = cursor.map(each -> each.text(1)).orElse("");
    if (variant < 0 || variant >= variants.size()) {
      throw Cursor.invalid();
    }
    BucketPage found = read(variants.get(variant), after, page.limit());
    String next = null;
    if (!found.next().isEmpty()) {
      next = Cursor.of(variant, found.next()).toString();
    } else if (variant + 1 < variants.size()) {
      next = Cursor.of(variant + 1, "").toString();
    }
    return JsonEntity.ok(
        new Page<>(found.buckets().stream().map(PoliciesResource::document).toList(), next));
  }

  private static BucketDocument document(ScannedBucket bucket) {
    long seconds = TimeUnit.MICROSECONDS.toSeconds(bucket.resetMicros() + 999_999);
    return new BucketDocument(bucket.name(), bucket.left(), seconds);
  }

  /** Rules of one name may count differently in each tier, and then have buckets of their own. */
  private List<Policy> variants(String name) {
    List<Policy> variants = new ArrayList<>();
    Set<BucketSpec> seen = new HashSet<>();
    for (PolicyInForce each : rules.policies()) {
      if (each.policy().name().equals(name) && seen.add(each.policy().spec())) {
        variants.add(each.policy());
      }
    }
    return variants;
  }

  private BucketPage read(Policy policy, String after, int limit) {
    try {
      return StoreCallAwaiter.await(
          rules
              .buckets()
              .list(policy, policy.limit(), after, limit)
              .orElseThrow(() -> StoreCallAwaiter.unsupported(UNSUPPORTED)),
          UNSUPPORTED);
    } catch (IllegalArgumentException garbled) {
      throw Cursor.invalid();
    }
  }
}
