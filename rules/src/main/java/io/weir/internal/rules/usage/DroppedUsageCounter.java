package io.weir.internal.rules.usage;

import io.weir.rules.usage.DroppedUsage;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts usage that isn't written, and logs each reason once. Safe for concurrent use. */
final class DroppedUsageCounter {
  private static final Logger LOG = System.getLogger("io.weir");

  private final LongAdder requests = new LongAdder();
  private final LongAdder refusals = new LongAdder();
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  void requests(long number, String reason) {
    requests.add(number);
    logOnce(reason);
  }

  void refusals(long number, String reason) {
    refusals.add(number);
    logOnce(reason);
  }

  /** Counts requests that the writer has already logged. */
  void requests(long number) {
    requests.add(number);
  }

  /** Counts refusals that the writer has already logged. */
  void refusals(long number) {
    refusals.add(number);
  }

  private void logOnce(String reason) {
    if (!logged.contains(reason) && logged.add(reason)) {
      LOG.log(Level.WARNING, "rules: some usage is dropped (logged once): " + reason);
    }
  }

  DroppedUsage read() {
    return new DroppedUsage(requests.sum(), refusals.sum());
  }
}
