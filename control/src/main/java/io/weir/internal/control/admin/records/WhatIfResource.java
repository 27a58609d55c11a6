package io.weir.internal.control.admin.records;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.JsonEntity;
import io.weir.internal.control.json.JsonBody;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.rules.usage.WhatIf;
import io.weir.rules.usage.WhatIfLimit;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

/** Puts limits that aren't in force against recorded usage. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/what-if")
@Produces(MediaType.APPLICATION_JSON)
@Unlimited
public final class WhatIfResource {
  private final WhatIf whatIf;

  public WhatIfResource(WhatIf whatIf) {
    this.whatIf = whatIf;
  }

  @POST
  @Consumes(MediaType.APPLICATION_JSON)
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "Calculate which recorded requests of users a limit would have refused: exactly for"
              + " fixed windows of whole hours, else as an upper bound. Changes nothing",
      body = WhatIfDocument.class,
      answer = WhatIfAnswer.class)
  public Response calculate(JsonBody body) {
    WhatIfLimit limit = body.as(WhatIfDocument.class).limit();
    return JsonEntity.ok(WhatIfAnswer.of(limit, whatIf.of(limit)));
  }
}
