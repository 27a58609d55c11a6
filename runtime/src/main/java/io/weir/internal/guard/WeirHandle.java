package io.weir.internal.guard;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A component's hold on the application's Weir, a filter's for example: from the component's start
 * until its end, for adapters whose container tells both.
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
  private final Optional<WeirRuntime> given;
  private final AtomicBoolean closed = new AtomicBoolean();

  private WeirHandle(ClassLoader application, Optional<WeirRuntime> given) {
    this.application = WeirRegistry.leading(application);
    this.given = given;
  }

  /**
   * Takes hold of the application's Weir, whether there is one already or not.
   *
   * @param application the context class loader of the application
   * @return a handle to be closed
   */
  public static WeirHandle open(ClassLoader application) {
    return opened(new WeirHandle(application, Optional.empty()));
  }

  /**
   * Takes hold of a Weir that the component was given, and that its owner closes.
   *
   * @param application the context class loader of the application
   * @param given the Weir
   * @return a handle to be closed
   */
  public static WeirHandle open(ClassLoader application, WeirRuntime given) {
    return opened(new WeirHandle(application, Optional.of(given)));
  }

  private static WeirHandle opened(WeirHandle handle) {
    WeirRegistry.opened(handle);
    return handle;
  }

  ClassLoader application() {
    return application;
  }

  Optional<WeirRuntime> given() {
    return given;
  }

  /**
   * The Weir: the given one, else the application's, made if there is none.
   *
   * @param onTop settings that go before all others if it has to be made; if it exists already, a
   *     warning names those that don't hold
   * @return an open Weir, as long as its owner doesn't close it
   */
  public WeirRuntime weir(Map<String, String> onTop) {
    given.ifPresent(each -> each.warnUnlessInForce(onTop));
    return given.orElseGet(() -> WeirRegistry.get(application, onTop));
  }

  /** Lets go of the Weir. Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      WeirRegistry.closed(this);
    }
  }
}
