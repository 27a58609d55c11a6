package io.weir.jaxrs;

import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.adapter.EndpointType;
import io.weir.internal.application.ApplicationWeirs;
import io.weir.internal.application.WeirHandle;
import io.weir.internal.application.WeirRuntime;
import io.weir.internal.container.PeerLookup;
import io.weir.internal.container.WebContainerDetector;
import io.weir.internal.guard.GuardedEndpoint;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.System.Logger;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Limits the annotated resource methods of a JAX-RS application.
 *
 * <pre>{@code
 * new ResourceConfig(Search.class).register(RateLimitFeature.class);
 * }</pre>
 *
 * <p>Mistakes in the annotations of registered resources stop the application; one message lists
 * all of them. Sub-resources are read on first use; a mistake in their annotations fails their
 * requests and is logged. If settings don't suit a sub-resource, that is logged, and the
 * annotations apply.
 *
 * <p>Policies that need no user are decided with priority {@code AUTHENTICATION - 100}, those by
 * user with {@code AUTHENTICATION + 500}. The user is the principal that the application's own
 * filter puts into the {@code SecurityContext} with priority {@code AUTHENTICATION}, before
 * matching, or that the servlet container knows. A request that a filter refuses before matching
 * isn't counted, since it reached no endpoint.
 *
 * <p>If a policy counts only failures or successes, the charge depends on the response: on its
 * status when the body is written, and on the mapping of an exception before that. If the caller
 * hangs up, the status still counts. Chunked responses and events count by their initial status. On
 * Jersey the end of every request is observed. Elsewhere a request stays charged if nothing maps
 * its exception or it never gets a response, even if only successes count; and an exception while
 * the body is written is a failure, whatever it is mapped to.
 *
 * <p>On Jersey, woven methods know their caller in every thread that runs the resource method or
 * writes its response. Elsewhere they know it only in the thread of the filters. If an asynchronous
 * method returns before its response, that thread keeps the request until the next request of the
 * application, unless Weir's servlet filter runs before JAX-RS.
 *
 * <p>The peer's address comes from the {@code PeerAddress} given to Weir, else from the servlet
 * container, or from Grizzly or Jetty if Jersey runs on them without servlets.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimitFeature implements Feature, DynamicFeature {
  private static final Logger LOG = System.getLogger(RateLimitFeature.class.getName());

  private final Optional<WeirRuntime> given;

  /**
   * Limits by the {@linkplain Weir#application() application's} Weir. On Jersey a Weir that was
   * made for the application is closed when the last application that uses it has stopped.
   */
  public RateLimitFeature() {
    this.given = Optional.empty();
  }

  /**
   * Limits by a given Weir.
   *
   * @param weir the Weir, which the feature doesn't close
   */
  public RateLimitFeature(Weir weir) {
    this.given = Optional.of(WeirRuntime.of(weir));
  }

  /**
   * Registers the filters and mappers that all endpoints share.
   *
   * @param context the configuration of the application
   * @return true
   * @throws InvalidPolicyException if there are mistakes in annotations
   */
  @Override
  public boolean configure(FeatureContext context) {
    Optional<WeirHandle> handle =
        WebContainerDetector.runsJersey(context) ? Optional.of(open()) : Optional.empty();
    try {
      install(context, handle);
    } catch (RuntimeException | Error failure) {
      handle.ifPresent(WeirHandle::close);
      throw failure;
    }
    return true;
  }

  /** Opens a handle before the Weir is used, so that no other application closes it meanwhile. */
  private WeirHandle open() {
    ClassLoader loader =
        Optional.ofNullable(Thread.currentThread().getContextClassLoader())
            .orElseGet(WeirRuntime.class::getClassLoader);
    return given
        .map(mine -> WeirHandle.open(loader, mine))
        .orElseGet(() -> WeirHandle.open(loader));
  }

  /** Registers everything; without a handle if nothing reports the end of the application. */
  private void install(FeatureContext context, Optional<WeirHandle> handle) {
    WeirRuntime mine = handle.map(each -> each.weir(Map.of())).orElseGet(this::weir);
    List<Class<?>> resources = ResourceMethods.registered(context.getConfiguration());
    mine.check(resources, EndpointType.JAXRS);
    List<PeerLookup> peers =
        WebContainerDetector.peerLookups(context, RequestScopeFilter.OUTERMOST - 5);
    JaxrsApplication application = new JaxrsApplication(LOG, mine, peers, handle);
    application.warnOfIdleLimits(resources);
    // If the class was registered, other instances of it configure the resource methods.
    context.property(JaxrsApplication.class.getName(), application);
    context.register(new RequestScopeFilter(application), RequestScopeFilter.OUTERMOST);
    // The application's own mappers take precedence.
    context.register(new RefusalMapper(mine), Priorities.USER + 5_000);
    context.register(new InvalidRequestMapper(mine), Priorities.USER + 5_000);
    if (WebContainerDetector.runsJersey(context)) {
      JerseyEventListener.register(context, application);
    } else {
      context.register(new ThreadCleanupFilter(), RequestScopeFilter.OUTERMOST - 6);
    }
  }

  /**
   * Binds the policies of one resource method.
   *
   * @param resource the method
   * @param context the configuration of the method
   * @throws InvalidPolicyException if there are mistakes in its annotations
   * @throws IllegalStateException if a policy needs the peer's address and nothing can read it
   */
  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    if (!ResourceMethods.isEndpoint(resource)) {
      return;
    }
    JaxrsApplication application = application(context);
    try {
      Class<?> type = resource.getResourceClass();
      GuardedEndpoint endpoint = application.endpoint(type, resource.getResourceMethod());
      if (!endpoint.isEmpty()) {
        if (endpoint.needsAddress()) {
          application.requirePeer();
        }
        ResourceTemplate template = new ResourceTemplate(type, resource.getResourceMethod());
        new EndpointFilters(application, endpoint, template).register(context);
      }
    } catch (InvalidPolicyException | IllegalStateException mistake) {
      application.report(mistake.toString());
      application.endUnlessStarted();
      throw mistake;
    }
  }

  private JaxrsApplication application(FeatureContext context) {
    Object installed = context.getConfiguration().getProperty(JaxrsApplication.class.getName());
    return installed instanceof JaxrsApplication known
        ? known
        : new JaxrsApplication(LOG, weir(), List.of(any -> Optional.empty()), Optional.empty());
  }

  private WeirRuntime weir() {
    return given.orElseGet(() -> ApplicationWeirs.get(Map.of()));
  }
}
