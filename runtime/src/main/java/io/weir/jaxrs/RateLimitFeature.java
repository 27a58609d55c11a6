package io.weir.jaxrs;

import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.internal.container.ContainerDetector;
import io.weir.internal.container.PeerLookup;
import io.weir.internal.guard.GuardedEndpoint;
import io.weir.internal.guard.WeirHandle;
import io.weir.internal.guard.WeirRuntime;
import io.weir.internal.policy.EndpointKind;
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
 * The feature that limits annotated resource methods of a JAX-RS application.
 *
 * <pre>{@code
 * new ResourceConfig(Search.class).register(RateLimitFeature.class);
 * }</pre>
 *
 * <p>Mistakes in the annotations of the resources that are registered stop the application, all of
 * them in one message. Sub-resources are read when they are first asked for; a mistake in their
 * annotations fails their requests and is logged. Settings that don't suit them are logged, and
 * they are limited as annotated.
 *
 * <p>Policies that need no user are decided with priority {@code AUTHENTICATION - 100}, those by
 * user with {@code AUTHENTICATION + 500}: the user is the principal that the application's own
 * filter put into the {@code SecurityContext} with the priority {@code AUTHENTICATION}, before
 * matching or in the servlet container. A request that a filter before matching refuses is counted
 * nowhere, since it reached no endpoint.
 *
 * <p>What a request is charged for depends on the response where a policy counts failures or
 * successes only: on its status when its body is written, and on what becomes of an exception until
 * then. Who hangs up has had what the status says. What is sent in chunks or as events counts by
 * the status that it begins with. On Jersey the end of every request is seen. Elsewhere a request
 * whose exception nobody maps, or whose response never comes, stays charged, also where only
 * successes count; and an exception while the body is written is a failure, whatever it is mapped
 * to.
 *
 * <p>Woven methods know their caller in whatever thread Jersey runs the endpoint's method and
 * writes its response. Elsewhere they do in the thread of the filters; it keeps the request of a
 * method that returns before its answer is there until the next request of the application, unless
 * the filter for servlets stands before it.
 *
 * <p>The address of the peer comes from the {@code PeerAddress} given to Weir, else from the
 * servlet container, or from Grizzly or Jetty where Jersey runs on them without servlets.
 *
 * <p>Safe for concurrent use.
 */
public final class RateLimitFeature implements Feature, DynamicFeature {
  private static final Logger LOG = System.getLogger(RateLimitFeature.class.getName());

  private final Optional<WeirRuntime> given;

  /**
   * Limits by the {@linkplain WeirRuntime#application() application's} Weir. On Jersey one that was
   * made for it is closed when the last application that uses it has stopped, without servlets too.
   */
  public RateLimitFeature() {
    this.given = Optional.empty();
  }

  /**
   * Limits by a Weir of its own parts.
   *
   * @param weir stays the caller's to close
   */
  public RateLimitFeature(Weir weir) {
    this.given = Optional.of(WeirRuntime.of(weir));
  }

  /**
   * Installs what is common to all endpoints.
   *
   * @param context the application's
   * @return true
   * @throws InvalidPolicyException if there are mistakes in annotations
   */
  @Override
  public boolean configure(FeatureContext context) {
    Optional<WeirHandle> use =
        ContainerDetector.runsJersey(context) ? Optional.of(begin()) : Optional.empty();
    try {
      install(context, use);
    } catch (RuntimeException | Error mistake) {
      use.ifPresent(WeirHandle::close);
      throw mistake;
    }
    return true;
  }

  /** Before the Weir is taken, or another application that stops meanwhile could close it. */
  private WeirHandle begin() {
    ClassLoader loader =
        Optional.ofNullable(Thread.currentThread().getContextClassLoader())
            .orElseGet(WeirRuntime.class::getClassLoader);
    return given
        .map(mine -> WeirHandle.open(loader, mine))
        .orElseGet(() -> WeirHandle.open(loader));
  }

  /** Without a use where nobody tells when it ends. */
  private void install(FeatureContext context, Optional<WeirHandle> use) {
    WeirRuntime mine = use.map(each -> each.weir(Map.of())).orElseGet(this::weir);
    List<Class<?>> resources = ResourceMethods.known(context.getConfiguration());
    mine.check(resources, EndpointKind.JAXRS);
    List<PeerLookup> peers = ContainerDetector.peerLookups(context, RequestScopeFilter.OUTERMOST - 5);
    JaxrsApplication application = new JaxrsApplication(LOG, mine, peers, use);
    application.warnOfIdleLimits(resources);
    // Where the class was registered, other instances of it configure the resource methods.
    context.property(JaxrsApplication.class.getName(), application);
    context.register(new RequestScopeFilter(application), RequestScopeFilter.OUTERMOST);
    // An application's own mappers go first.
    context.register(new RefusalMapper(mine), Priorities.USER + 5_000);
    context.register(new InvalidRequestMapper(mine), Priorities.USER + 5_000);
    if (ContainerDetector.runsJersey(context)) {
      JerseyEventListener.register(context, application);
    } else {
      context.register(new ThreadCleanupFilter(), RequestScopeFilter.OUTERMOST - 6);
    }
  }

  /**
   * Binds the policies of one resource method.
   *
   * @param resource the method
   * @param context the method's
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
        : new JaxrsApplication(
            LOG, weir(), List.of(any -> Optional.empty()), Optional.empty());
  }

  private WeirRuntime weir() {
    return given.orElseGet(() -> WeirRuntime.application(Map.of()));
  }
}
