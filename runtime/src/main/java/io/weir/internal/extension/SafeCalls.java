package io.weir.internal.extension;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Calls a part that the application brought (a resolver, a sensor, metrics) so that its failures
 * don't become the request's: whatever it throws is caught, the first failure is logged, and the
 * caller goes on with a default.
 *
 * <pre>{@code
 * return calls.get(() -> resolver.resolve(request), Optional.empty());
 * }</pre>
 *
 * <p>Where a lambda would cost too much, the caller catches the {@code Throwable} itself and hands
 * it to {@link #failed}. Missing classes and other errors count as failures too, except those of
 * the virtual machine itself, such as exhausted memory: these are thrown on.
 *
 * <p>Safe for concurrent use.
 */
public final class SafeCalls {
  private final System.Logger log;
  private final String warning;
  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * Calls a part that hasn't failed yet.
   *
   * @param warning names the part and what its callers get instead
   */
  public SafeCalls(System.Logger log, String warning) {
    this.log = log;
    this.warning = warning;
  }

  public <T> T get(Supplier<T> call, T fallback) {
    try {
      return call.get();
    } catch (Throwable broken) {
      failed(broken);
      return fallback;
    }
  }

  public void run(Runnable call) {
    try {
      call.run();
    } catch (Throwable broken) {
      failed(broken);
    }
  }

  /**
   * Logs a failure, if it is the first.
   *
   * @param broken what the part threw; thrown on if the virtual machine itself is in trouble
   */
  public void failed(Throwable broken) {
    if (broken instanceof VirtualMachineError fatal && !(broken instanceof StackOverflowError)) {
      throw fatal;
    }
    if (broken instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    if (!CallFailures.isCollected(warning, broken) && warned.compareAndSet(false, true)) {
      NonThrowingLog.log(log, System.Logger.Level.WARNING, warning + " (logged once)", broken);
    }
  }
}
