package io.weir.internal.control.admin.records;

import io.weir.Ticker;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.http.CsvEntity;
import io.weir.internal.control.json.FieldReader;
import io.weir.internal.control.paging.PageRequest;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import io.weir.internal.control.resource.Operation.Many;
import io.weir.rules.usage.Usage;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/** Lists the usage of a user who is named in the query. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/user/usage")
@Produces({MediaType.APPLICATION_JSON, CsvEntity.CSV})
@Unlimited
public final class UserUsageResource {
  private static final int MAX_NAME = 500;

  private final UserUsageReader users;

  public UserUsageResource(Usage usage, Ticker ticker) {
    this.users = new UserUsageReader(usage, ticker);
  }

  @GET
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "List the usage of a user, whose name may have any characters, by endpoint and hour, or"
              + " by endpoint and day in UTC; as CSV too",
      answer = EndpointUsageDocument.class,
      answers = Many.LIST,
      errors = 406)
  public Response one(
      @QueryParam("userId") @Described("The user") @Nullable String userId,
      @BeanParam PageRequest page,
      @QueryParam("by") @Described("hour or day; default hour") @Nullable String by,
      @BeanParam UsageFormat format) {
    return users.of(FieldReader.required("userId", userId, MAX_NAME), page, by, format);
  }
}
