package io.weir.spring;

import io.weir.WeirBuilder;

/**
 * Gives parts to the {@link io.weir.Weir} of the application while it is built. A bean of this type
 * is applied in the order of {@link org.springframework.core.annotation.Order}.
 *
 * <p>Called once, by the thread that makes the bean.
 */
@FunctionalInterface
public interface WeirCustomizer {
  /** The order of Weir's own customizers, so that those of the application come later. */
  int FIRST = -1_000;

  /**
   * Gives parts to the builder.
   *
   * @param builder has the settings of the environment, and the parts that are beans themselves
   */
  void customize(WeirBuilder builder);
}
