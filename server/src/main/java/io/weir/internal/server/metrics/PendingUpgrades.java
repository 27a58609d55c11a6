package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.threads.DaemonThreads;
import io.weir.internal.threads.PeriodicTask;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * How many users wait for another tier. Read every five seconds, so that whoever asks for metrics
 * waits for no database.
 *
 * <p>Safe for concurrent use.
 */
public final class PendingUpgrades implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Rules rules;
  private final PeriodicTask task;
  private volatile double pending = Double.NaN;

  private PendingUpgrades(Rules rules) {
    this.rules = rules;
    this.task = PeriodicTask.start(DaemonThreads.named("weir-upgrades"), Duration.ZERO, EVERY, this::read);
  }

  /**
   * Begins to read.
   *
   * @param registry where it is measured
   * @param rules the database
   * @return ends it when it is closed
   */
  public static PendingUpgrades register(MeterRegistry registry, Rules rules) {
    PendingUpgrades upgrades = new PendingUpgrades(rules);
    Gauge.builder("weir.upgrades.pending", upgrades, each -> each.pending)
        .description("Requests for another tier that wait for a decision")
        .strongReference(true)
        .register(registry);
    return upgrades;
  }

  private void read() {
    try {
      pending = rules.upgrades().pending();
    } catch (RulesUnavailableException away) {
      pending = Double.NaN;
    } catch (RuntimeException | Error mistake) {
      pending = Double.NaN;
      LOG.log(Level.ERROR, "the requests for another tier can't be counted", mistake);
    }
  }

  /** Reads no more. Idempotent. */
  @Override
  public void close() {
    task.close();
  }
}
