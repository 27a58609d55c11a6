package io.weir.spring;

/**
 * Checks annotations or settings of the application once all beans are made. All beans of this type
 * are called, and the mistakes that they find are reported together.
 */
@FunctionalInterface
public interface StartCheck {
  /**
   * Checks what the adapter of this bean limits.
   *
   * @throws io.weir.InvalidPolicyException if annotations are wrong
   * @throws io.weir.InvalidSettingException if settings are
   */
  void check();
}
