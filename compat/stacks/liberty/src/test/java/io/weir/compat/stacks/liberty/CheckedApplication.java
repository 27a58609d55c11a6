package io.weir.compat.stacks.liberty;

import io.weir.compat.stack.CheckedResources;
import io.weir.jaxrs.RateLimitFeature;
import jakarta.ws.rs.ApplicationPath;
import jakarta.ws.rs.core.Application;
import java.util.HashSet;
import java.util.Set;

/** The application of the war. */
@ApplicationPath("/")
public class CheckedApplication extends Application {
  @Override
  public Set<Class<?>> getClasses() {
    Set<Class<?>> classes = new HashSet<>(CheckedResources.classes());
    classes.add(RateLimitFeature.class);
    return classes;
  }
}
