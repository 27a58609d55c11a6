package io.weir.adapter;

import io.weir.internal.application.WeirHandle;
import java.util.Map;

/**
 * Keeps the application's Weir open until the application ends, without making one: for a part of
 * an adapter that starts before the application has made its own, or may never need any. The Weir
 * that was made for an application closes when all its adapters and keepers have.
 *
 * <p>A keeper that was garbage collected counts as closed. Safe for concurrent use.
 */
public final class WeirKeeper implements AutoCloseable {
  private final WeirHandle handle;

  private WeirKeeper(WeirHandle handle) {
    this.handle = handle;
  }

  /**
   * Keeps the Weir of an application, which may have settings of its own, such as the parameters of
   * a web application.
   *
   * @param application finds the application's classes, and its Weir
   * @param settings {@code weir.…} settings, which take precedence over all others if Weir is made
   *     for the application later, except over those that the adapter has itself which makes it
   * @return a keeper, to be closed when the application ends
   */
  public static WeirKeeper of(ClassLoader application, Map<String, String> settings) {
    return new WeirKeeper(WeirHandle.open(application, settings));
  }

  /**
   * Returns whether the annotations of a class are in force: whether an adapter of the application
   * has checked the class or found one of its endpoints, {@link io.weir.Weir#check} was called with
   * it, or one of its methods through a {@link LimitedCall}. For a warning of classes that nothing
   * limits.
   *
   * @param handler the class, as it is written
   * @return true also if a subclass was read; false if the application has no Weir yet
   */
  public boolean hasRead(Class<?> handler) {
    return handle.hasRead(handler);
  }

  /**
   * Returns whether an adapter of the application has read handlers of a type, even if they have no
   * annotations.
   *
   * @param type the type of their endpoints
   * @return false if the application has no Weir yet
   */
  public boolean hasRead(EndpointType type) {
    return handle.hasRead(type);
  }

  /** Keeps it no longer. Idempotent. */
  @Override
  public void close() {
    handle.close();
  }
}
