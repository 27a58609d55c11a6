package io.weir.jaxrs;

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
 * Observes on Jersey what filters can't: the end of each request, also if no mapper handles its
 * exception. Loaded only if Jersey is on the class path.
 *
 * <p>Safe for concurrent use.
 */
final class JerseyEventListener implements ApplicationEventListener {
  private final JaxrsApplication application;

  private JerseyEventListener(JaxrsApplication application) {
    this.application = application;
  }

  static void register(FeatureContext context, JaxrsApplication application) {
    context.register(new JerseyEventListener(application));
  }

  @Override
  public void onEvent(ApplicationEvent event) {
    switch (event.getType()) {
      case INITIALIZATION_FINISHED -> {
        if (!filtersBeforeMatching(event)) {
          application.noFiltersBeforeMatching();
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
        .anyMatch(ForeignFilterPosition::isForeignPreMatching);
  }

  @Override
  public RequestEventListener onRequest(RequestEvent start) {
    return new Watch();
  }

  /**
   * Watches one request. It keeps the request's scope, since the container's request object may
   * serve another request before the last event.
   *
   * <p>The request is bound to the thread that works on it, as the events report it: the resource
   * method may run in another thread than the filters, and return long before the response.
   */
  private static final class Watch implements RequestEventListener {
    private volatile Optional<RequestScope> scope = Optional.empty();

    @Override
    public void onEvent(RequestEvent event) {
      switch (event.getType()) {
        case REQUEST_MATCHED ->
            EndpointFilters.noteOtherFilters(event.getContainerRequestFilters());
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
     * Binds the request to the thread that writes the response. Chunks are written by other threads
     * after the last event of this one.
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
    }
  }
}
