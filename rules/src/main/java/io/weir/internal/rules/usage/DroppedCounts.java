package io.weir.internal.rules.usage;

import io.weir.rules.usage.DroppedUsage;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what isn't written, and tells each reason once. Safe for concurrent use. */
final class DroppedCounts {
  private static final Logger LOG = System.getLogger("io.weir");

  private final LongAdder requests = new LongAdder();
  private final LongAdder refusals = new LongAdder();
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  void requests(long number, String reason) {
    requests.add(number);
    tell(reason);
  }

  void refusals(long number, String reason) {
    refusals.add(number);
    tell(reason);
  }

  /** What the writer has told already. */
  void requests(long number) {
    requests.add(number);
  }

  void refusals(long number) {
    refusals.add(number);
  }

  private void tell(String reason) {
    if (!told.contains(reason) && told.add(reason)) {
      LOG.log(
          Level.WARNING, "usage: some of it isn't written, and only counted as dropped: " + reason);
    }
  }

  DroppedUsage read() {
    return new DroppedUsage(requests.sum(), refusals.sum());
  }
}
