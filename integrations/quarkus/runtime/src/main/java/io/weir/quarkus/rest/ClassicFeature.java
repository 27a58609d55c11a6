package io.weir.quarkus.rest;

import io.quarkus.arc.Arc;
import io.quarkus.arc.Subclass;
import jakarta.ws.rs.ConstrainedTo;
import jakarta.ws.rs.RuntimeType;
import jakarta.ws.rs.container.DynamicFeature;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.FeatureContext;

/**
 * Puts Weir's filters around those of the application on each resource method of RESTEasy Classic:
 * every call of the method is decided there, whatever has happened before.
 *
 * <p>Safe for concurrent use.
 */
@ConstrainedTo(RuntimeType.SERVER)
public final class ClassicFeature implements DynamicFeature {
  /** Called by Quarkus. */
  public ClassicFeature() {}

  @Override
  public void configure(ResourceInfo info, FeatureContext context) {
    Class<?> type = written(info.getResourceClass());
    if (!ResourceLimits.isControl(type.getName())) {
      ClassicLimits limits = Arc.container().instance(ClassicLimits.class).get();
      LimitedResource resource = limits.add(type, info.getResourceMethod());
      context.register(new ClassicFilters.Arrive(limits, resource), Integer.MIN_VALUE);
      context.register(new ClassicFilters.Enter(limits), Integer.MAX_VALUE);
    }
  }

  /** Returns the class of a bean as it is written: ArC makes subclasses. */
  private static Class<?> written(Class<?> type) {
    return Subclass.class.isAssignableFrom(type) ? type.getSuperclass() : type;
  }
}
