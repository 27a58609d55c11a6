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

  /**
   * Finds the position in a chain of request filters.
   *
   * @param chain all that a request passes after matching, in their order
   * @param first Weir's filter for the first phase
   * @param second the one for the second phase
   * @return {@link #BETWEEN} if the second isn't in the chain
   */
  static ForeignFilterPosition in(
      Iterable<ContainerRequestFilter> chain, Class<?> first, Class<?> second) {
    ForeignFilterPosition others = NONE;
    boolean between = false;
    for (ContainerRequestFilter each : chain) {
      if (second.isInstance(each)) {
        return others;
      }
      between |= first.isInstance(each);
      if (isForeign(each)) {
        others = between ? BETWEEN : BEFORE_BOTH;
      }
    }
    return BETWEEN;
  }

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
