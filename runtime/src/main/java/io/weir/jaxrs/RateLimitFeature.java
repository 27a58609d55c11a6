package io.weir.jaxrs;

import io.weir.InvalidPolicyException;
import io.weir.Weir;
import io.weir.adapter.Adapter;
import io.weir.adapter.AdapterOptions;
import io.weir.internal.container.JaxrsImplementation;
import io.weir.internal.container.PeerLookup;
import io.weir.internal.container.WebContainerDetector;
import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.core.Feature;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Limits the annotated resource methods of a JAX-RS application.
 *
 * <pre>{@code
 * new ResourceConfig(Search.class).register(RateLimitFeature.class);
 * }</pre>
 *
 * <p>Mistakes in the annotations of registered resources stop the application; one message lists
 * all of them, or those of one class where the implementation doesn't name its resources before.
 * Sub-resources are read on first use; a mistake in their annotations fails their requests and is
 * logged. If settings don't suit a sub-resource, that is logged, and the annotations apply.
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
 * Jersey the end of every request is observed. Elsewhere a request stays charged if it never gets a
 * response, even if only successes count, and an exception while the body is written is a failure,
 * whatever it is mapped to; on implementations other than RESTEasy and CXF a request stays charged
 * also if nothing maps its exception.
 *
 * <p>Woven methods know their caller in every thread that runs filters or writes the response,
 * except those in which RESTEasy on Netty or Vert.x writes bodies that may block, and on Jersey and
 * CXF in every thread that runs the resource method, on others only in that of the filters. A
 * thread that has left a request knows its caller no longer; on implementations other than Jersey,
 * RESTEasy and CXF it may, until the response has ended.
 *
 * <p>The peer's address comes from the {@code PeerAddress} given to Weir, else from the servlet
 * container, or from Grizzly, Jetty or Helidon if Jersey runs on them without servlets, or from the
 * server of RESTEasy.
 *
 * <p>Implementations that find features as services, Jersey and RESTEasy among them, limit an
 * application that has registered no such feature by the application's Weir, unless {@code
 * weir.jaxrs.auto} is {@code false}. One that is registered takes precedence.
 *
 * <p>Safe for concurrent use.
 */
@ConstrainedTo(RuntimeType.SERVER)
public final class RateLimitFeature implements Feature {
  /** The setting, and the property of a JAX-RS application, that switches registration off. */
  static final String AUTO = "weir.jaxrs.auto";

  private static final Logger LOG = System.getLogger(RateLimitFeature.class.getName());

  private final Optional<Weir> given;

  /**
   * Limits by the {@linkplain Weir#application() application's} Weir. A Weir that was made for the
   * application is closed when the last application that uses it has stopped; where the
   * implementation doesn't report that, once the application has been garbage collected.
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
    this.given = Optional.of(weir);
  }

  /**
   * Registers the filters and mappers that all endpoints share, and what binds the policies of each
   * resource method. If Weir has been added automatically before, its own Weir takes over.
   *
   * @param context the configuration of the application
   * @return false beside {@code weir-quarkus}, which limits the same resources
   * @throws InvalidPolicyException if there are mistakes in annotations
   */
  @Override
  public boolean configure(FeatureContext context) {
    if (WebContainerDetector.isLimitedByQuarkus()) {
      return false;
    }
    WebContainerDetector.endStopped(context);
    Object installed = context.getConfiguration().getProperty(JaxrsApplication.class.getName());
    if (installed instanceof JaxrsApplication other && other.isAutomatic()) {
      other.takeOver(open());
      return true;
    }
    install(context, open(), false);
    return true;
  }

  /** Limits an application that has registered no feature, unless a setting forbids it. */
  static boolean addAutomatically(FeatureContext context) {
    if (WebContainerDetector.isLimitedByQuarkus()
        || context.getConfiguration().getProperty(JaxrsApplication.class.getName()) != null) {
      return false;
    }
    WebContainerDetector.endStopped(context);
    Adapter adapter = Weir.adapter(AdapterOptions.defaults());
    if (adapter.setting(AUTO).equals("false")) {
      adapter.close();
      return false;
    }
    install(context, adapter, true);
    return true;
  }

  private Adapter open() {
    AdapterOptions options = AdapterOptions.defaults();
    return Weir.adapter(given.map(options::withWeir).orElse(options));
  }

  private static void install(FeatureContext context, Adapter adapter, boolean automatic) {
    try {
      boolean jersey = WebContainerDetector.runsJersey(context);
      Optional<JaxrsImplementation> implementation =
          jersey ? Optional.empty() : Optional.of(WebContainerDetector.implementation(context));
      List<PeerLookup> peers =
          WebContainerDetector.peerLookups(
              context, implementation, RequestScopeFilter.OUTERMOST - 5);
      JaxrsApplication application =
          new JaxrsApplication(LOG, peers, implementation, adapter, automatic);
      List<Class<?>> resources =
          new ArrayList<>(ResourceMethods.registered(context.getConfiguration()));
      implementation.ifPresent(each -> resources.addAll(each.resources()));
      application.check(resources);
      application.warnOfIdleLimits(
          resources, ResourceMethods.limitedNonResources(context.getConfiguration()));
      context.property(JaxrsApplication.class.getName(), application);
      register(context, application);
      if (jersey) {
        JerseyEventListener.register(context, application);
      } else {
        context.register(new ArrivalFilter(application), RequestScopeFilter.OUTERMOST - 6);
        context.register(new ResponseStartFilter(), ResponseStartFilter.FIRST);
        if (!implementation.map(JaxrsImplementation::showsUserToEnd).orElse(true)) {
          context.register(new SignedInFilter(), SignedInFilter.LAST);
        }
        if (!implementation.map(JaxrsImplementation::bindsSubResources).orElse(true)) {
          SubResourceBinder.register(context, application);
        }
      }
    } catch (RuntimeException | Error failure) {
      adapter.close();
      throw failure;
    }
  }

  /** Registers each object with one priority: some implementations don't take several. */
  private static void register(FeatureContext context, JaxrsApplication application) {
    context.register(new EndpointBinder(application));
    context.register(new RequestScopeFilter(application), RequestScopeFilter.OUTERMOST);
    context.register(new UrlPolicyFilter(application), UrlPolicyFilter.LAST);
    if (application.interceptsBodies()) {
      context.register(new BodyInterceptor(), RequestScopeFilter.OUTERMOST);
    }
    // The application's own mappers take precedence.
    context.register(new RefusalMapper(application), Priorities.USER + 5_000);
    context.register(new InvalidRequestMapper(application), Priorities.USER + 5_000);
  }
}
