package io.weir.jaxrs;

import io.weir.internal.container.JaxrsImplementation;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import java.util.List;

/**
 * The position of request filters that aren't Weir's, relative to the two phases. If they run
 * between phases, they do work for the request, so the first phase must stay charged.
 */
enum ForeignFilterPosition {
  /** After both phases, or absent. */
  NONE,
  /** Before both phases; only Weir's servlet filter can have decided before them. */
  BEFORE_BOTH,
  /** Between the phases, or unknown. */
  BETWEEN;

  private static final List<String> OWN =
      List.of(
          ForeignFilterPosition.class.getPackageName() + ".",
          JaxrsImplementation.class.getPackageName() + ".");

  /** Returns whether a request filter is the application's or another library's. */
  static boolean isForeign(ContainerRequestFilter filter) {
    return !isOwn(filter.getClass());
  }

  /** Returns whether a provider is such a filter that runs before matching. */
  static boolean isForeignPreMatching(Class<?> provider) {
    return ContainerRequestFilter.class.isAssignableFrom(provider)
        && provider.isAnnotationPresent(PreMatching.class)
        && !isOwn(provider);
  }

  private static boolean isOwn(Class<?> provider) {
    return OWN.stream().anyMatch(provider.getName()::startsWith);
  }
}
