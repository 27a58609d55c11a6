package io.weir.internal.application;

import java.util.Map;
import java.util.Optional;

/**
 * Finds the Weir of the application that calls, or makes one if there is none. A Weir that is made
 * here is closed with the application.
 *
 * <p>Safe for concurrent use.
 */
public final class ApplicationWeirs {
  private ApplicationWeirs() {}

  /**
   * Finds the Weir of the application that the thread works for.
   *
   * @param onTop settings that take precedence over all others if the Weir has to be made
   */
  public static WeirRuntime get(Map<String, String> onTop) {
    return get(WeirRegistry.loader(), onTop);
  }

  static WeirRuntime get(ClassLoader application, Map<String, String> onTop) {
    return WeirRegistry.get(application, onTop, ApplicationWeirs::made);
  }

  /**
   * Finds the Weir of the application that a class belongs to, for code that may run in threads of
   * other applications or of none: by the context class loader, else by that of the class.
   *
   * @return an open Weir; empty once the application has {@linkplain WeirHandle ended} or its Weir
   *     was closed, since a new one would never be closed
   */
  public static Optional<WeirRuntime> get(Class<?> member) {
    return WeirRegistry.get(member, ApplicationWeirs::made);
  }

  private static WeirRuntime made(ClassLoader loader, Map<String, String> onTop) {
    return new DefaultWeirBuilder().settings(onTop).build(loader);
  }
}
