package io.weir.jaxrs;

import io.weir.guard.CurrentRequest;
import io.weir.load.InFlight;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Optional;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;

/**
 * Sees on Jersey what no filter does: the end of each request, also of one whose exception nobody
 * mapped. Loaded only where Jersey is.
 *
 * <p>Safe for concurrent use.
 */
final class JerseyEvents implements ApplicationEventListener {
  private final Installation installation;

  private JerseyEvents(Installation installation) {
    this.installation = installation;
  }

  static void register(FeatureContext context, Installation installation) {
    context.register(new JerseyEvents(installation));
  }

  @Override
  public void onEvent(ApplicationEvent event) {
    if (event.getType() == ApplicationEvent.Type.INITIALIZATION_FINISHED) {
      installation.started();
    }
  }

  @Override
  public RequestEventListener onRequest(RequestEvent start) {
    InFlight inFlight = installation.weir().inFlight();
    inFlight.begin();
    return event -> {
      switch (event.getType()) {
        case RESOURCE_METHOD_FINISHED -> CurrentRequest.clear();
        case RESP_FILTERS_FINISHED -> writing(event);
        case FINISHED -> finished(event, inFlight);
        default -> {}
      }
    };
  }

  /** The thread that writes, perhaps another one, works for the same caller. */
  private static void writing(RequestEvent event) {
    if (!isChunked(event.getContainerResponse())) {
      exchange(event).ifPresent(Exchange::resume);
    }
  }

  /** What is sent in chunks is written by other threads after the last event of this one. */
  private static boolean isChunked(ContainerResponse response) {
    return response == null || response.isChunked();
  }

  private static void finished(RequestEvent event, InFlight inFlight) {
    exchange(event).ifPresent(Exchange::failed);
    CurrentRequest.clear();
    inFlight.end();
  }

  private static Optional<Exchange> exchange(RequestEvent event) {
    return Exchange.of(event.getContainerRequest());
  }
}
