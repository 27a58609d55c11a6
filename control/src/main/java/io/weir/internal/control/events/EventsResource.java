package io.weir.internal.control.events;

import io.weir.Ticker;
import io.weir.annotation.Unlimited;
import io.weir.internal.control.access.CallerName;
import io.weir.internal.control.access.RoleCheck;
import io.weir.internal.control.http.ParameterReader;
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

/** Streams events to browsers as they happen. Safe for concurrent use. */
@Path("/v1/admin/ratelimit/events")
@Unlimited
public final class EventsResource {
  private static final String STREAM = "text/event-stream";
  private static final String CHARSET = ";charset=UTF-8";
  private static final int TOO_MANY = 503;
  private static final String NO_PLACE =
      "At most "
          + EventHub.MAX_READERS
          + " streams of events may be open at once, and "
          + EventHub.MAX_OF_CALLER
          + " of one caller. Close one of yours, or retry later.";
  private static final int MAX_SECONDS = 60;
  private static final int MAX_ID_DIGITS = 18;

  private final EventHub hub;
  private final BooleanSupplier isOpen;
  private final RoleCheck roles;
  private final Ticker ticker;

  /** Ends its streams once {@code isOpen} is false. */
  public EventsResource(EventHub hub, BooleanSupplier isOpen, RoleCheck roles, Ticker ticker) {
    this.ticker = ticker;
    this.hub = hub;
    this.isOpen = isOpen;
    this.roles = roles;
  }

  @GET
  @Produces(STREAM)
  @OpenTo(ControlRole.VIEW)
  @Operation(
      value =
          "Stream events as server-sent events: changes of rows by table, problem, mended,"
              + " store-away, store-back, region-away, region-back; and outcomes every five seconds,"
              + " as GET /outcomes answers them, which have no id and aren't kept. A stream ends after a minute, or when its"
              + " token is no longer valid. At most 32 streams are open at once, 8 of them of one"
              + " caller",
      answer = String.class,
      errors = TOO_MANY)
  public Response events(
      @HeaderParam("Last-Event-ID") @Described("The id of the last event that the reader has")
          @Nullable String lastId,
      @QueryParam("seconds")
          @Described("The seconds after which the stream ends, 0 to 60; default 60")
          @Nullable String seconds,
      @Context SecurityContext caller) {
    Duration maxDuration =
        Duration.ofSeconds(
            ParameterReader.number("seconds", seconds, 0, MAX_SECONDS).orElse(MAX_SECONDS));
    boolean isNumber = lastId != null && lastId.matches("[0-9]{1," + MAX_ID_DIGITS + "}");
    Subscription reader =
        hub.subscribe(CallerName.of(caller), isNumber ? Long.parseLong(String.valueOf(lastId)) : 0)
            .orElseThrow(() -> Problem.of(TOO_MANY, NO_PLACE).exception());
    BooleanSupplier mayRead =
        () -> isOpen.getAsBoolean() && roles.hasRole(ControlRole.VIEW, caller);
    return Response.ok(
            new EventStreamWriter(hub, reader, mayRead, maxDuration, ticker), STREAM + CHARSET)
        .build();
  }
}
