package io.weir.quarkus;

import io.weir.WeirBuilder;

/**
 * Changes the builder of the application's {@link io.weir.Weir} before that is built. Beans of this
 * type are called in the order of their {@code @Priority}, the highest first, after the beans for
 * single parts were given, so that they override those.
 */
@FunctionalInterface
public interface WeirBuilderCustomizer {
  /**
   * Changes the builder.
   *
   * @param builder has the settings and the beans of the application
   */
  void customize(WeirBuilder builder);
}
