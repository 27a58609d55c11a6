package io.weir.compat.stacks.resteasy;

import io.weir.compat.stack.CheckedResources;
import io.weir.jaxrs.RateLimitFeature;
import java.util.HashSet;
import java.util.Set;

/** The application, which every server serves. */
public final class Application extends jakarta.ws.rs.core.Application {
  /** For RESTEasy. */
  public Application() {}

  @Override
  public Set<Class<?>> getClasses() {
    Set<Class<?>> classes = new HashSet<>(CheckedResources.classes());
    classes.add(RateLimitFeature.class);
    return classes;
  }
}
