package io.weir.internal.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.weir.rules.Rules;
import io.weir.rules.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * How many users wait for another tier. Read every five seconds, so that whoever asks for metrics
 * waits for no database.
 *
 * <p>Safe for concurrent use.
 */
public final class PendingUpgrades implements AutoCloseable {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final long EVERY_SECONDS = 5;

  private final Rules rules;
  private final ScheduledThreadPoolExecutor thread;
  private volatile double pending = Double.NaN;

  private PendingUpgrades(Rules rules) {
    this.rules = rules;
    this.thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread daemon = new Thread(task, "weir-upgrades");
              daemon.setDaemon(true);
              return daemon;
            });
    var unused = thread.scheduleWithFixedDelay(this::read, 0, EVERY_SECONDS, TimeUnit.SECONDS);
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
    thread.shutdownNow();
  }
}
