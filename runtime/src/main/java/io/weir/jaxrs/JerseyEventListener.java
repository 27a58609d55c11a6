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
  private final JaxrsApplication application;

  private JerseyEventListener(JaxrsApplication application) {
    this.application = application;
  }

  /** Registers a listener. */
  static void register(FeatureContext context, JaxrsApplication application) {
    context.register(new JerseyEventListener(application));
  }

  @Override
  public void onEvent(ApplicationEvent event) {
    switch (event.getType()) {
      case INITIALIZATION_FINISHED -> {
        if (!filtersBeforeMatching(event)) {
          application.nothingFiltersBeforeMatching();
        }
        application.started();
      }
      case DESTROY_FINISHED -> application.ended();
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
    InFlight inFlight = application.weir().inFlight();
    inFlight.begin();
    return new Watch(inFlight::end);
  }

  /**
   * Watches one request. It remembers the scope, since the container's request may serve another
   * one before the last event.
   *
   * <p>Between two of these events a request belongs to the thread that tells of them, and to none
   * where none works on it: a method may run in another thread than the filters did, and return
   * long before there is an answer.
   */
  private static final class Watch implements RequestEventListener {
    private final Runnable end;
    private volatile Optional<RequestScope> scope = Optional.empty();
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
        case RESOURCE_METHOD_START -> scope.ifPresent(RequestScope::enterMethod);
        case RESOURCE_METHOD_FINISHED -> scope.ifPresent(RequestScope::leaveMethod);
        case RESP_FILTERS_START -> scope.ifPresent(RequestScope::resume);
        case RESP_FILTERS_FINISHED -> responds(event.getContainerResponse());
        case FINISHED -> finished(event);
        default -> {}
      }
    }

    private void filtered(RequestEvent event) {
      remember(event);
      scope.ifPresent(RequestScope::leave);
    }

    private void remember(RequestEvent event) {
      if (scope.isEmpty()) {
        scope = RequestScope.of(event.getContainerRequest());
        scope.ifPresent(RequestScope::watch);
      }
    }

    /**
     * The thread that writes, perhaps another one, works for the same caller; but what is sent in
     * chunks is written by others after the last event of this one.
     */
    private void responds(@Nullable ContainerResponse response) {
      if (scope.isEmpty() || response == null) {
        return;
      }
      scope.get().responds(response.getStatus(), response.hasEntity());
      if (response.isChunked()) {
        scope.get().leave();
      } else {
        scope.get().resume();
      }
    }

    private void finished(RequestEvent event) {
      scope.ifPresent(RequestScope::leave);
      scope.ifPresent(event.isSuccess() ? RequestScope::succeeded : RequestScope::failed);
      if (!ended) { // a response that maps an error of another one ends too
        ended = true;
        end.run();
      }
    }
  }
}
