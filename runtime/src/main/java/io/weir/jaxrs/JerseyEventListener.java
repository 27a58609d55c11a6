package io.weir.jaxrs;

import io.weir.internal.guard.GuardedRequest;
import io.weir.internal.load.InFlight;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Optional;
import java.util.stream.Stream;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.monitoring.ApplicationEvent;
import org.glassfish.jersey.server.monitoring.ApplicationEventListener;
import org.glassfish.jersey.server.monitoring.RequestEvent;
import org.glassfish.jersey.server.monitoring.RequestEventListener;
import org.jspecify.annotations.Nullable;

/**
 * Sees on Jersey what no filter does: the end of each request, also if no mapper handled its
 * exception. Loaded only if Jersey is on the class path.
 *
 * <p>Safe for concurrent use.
 */
final class JerseyEventListener implements ApplicationEventListener {
  private final JaxrsApplication installation;

  private JerseyEventListener(JaxrsApplication installation) {
    this.installation = installation;
  }

  /** Registers a listener. */
  static void register(FeatureContext context, JaxrsApplication installation) {
    context.register(new JerseyEventListener(installation));
  }

  @Override
  public void onEvent(ApplicationEvent event) {
    switch (event.getType()) {
      case INITIALIZATION_FINISHED -> {
        if (!filtersBeforeMatching(event)) {
          installation.nothingFiltersBeforeMatching();
        }
        installation.started();
      }
      case DESTROY_FINISHED -> installation.ended();
      default -> {}
    }
  }

  private static boolean filtersBeforeMatching(ApplicationEvent event) {
    return Stream.of(
            event.getProviders().stream(),
            event.getRegisteredClasses().stream(),
            event.getRegisteredInstances().stream().map(Object::getClass))
        .<Class<?>>flatMap(each -> each)
        .anyMatch(ForeignFilterPosition::includesPreMatching);
  }

  @Override
  public RequestEventListener onRequest(RequestEvent start) {
    // What the filter for servlets leaves on a request that it has counted as in flight.
    if (start.getContainerRequest().getProperty(GuardedRequest.ATTRIBUTE) != null) {
      return new Watch(() -> {});
    }
    InFlight inFlight = installation.weir().inFlight();
    inFlight.begin();
    return new Watch(inFlight::end);
  }

  /**
   * Watches one request. It remembers the exchange, since the container's request may serve another
   * one before the last event.
   *
   * <p>Between two of these events a request belongs to the thread that tells of them, and to none
   * where none works on it: a method may run in another thread than the filters did, and return
   * long before there is an answer.
   */
  private static final class Watch implements RequestEventListener {
    private final Runnable end;
    private volatile Optional<RequestScope> exchange = Optional.empty();
    private volatile boolean ended;

    Watch(Runnable end) {
      this.end = end;
    }

    @Override
    public void onEvent(RequestEvent event) {
      switch (event.getType()) {
        case REQUEST_MATCHED -> EndpointFilters.notice(event.getContainerRequestFilters());
        case REQUEST_FILTERED -> filtered(event);
        case ON_EXCEPTION -> remember(event);
        case RESOURCE_METHOD_START -> exchange.ifPresent(RequestScope::enterMethod);
        case RESOURCE_METHOD_FINISHED -> exchange.ifPresent(RequestScope::leaveMethod);
        case RESP_FILTERS_START -> exchange.ifPresent(RequestScope::resume);
        case RESP_FILTERS_FINISHED -> responds(event.getContainerResponse());
        case FINISHED -> finished(event);
        default -> {}
      }
    }

    private void filtered(RequestEvent event) {
      remember(event);
      exchange.ifPresent(RequestScope::leave);
    }

    private void remember(RequestEvent event) {
      if (exchange.isEmpty()) {
        exchange = RequestScope.of(event.getContainerRequest());
        exchange.ifPresent(RequestScope::watch);
      }
    }

    /**
     * The thread that writes, perhaps another one, works for the same caller; but what is sent in
     * chunks is written by others after the last event of this one.
     */
    private void responds(@Nullable ContainerResponse response) {
      if (exchange.isEmpty() || response == null) {
        return;
      }
      exchange.get().responds(response.getStatus(), response.hasEntity());
      if (response.isChunked()) {
        exchange.get().leave();
      } else {
        exchange.get().resume();
      }
    }

    private void finished(RequestEvent event) {
      exchange.ifPresent(RequestScope::leave);
      exchange.ifPresent(event.isSuccess() ? RequestScope::succeeded : RequestScope::failed);
      if (!ended) { // a response that maps an error of another one ends too
        ended = true;
        end.run();
      }
    }
  }
}
