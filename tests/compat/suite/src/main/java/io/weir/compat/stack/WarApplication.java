package io.weir.compat.stack;

import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.HashSet;
import java.util.Set;

/** The application in the war of {@link CheckedResources}, registered as the README has it. */
@ApplicationPath("/")
public class WarApplication extends Application {
  /** Called by the server. */
  public WarApplication() {}

  @Override
  public Set<Class<?>> getClasses() {
    Set<Class<?>> classes = new HashSet<>(CheckedResources.classes());
    classes.add(RateLimitFeature.class);
    return classes;
  }
}
