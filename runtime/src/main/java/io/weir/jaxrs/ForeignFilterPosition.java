package io.weir.jaxrs;

import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;

/**
 * Where request filters that aren't Weir's stand: they may work for a request before it is over.
 */
enum ForeignFilterPosition {
  /** Behind both phases, or nowhere. */
  NONE,
  /** Before both phases: of what Weir decides only a filter for servlets can be before them. */
  BEFORE_BOTH,
  /** Between the phases, as far as anybody knows. */
  BETWEEN;

  private static final String OWN = ForeignFilterPosition.class.getPackageName() + ".";

  /** Whether a request filter is of the application, or of another library. */
  static boolean includes(ContainerRequestFilter filter) {
    return !isOwn(filter.getClass());
  }

  /** Whether a provider is one that works for requests that match nothing yet. */
  static boolean includesPreMatching(Class<?> provider) {
    return ContainerRequestFilter.class.isAssignableFrom(provider)
        && provider.isAnnotationPresent(PreMatching.class)
        && !isOwn(provider);
  }

  private static boolean isOwn(Class<?> provider) {
    return provider.getName().startsWith(OWN);
  }
}
