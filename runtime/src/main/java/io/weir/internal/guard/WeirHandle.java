package io.weir.internal.guard;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * That a part of an application, a filter say, needs a Weir: from the start of the part until its
 * end, for adapters whose container tells both.
 *
 * <p>The application's Weir is there until all uses of it have ended. When all uses of an
 * application have ended, the Weir that was made for it is closed; one that its owner closes, or
 * that belongs to an application above, forgets the classes of this one. A part keeps its use as
 * long as it runs: one that nobody refers to any more has ended too.
 *
 * <p>Safe for concurrent use.
 */
public final class WeirHandle implements AutoCloseable {
  private final ClassLoader application;
  private final Optional<WeirRuntime> given;
  private final AtomicBoolean ended = new AtomicBoolean();

  private WeirHandle(ClassLoader application, Optional<WeirRuntime> given) {
    this.application = WeirRegistry.leading(application);
    this.given = given;
  }

  /**
   * Begins to use the application's Weir, whether there is one already or not.
   *
   * @param application the context class loader of the application
   * @return the use, to be ended
   */
  public static WeirHandle begin(ClassLoader application) {
    return begun(new WeirHandle(application, Optional.empty()));
  }

  /**
   * Begins to use a Weir that the part was given by hand, and that its owner closes.
   *
   * @param application the context class loader of the application
   * @param given the Weir
   * @return the use, to be ended
   */
  public static WeirHandle begin(ClassLoader application, WeirRuntime given) {
    return begun(new WeirHandle(application, Optional.of(given)));
  }

  private static WeirHandle begun(WeirHandle use) {
    WeirRegistry.started(use);
    return use;
  }

  ClassLoader application() {
    return application;
  }

  Optional<WeirRuntime> given() {
    return given;
  }

  /**
   * The Weir that is used: the given one, else the application's, made if there is none.
   *
   * @param onTop settings that go before all others if it has to be made; else one warning names
   *     those that aren't in force
   * @return an open Weir, as long as its owner doesn't close it
   */
  public WeirRuntime weir(Map<String, String> onTop) {
    given.ifPresent(each -> each.warnUnlessInForce(onTop));
    return given.orElseGet(() -> WeirRegistry.get(application, onTop));
  }

  /** Ends the use. Idempotent. */
  @Override
  public void close() {
    if (ended.compareAndSet(false, true)) {
      WeirRegistry.ended(this);
    }
  }
}
