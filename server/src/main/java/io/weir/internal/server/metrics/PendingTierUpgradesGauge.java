package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.PeriodicTask;
import io.weir.rules.Rules;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * Counts the users who wait for another tier. The count is read every five seconds, so that a
 * request for metrics never waits for the database.
 *
 * <p>Safe for concurrent use.
 */
public final class PendingTierUpgradesGauge implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final Duration EVERY = Duration.ofSeconds(5);

  private final Rules rules;
  private final PeriodicTask task;
  private volatile double pending = Double.NaN;

  private PendingTierUpgradesGauge(Rules rules) {
    this.rules = rules;
    this.task =
        PeriodicTask.start(
            DaemonThreadFactory.named("weir-upgrades"), Duration.ZERO, EVERY, this::read);
  }

  /** Registers the gauge, and reads until the result is closed. */
  public static PendingTierUpgradesGauge register(MeterRegistry registry, Rules rules) {
    PendingTierUpgradesGauge upgrades = new PendingTierUpgradesGauge(rules);
    Gauge.builder("weir.upgrades.pending", upgrades, each -> each.pending)
        .description("Requests for another tier that are pending")
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
      LOG.log(Level.ERROR, "pending tier upgrades can't be counted", mistake);
    }
  }

  /** Stops reading. Idempotent. */
  @Override
  public void close() {
    task.close();
  }
}
