package io.weir.jaxrs;

import jakarta.ws.rs.core.FeatureContext;
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
        application.findResourcesBy(new JerseyResources(event.getResourceModel()));
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
    private volatile @Nullable RequestScope scope;

    @Override
    public void onEvent(RequestEvent event) {
      switch (event.getType()) {
        case REQUEST_MATCHED ->
            EndpointFilters.noteOtherFilters(event.getContainerRequestFilters());
        case REQUEST_FILTERED -> filtered(remember(event));
        case ON_EXCEPTION -> {
          var unused = remember(event);
        }
        default -> {
          RequestScope known = scope;
          if (known != null) {
            onEvent(event, known);
          }
        }
      }
    }

    private static void onEvent(RequestEvent event, RequestScope scope) {
      switch (event.getType()) {
        case RESOURCE_METHOD_START -> scope.enterMethod();
        case RESOURCE_METHOD_FINISHED -> scope.leaveMethod();
        case RESP_FILTERS_START -> scope.resume();
        case RESP_FILTERS_FINISHED -> responds(scope, event.getContainerResponse());
        case FINISHED -> finished(scope, event);
        default -> {}
      }
    }

    private static void filtered(@Nullable RequestScope scope) {
      if (scope != null) {
        scope.leave();
      }
    }

    private @Nullable RequestScope remember(RequestEvent event) {
      RequestScope known = scope;
      if (known == null) {
        known = RequestScope.of(event.getContainerRequest()).orElse(null);
        if (known != null) {
          scope = known;
          known.watch();
        }
      }
      return known;
    }

    /**
     * Binds the request to the thread that writes the response. Chunks are written by other threads
     * after the last event of this one.
     */
    private static void responds(RequestScope scope, @Nullable ContainerResponse response) {
      if (response == null) {
        return;
      }
      scope.responds(response.getStatus(), response.hasEntity());
      if (response.isChunked()) {
        scope.leave();
      } else {
        scope.resume();
      }
    }

    private static void finished(RequestScope scope, RequestEvent event) {
      scope.leave();
      if (event.isSuccess()) {
        scope.succeeded();
      } else {
        scope.failed();
      }
    }
  }
}
