package io.weir.internal.control.access;

import io.weir.internal.control.resource.OpenTo;
import jakarta.ws.rs.Priorities;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Restricts each resource method of the feature to the roles in its {@link OpenTo}. Leaves the
 * resources of the application alone.
 *
 * <p>Safe for concurrent use.
 */
public final class AccessFeature implements DynamicFeature {
  private final Set<Class<?>> resources;
  private final RoleCheck roles;
  private final CrossSiteCheck crossSite;

  public AccessFeature(Collection<Class<?>> resources, UnaryOperator<String> settings) {
    this.resources = Set.copyOf(resources);
    this.roles = new RoleCheck(settings);
    this.crossSite = new CrossSiteCheck(new ServerOrigins(settings));
  }

  @Override
  public void configure(ResourceInfo resource, FeatureContext context) {
    Class<?> type = resource.getResourceClass();
    if (type != null && resources.contains(type)) {
      OpenTo opened = resource.getResourceMethod().getAnnotation(OpenTo.class);
      context.register(
          new AccessFilter(Optional.ofNullable(opened), roles, crossSite),
          Priorities.AUTHORIZATION);
    }
  }
}
