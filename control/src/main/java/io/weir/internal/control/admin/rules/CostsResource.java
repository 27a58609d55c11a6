package io.weir.internal.control.admin.rules;

import io.weir.Policy;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.http.EntityTags;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.http.ParameterReader;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.json.JsonRecords;
import io.weir.internal.control.paging.Page;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.OperationCost;
import io.weir.rules.OperationCostRepository;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Administers what requests cost, by endpoint and method. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/costs")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class CostsResource {
  private static final int CREATED = 201;
  private static final int MAX_PATTERN = 255;
  private static final int MAX_METHOD = 20;

  private final OperationCostRepository costs;

  public CostsResource(OperationCostRepository costs) {
    this.costs = costs;
  }

  record CostDocument(
      @Described("Assigned by the database; ignored in requests") @Nullable Long id,
      @Described("As in ETag and If-Match; ignored in requests") @Nullable Long version,
      @Described("A pattern, as in rules") @Nullable String endpoint,
      @Described("An HTTP method; default *") @Nullable String method,
      @Described("Permits per request") @Nullable Long cost,
      @Described(
              "The row of a table that Weir only reads, such as public.operation_costs 17; ignored"
                  + " in requests")
          @Nullable String origin) {
    static CostDocument of(OperationCost cost) {
      return JsonRecords.copy(cost, CostDocument.class);
    }

    OperationCost cost(long row, long seen) {
      return new OperationCost(
          row,
          FieldReader.required("endpoint", endpoint, MAX_PATTERN),
          method == null ? "*" : FieldReader.required("method", method, MAX_METHOD),
          FieldReader.required("cost", cost, 1, Policy.MAX_LIMIT),
          seen);
    }
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "List costs by id",
      answer = CostDocument.class,
      answers = Many.PAGE,
      needsDatabase = false)
  public Response list(@BeanParam PageRequest page) {
    return JsonEntity.ok(
        Page.byId(costs.all().stream(), page, OperationCost::id, CostDocument::of));
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Add a cost",
      body = CostDocument.class,
      answer = CostDocument.class,
      status = CREATED,
      errors = 409)
  public Response add(JsonBody body, @Context UriInfo uri, @Context SecurityContext caller) {
    OperationCost saved =
        costs.save(body.as(CostDocument.class).cost(0, 0), CallerName.asAuthor(caller));
    return EntityTags.created(uri, saved.id(), CostDocument.of(saved), saved.version());
  }

  @GET
  @Path("/{id}")
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value = "Return a cost",
      answer = CostDocument.class,
      errors = 404,
      needsDatabase = false)
  public Response one(@PathParam("id") String id) {
    OperationCost cost = found(id);
    return EntityTags.ok(CostDocument.of(cost), cost.version());
  }

  private OperationCost found(String id) {
    return find(ParameterReader.rowId(id))
        .orElseThrow(() -> Problem.notFound("There is no cost " + id + ".").exception());
  }

  private Optional<OperationCost> find(long id) {
    return costs.all().stream().filter(each -> each.id() == id).findFirst();
  }

  private OptionalLong version(long id) {
    return EntityTags.of(find(id).filter(each -> each.origin().isEmpty()), OperationCost::version);
  }

  @PUT
  @Path("/{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value = "Replace a cost",
      body = CostDocument.class,
      answer = CostDocument.class,
      errors = 404)
  public Response replace(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      JsonBody body,
      @Context SecurityContext caller) {
    long version = EntityTags.required(ifMatch);
    OperationCost wanted = body.as(CostDocument.class).cost(found(id).id(), version);
    OperationCost saved =
        EntityTags.change(
            () -> costs.save(wanted, CallerName.asAuthor(caller)), () -> version(wanted.id()));
    return EntityTags.ok(CostDocument.of(saved), saved.version());
  }

  @DELETE
  @Path("/{id}")
  @OpenTo(ControlRole.ADMIN)
  @Operation(value = "Delete a cost", errors = 404)
  public Response delete(
      @PathParam("id") String id,
      @HeaderParam(HttpHeaders.IF_MATCH) @Nullable String ifMatch,
      @Context SecurityContext caller) {
    long version = EntityTags.required(ifMatch);
    long row = found(id).id();
    return EntityTags.delete(
        () -> costs.delete(row, version, CallerName.asAuthor(caller)), () -> version(row));
  }
}
