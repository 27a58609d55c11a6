package io.weir.compat.redis.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads for how long anything on this machine has waited for a processor, such as the processes of
 * a database, which {@link Hiccups} of this process don't show.
 *
 * @see <a href="https://docs.kernel.org/accounting/psi.html">Pressure stall information</a>
 */
final class ProcessorPressure {
  private static final Path FILE = Path.of("/proc/pressure/cpu");
  private static final Pattern TOTAL = Pattern.compile("some .*total=(\\d+)");
  private static final long MICRO = 1_000;

  private ProcessorPressure() {}

  /**
   * Returns the total since the machine started, in nanoseconds; 0 where the system doesn't report
   * it.
   */
  static long nanos() {
    try {
      Matcher total = TOTAL.matcher(Files.readString(FILE));
      return total.find() ? MICRO * Long.parseLong(total.group(1)) : 0;
    } catch (IOException untold) {
      return 0;
    }
  }
}
