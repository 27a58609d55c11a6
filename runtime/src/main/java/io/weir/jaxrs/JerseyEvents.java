package io.weir.jaxrs;

import io.weir.load.InFlight;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Optional;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.jspecify.annotations.Nullable;

/**
 * Sees on Jersey what no filter does: the end of each request, also of one whose exception nobody
 * mapped. Loaded only where Jersey is.
 *
 * <p>Safe for concurrent use.
 */
final class JerseyEvents implements ApplicationEventListener {
  /** What the filter for servlets leaves on a request that it has counted as in flight. */
  private static final String SERVLET_FILTER = "io.weir.servlet.Passage";

  private final Installation installation;

  private JerseyEvents(Installation installation) {
    this.installation = installation;
  }

  /** Registers a listener. */
  static void register(FeatureContext context, Installation installation) {
    context.register(new JerseyEvents(installation));
  }

  @Override
  public void onEvent(ApplicationEvent event) {
    switch (event.getType()) {
      case INITIALIZATION_FINISHED -> installation.started();
      case DESTROY_FINISHED -> installation.ended();
      default -> {}
    }
  }

  @Override
  public RequestEventListener onRequest(RequestEvent start) {
    if (start.getContainerRequest().getProperty(SERVLET_FILTER) != null) {
      return new Watch(() -> {});
    }
    InFlight inFlight = installation.weir().inFlight();
    inFlight.begin();
    return new Watch(inFlight::end);
  }

  /**
   * Watches one request. It remembers the exchange, since the container's request may serve another
   * one before the last event.
   */
  private static final class Watch implements RequestEventListener {
    private final Runnable end;
    private volatile Optional<Exchange> exchange = Optional.empty();

    Watch(Runnable end) {
      this.end = end;
    }

    @Override
    public void onEvent(RequestEvent event) {
      switch (event.getType()) {
        case REQUEST_FILTERED, ON_EXCEPTION -> remember(event);
        case RESOURCE_METHOD_FINISHED -> exchange.ifPresent(Exchange::leave);
        case RESP_FILTERS_FINISHED -> writing(event.getContainerResponse());
        case FINISHED -> finished();
        default -> {}
      }
    }

    private void remember(RequestEvent event) {
      if (exchange.isEmpty()) {
        exchange = Exchange.of(event.getContainerRequest());
      }
    }

    /**
     * The thread that writes, perhaps another one, works for the same caller; but what is sent in
     * chunks is written by others after the last event of this one.
     */
    private void writing(@Nullable ContainerResponse response) {
      if (response != null && !response.isChunked()) {
        exchange.ifPresent(Exchange::resume);
      }
    }

    private void finished() {
      exchange.ifPresent(Exchange::leave);
      exchange.ifPresent(Exchange::failed);
      end.run();
    }
  }
}
