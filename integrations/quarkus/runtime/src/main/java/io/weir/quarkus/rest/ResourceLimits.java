package io.weir.quarkus.rest;

import io.quarkus.runtime.BlockingOperationControl;
import io.quarkus.runtime.ExecutorRecorder;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import io.weir.adapter.Adapter;
import io.weir.adapter.EndpointType;
import io.weir.adapter.LimitedEndpoint;
import io.weir.adapter.LimitedRequest;
import io.weir.internal.container.RawUri;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jspecify.annotations.Nullable;

/**
 * Knows the resource methods of an application, and begins its requests.
 *
 * <p>Safe for concurrent use.
 */
public abstract class ResourceLimits {
  private static final String CONTROL = "io.weir.internal.control";

  /** Limits of the resources: few, since resources with the same policies share one. */
  private final List<LimitedEndpoint> endpoints = new CopyOnWriteArrayList<>();

  private volatile String root = "";
  private volatile @Nullable Adapter adapter;

  ResourceLimits() {}

  /** Returns whether a class is of Weir's own API, by which rules are changed. */
  static boolean isControl(String type) {
    return type.startsWith(CONTROL); // a rule that locks everybody out could not be changed
  }

  /**
   * Validates the annotations of all resources, and binds their policies.
   *
   * @param opened the application's
   * @throws io.weir.InvalidPolicyException if there are mistakes; the message lists all
   */
  public abstract void start(Adapter opened);

  /** Starts with all resources that are known by then. */
  final void start(Adapter opened, Collection<LimitedResource> all) {
    opened.check(
        all.stream().map(LimitedResource::type).collect(Collectors.toSet()), EndpointType.JAXRS);
    all.forEach(each -> bind(each, opened));
    root =
        ConfigProvider.getConfig()
            .getOptionalValue("quarkus.http.root-path", String.class)
            .map(each -> RawUri.path(each).replaceFirst("/$", ""))
            .orElse("");
    adapter = opened;
  }

  /** Binds a resource to the policies of its annotations and of the settings. */
  final void bind(LimitedResource resource, Adapter opened) {
    LimitedEndpoint endpoint = resource.bind(opened);
    if (endpoints.stream().noneMatch(each -> each == endpoint)) {
      endpoints.add(endpoint);
    }
  }

  final boolean isStarted() {
    return adapter != null;
  }

  /**
   * Returns whether nothing limits any request, so that there is nothing to do for one. Follows the
   * settings.
   */
  final boolean isIdle() {
    Adapter opened = adapter();
    return endpoints.stream().allMatch(LimitedEndpoint::isEmpty)
        && opened.unlimited().isEmpty()
        && !opened.limitsPaths()
        && !opened.limitsCalls();
  }

  /** Returns a decoded path below {@code quarkus.http.root-path}. */
  final String pathWithinApplication(String path) {
    return RawUri.pathWithin(root, path);
  }

  final Adapter adapter() {
    return Objects.requireNonNull(adapter, "set when the application starts");
  }

  /** Returns what runs the parts of the application that decisions call. */
  final Executor executor() {
    return adapter().callsApplication() && !BlockingOperationControl.isBlockingAllowed()
        ? ExecutorRecorder.getCurrent()
        : Runnable::run;
  }

  /**
   * Returns the filter of all requests that decides what needs no user, before Quarkus Security
   * reads a credential.
   *
   * @return runs in event loops
   */
  public final Handler<RoutingContext> filter() {
    return new FirstPhase(this);
  }

  /** Looks up who will answer a request. */
  abstract Optional<FoundResource> lookUp(RoutingContext routing);

  /** Returns whether filters may change requests before a resource is found for them. */
  abstract boolean mayRewrite();

  /** Watches the response of a request that was begun before, and is routed again now. */
  static void routedAgain(RoutingContext routing) {
    LimitedExchange begun = begun(routing);
    if (begun != null) {
      ResponseWatch.watchHead(routing, begun);
    }
  }

  /** Returns the request of an exchange; null if no resource has been found for it. */
  static @Nullable LimitedExchange begun(RoutingContext routing) {
    @Nullable Object left = routing.get(LimitedRequest.ATTRIBUTE);
    return left instanceof LimitedExchange begun ? begun : null;
  }

  /** Returns the request of an exchange, begun unless it was before. */
  final LimitedExchange exchange(RoutingContext routing, ExchangeRequest seen) {
    @Nullable Object left = routing.get(LimitedRequest.ATTRIBUTE);
    if (left instanceof LimitedExchange begun) {
      return begun;
    }
    LimitedRequest request = adapter().begin(seen, left);
    LimitedExchange begun = new LimitedExchange(adapter(), request);
    routing.put(LimitedRequest.ATTRIBUTE, begun);
    request.countInFlight();
    ResponseWatch.start(routing, begun);
    return begun;
  }
}
