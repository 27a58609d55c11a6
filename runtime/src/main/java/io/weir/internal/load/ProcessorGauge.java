package io.weir.internal.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures the share of the processors that this process uses, 0 to 1; 0 on a virtual machine that
 * can't measure it.
 */
final class ProcessorGauge implements DoubleSupplier {
  private final DoubleSupplier reading = find();

  private static DoubleSupplier find() {
    try {
      @Nullable OperatingSystemMXBean bean =
          ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
      return bean == null ? () -> 0 : bean::getProcessCpuLoad;
    } catch (IllegalArgumentException | LinkageError absent) {
      return () -> 0;
    }
  }

  @Override
  public double getAsDouble() {
    return reading.getAsDouble();
  }
}
