package io.weir.internal.application;

import io.weir.adapter.EndpointType;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the application's Weir open for one component, such as a filter, from the component's start
 * to its end. For adapters whose container reports both.
 *
 * <p>When all handles of an application are closed, the Weir that was made for it is closed too.
 * One that its owner closes, or that belongs to a parent application, forgets the classes of this
 * one. A component must refer to its handle as long as it runs: a handle that has been garbage
 * collected counts as closed.
 *
 * <p>Safe for concurrent use.
 */
public final class WeirHandle implements AutoCloseable {
  private final ClassLoader application;
  private volatile Optional<WeirRuntime> given;
  private final AtomicBoolean closed = new AtomicBoolean();

  private WeirHandle(ClassLoader application, Optional<WeirRuntime> given) {
    this.application = WeirRegistry.leading(application);
    this.given = given;
  }

  /**
   * Opens a handle on the application's Weir, which need not exist yet.
   *
   * @param application the context class loader of the application
   */
  public static WeirHandle open(ClassLoader application) {
    return open(application, Map.of());
  }

  /**
   * Opens a handle on the application's Weir, which need not exist yet.
   *
   * @param settings take precedence over all others if a component makes the Weir that passes none
   *     of its own, such as JAX-RS, which doesn't see the parameters of the web application
   */
  public static WeirHandle open(ClassLoader application, Map<String, String> settings) {
    return opened(new WeirHandle(application, Optional.empty()), settings);
  }

  /** Opens a handle on a Weir that the component was given, and that its owner closes. */
  public static WeirHandle open(ClassLoader application, WeirRuntime given) {
    return opened(new WeirHandle(application, Optional.of(given)), Map.of());
  }

  private static WeirHandle opened(WeirHandle handle, Map<String, String> settings) {
    WeirRegistry.opened(handle.application, handle, handle.given, settings);
    return handle;
  }

  /**
   * Returns the given Weir, else the application's, which is made if there is none.
   *
   * @param onTop settings that take precedence over all others if it has to be made; if it exists
   *     already, a warning names those that aren't in force
   * @return an open Weir, as long as its owner doesn't close it
   * @throws IllegalStateException if the handle is closed: a Weir that was made then would never be
   *     closed
   */
  public WeirRuntime weir(Map<String, String> onTop) {
    Optional<WeirRuntime> own = given;
    if (closed.get()) {
      throw new IllegalStateException("the handle is closed");
    }
    own.ifPresent(each -> each.warnUnlessInForce(onTop));
    return own.orElseGet(() -> ApplicationWeirs.get(application, onTop));
  }

  /**
   * Returns whether a Weir of the application has read a class or a subclass so far.
   *
   * @param handler the class as it is written
   * @return false also if the application has no Weir yet
   */
  public boolean hasRead(Class<?> handler) {
    return WeirRegistry.anyMatch(application, each -> each.hasRead(handler));
  }

  /**
   * Returns whether an adapter of the application uses a type of endpoints so far.
   *
   * @return false also if the application has no Weir yet
   */
  public boolean hasRead(EndpointType type) {
    return WeirRegistry.anyMatch(application, each -> each.types().isUsed(type));
  }

  /**
   * Closes the handle, which then refers to no Weir: a container may keep it in memory. Idempotent.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      WeirRegistry.closed(application, this);
      given = Optional.empty();
    }
  }
}
