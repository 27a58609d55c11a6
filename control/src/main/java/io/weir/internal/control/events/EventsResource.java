package io.weir.internal.control.events;

import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.RoleCheck;
import io.weir.internal.control.http.Parameters;
import io.weir.internal.control.http.Problem;
import io.weir.internal.control.resource.ControlRole;
import io.weir.internal.control.resource.Described;
import io.weir.internal.control.resource.OpenTo;
import io.weir.internal.control.resource.Operation;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.SecurityContext;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What happens, as it happens. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/events")
@Unlimited
public final class EventsResource {
  private static final String STREAM = "text/event-stream";
  private static final String CHARSET = ";charset=UTF-8";
  private static final int TOO_MANY = 503;
  private static final int LONGEST = 60;
  private static final int LONGEST_ID = 18;

  private final EventHub hub;
  private final BooleanSupplier isOpen;
  private final RoleCheck roles;

  /**
   * The resource of some events.
   *
   * @param hub has the events
   * @param isOpen whether the limiter is still open; streams end with it
   * @param roles say whether a reader may still read
   */
  public EventsResource(EventHub hub, BooleanSupplier isOpen, RoleCheck roles) {
    this.hub = hub;
    this.isOpen = isOpen;
    this.roles = roles;
  }

  /** Begins to tell. */
  @GET
  @Produces(STREAM)
  @OpenTo(ControlRole.ADMIN)
  @Operation(
      value =
          "Tell what happens as server-sent events: changes of rows by table, problem, mended,"
              + " store-away, store-back. A stream ends after a minute, and with its token; at most"
              + " 32 at once",
      answer = String.class,
      errors = {TOO_MANY})
  public Response events(
      @HeaderParam("Last-Event-ID") @Described("The last event that the reader has had")
          @Nullable String lastId,
      @QueryParam("seconds")
          @Described("How long the stream lasts at most, 0 to 60; 60 unless given")
          @Nullable String seconds,
      @Context SecurityContext caller) {
    Duration longest =
        Duration.ofSeconds(Parameters.number("seconds", seconds, 0, LONGEST).orElse(LONGEST));
    boolean isNumber = lastId != null && lastId.matches("[0-9]{1," + LONGEST_ID + "}");
    Subscription reader =
        hub.subscribe(isNumber ? Long.parseLong(String.valueOf(lastId)) : 0)
            .orElseThrow(
                () -> Problem.of(TOO_MANY, "Too many read the events already.").exception());
    BooleanSupplier mayRead = () -> isOpen.getAsBoolean() && roles.opens(ControlRole.ADMIN, caller);
    return Response.ok(new EventStream(hub, reader, mayRead, longest), STREAM + CHARSET).build();
  }
}
