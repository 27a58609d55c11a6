package io.weir.internal.control.admin.policies;

import io.weir.Policy;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.BlockingStoreCall;
import io.weir.internal.control.paging.Cursor;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.InvalidFieldException;
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

/** All policies in force, and their buckets. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/policies")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class PoliciesResource {
  private static final String UNABLE = "The store can't list the buckets of a policy.";

  private final Rules rules;

  /** The resource of the policies beside some rules. */
  public PoliciesResource(Rules rules) {
    this.rules = rules;
  }

  /** A bucket of a policy, whoever's it is. */
  record BucketDocument(
      @Described("Its name, which tells nobody whose it is") String bucket,
      long remaining,
      @Described("When all is back, in seconds from now") long resetAfter) {}

  /** Lists policies. */
  @GET
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List all policies, of annotations, settings and rules, and which limit wins",
      answer = PolicyDocument.class,
      answers = Many.LIST)
  public Response list() {
    List<PolicyInForce> all = rules.policies();
    return JsonEntity.ok(all.stream().map(each -> PolicyDocument.of(each, all)).toList());
  }

  /** Lists the buckets of a policy. */
  @GET
  @Path("/{name}/buckets")
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "List the buckets of a policy, where the store can (RocksDB)",
      answer = BucketDocument.class,
      answers = Many.PAGE,
      errors = {404, BlockingStoreCall.NOT_IMPLEMENTED, BlockingStoreCall.UNAVAILABLE})
  public Response buckets(@PathParam("name") String name, @BeanParam PageRequest page) {
    List<Policy> shapes = shapes(name);
    if (shapes.isEmpty()) {
      throw Problem.notFound("There is no policy " + name + ".").exception();
    }
    Optional<Cursor> cursor = page.cursor(2);
    int shape = (int) cursor.map(each -> each.number(0)).orElse(0L).longValue();
    String after = cursor.map(each -> each.text(1)).orElse("");
    if (shape < 0 || shape >= shapes.size()) {
      throw new InvalidFieldException("cursor", "must be what the page before told as next");
    }
    BucketPage found = read(shapes.get(shape), after, page.limit());
    String next = null;
    if (!found.next().isEmpty()) {
      next = Cursor.of(shape, found.next()).toString();
    } else if (shape + 1 < shapes.size()) {
      next = Cursor.of(shape + 1, "").toString();
    }
    return JsonEntity.ok(
        new Page<>(found.buckets().stream().map(PoliciesResource::told).toList(), next));
  }

  private static BucketDocument told(ScannedBucket bucket) {
    long seconds = TimeUnit.MICROSECONDS.toSeconds(bucket.resetMicros() + 999_999);
    return new BucketDocument(bucket.name(), bucket.left(), seconds);
  }

  /** Rules of one name may count differently in several tiers: each has buckets of its own. */
  private List<Policy> shapes(String name) {
    List<Policy> shapes = new ArrayList<>();
    Set<BucketSpec> seen = new HashSet<>();
    for (PolicyInForce each : rules.policies()) {
      if (each.policy().name().equals(name) && seen.add(each.policy().spec())) {
        shapes.add(each.policy());
      }
    }
    return shapes;
  }

  private BucketPage read(Policy policy, String after, int most) {
    try {
      return BlockingStoreCall.of(
          rules
              .buckets()
              .list(policy, policy.limit(), after, most)
              .orElseThrow(() -> BlockingStoreCall.unable(UNABLE)),
          UNABLE);
    } catch (IllegalArgumentException garbled) {
      throw new InvalidFieldException("cursor", "must be what the page before told as next");
    }
  }
}
