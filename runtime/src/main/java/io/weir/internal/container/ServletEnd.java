package io.weir.internal.container;

import jakarta.servlet.ServletContext;
import java.util.Queue;
import org.jboss.resteasy.core.ResteasyContext;
import org.jspecify.annotations.Nullable;

/**
 * Lets Weir's initializer run what is to be done at the end of an application that RESTEasy serves
 * in a servlet container. Loaded only if the servlet API is on the class path.
 */
final class ServletEnd {
  /** The attribute that {@code io.weir.servlet.WeirInitializer} sets. */
  private static final String ENDED = "io.weir.ended";

  private ServletEnd() {}

  /** Returns whether a servlet container runs the application whose features are configured. */
  static boolean isInContainer() {
    return ResteasyContext.getContextData(ServletContext.class) != null;
  }

  @SuppressWarnings("unchecked") // the attribute is Weir's own
  static void add(Runnable ended) {
    @Nullable ServletContext context = ResteasyContext.getContextData(ServletContext.class);
    if (context != null && context.getAttribute(ENDED) instanceof Queue<?> queue) {
      ((Queue<Runnable>) queue).add(ended);
    }
  }
}
