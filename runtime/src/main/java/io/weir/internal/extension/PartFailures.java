package io.weir.internal.extension;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The failures of one part that the application brought, a resolver or a sensor say: its trouble
 * must not become the request's, nor that of another part. Whoever calls the part catches whatever
 * it throws, hands it in here, and goes on by a default:
 *
 * <pre>{@code
 * try {
 *   return sensor.load();
 * } catch (Throwable broken) {
 *   failures.report(broken);
 *   return 0;
 * }
 * }</pre>
 *
 * <p>The first failure is logged, all others are as good as known. Missing classes count as
 * failures too, and any other error that only says that the part doesn't work.
 *
 * <p>Safe for concurrent use.
 */
public final class PartFailures {
  private final System.Logger log;
  private final String warning;
  private final AtomicBoolean said = new AtomicBoolean();

  /**
   * Nothing has failed yet.
   *
   * @param log where the first failure is logged
   * @param warning which part it is, and what its callers get instead
   */
  public PartFailures(System.Logger log, String warning) {
    this.log = log;
    this.warning = warning;
  }

  /**
   * Takes note of a failure.
   *
   * @param broken whatever the part threw; thrown on if the virtual machine itself is in trouble,
   *     memory exhausted say, for nobody can go on from that
   */
  public void report(Throwable broken) {
    if (broken instanceof VirtualMachineError fatal && !(broken instanceof StackOverflowError)) {
      throw fatal;
    }
    if (broken instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    if (said.compareAndSet(false, true)) {
      log.log(System.Logger.Level.WARNING, warning + " (said once)", broken);
    }
  }
}
