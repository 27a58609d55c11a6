package io.weir.internal.control.admin.regions;

import io.weir.RegionStatus;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.function.Supplier;

/** Lists regions. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/regions")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class RegionsResource {
  private final Supplier<List<RegionStatus>> regions;

  public RegionsResource(Supplier<List<RegionStatus>> regions) {
    this.regions = regions;
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "List the regions as the node that answers sees them, its own one first; empty unless"
              + " weir.region is set",
      answer = RegionDocument.class,
      answers = Many.LIST,
      needsDatabase = false)
  public Response regions() {
    return JsonEntity.ok(regions.get().stream().map(RegionDocument::of).toList());
  }
}
