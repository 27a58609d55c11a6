package io.weir.jaxrs;

import io.weir.InvalidPolicyException;
import io.weir.adapter.LimitedEndpoint;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.lang.reflect.Method;

/**
 * Binds the policies of each resource method: at the start, or for a sub-resource at its first
 * request. An object apart from the feature, since some implementations look at only one interface
 * of each.
 *
 * <p>Safe for concurrent use.
 */
final class EndpointBinder implements DynamicFeature {
  private final JaxrsApplication application;

  EndpointBinder(JaxrsApplication application) {
    this.application = application;
  }

  /**
   * Binds the policies of one resource method.
   *
   * @throws InvalidPolicyException if there are mistakes in annotations of its class
   * @throws IllegalStateException if a policy needs the peer's address and nothing can read it
   */
  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    application.sawMethod();
    boolean isOptions = ResourceMethods.answersOptions(resource);
    if (!isOptions && !ResourceMethods.isEndpoint(resource)) {
      return;
    }
    try {
      Class<?> type = resource.getResourceClass();
      Method method = resource.getResourceMethod();
      if (isOptions) {
        bind(application.adapter().withoutClass(), type, method, true, context);
      } else {
        application.check(type);
        bind(application.endpoint(type, method), type, method, false, context);
      }
    } catch (InvalidPolicyException | IllegalStateException mistake) {
      application.report(mistake.toString());
      application.endUnlessStarted();
      throw mistake;
    }
  }

  private void bind(
      LimitedEndpoint endpoint,
      Class<?> type,
      Method method,
      boolean onlyCredentials,
      FeatureContext context) {
    if (endpoint.isEmpty()) {
      return;
    }
    if (endpoint.needsAddress()) {
      application.requirePeer();
    }
    ResourceTemplate template = new ResourceTemplate(type, method);
    new EndpointFilters(application, endpoint, template, onlyCredentials).register(context);
  }
}
