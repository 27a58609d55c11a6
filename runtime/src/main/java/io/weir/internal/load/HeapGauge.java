package io.weir.internal.load;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the share of the heap that was used after the last collection, 0 to 1: of the pools
 * where objects grow old, since the others are full before every collection of a healthy
 * application, too.
 */
final class HeapGauge implements DoubleSupplier {
  private final List<MemoryPoolMXBean> pools;

  HeapGauge() {
    this(ManagementFactory.getMemoryPoolMXBeans());
  }

  HeapGauge(List<MemoryPoolMXBean> pools) {
    this.pools = pools.stream().filter(HeapGauge::isTenured).toList();
  }

  // Only pools where objects stay support a usage threshold.
  private static boolean isTenured(MemoryPoolMXBean pool) {
    return pool.getType() == MemoryType.HEAP && pool.isUsageThresholdSupported();
  }

  @Override
  public double getAsDouble() {
    return pools.stream().mapToDouble(HeapGauge::share).max().orElse(0);
  }

  private static double share(MemoryPoolMXBean pool) {
    @Nullable MemoryUsage usage = pool.getCollectionUsage();
    // The maximum of a pool without a bound is -1.
    return usage == null || usage.getMax() <= 0 ? 0 : (double) usage.getUsed() / usage.getMax();
  }
}
