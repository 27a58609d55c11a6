package io.weir.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/** Describes the machine of the measurements. */
final class Machine {
  private Machine() {}

  /** Returns one line: processor, cores, memory, system, Java. */
  static String line() {
    Runtime runtime = Runtime.getRuntime();
    return String.format(
        Locale.ROOT,
        "%s, %d cores, %s, %s %s, Java %s (%s)",
        value("/proc/cpuinfo", "model name"),
        runtime.availableProcessors(),
        memory(),
        System.getProperty("os.name"),
        System.getProperty("os.version").split("-", 2)[0],
        System.getProperty("java.version"),
        System.getProperty("java.vm.name"));
  }

  private static String memory() {
    String kib = value("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
    return kib.isEmpty() ? "memory unknown" : Long.parseLong(kib) / (1 << 20) + " GiB";
  }

  private static String value(String file, String name) {
    try (Stream<String> lines = Files.lines(Path.of(file))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst()
          .orElse("unknown");
    } catch (IOException e) {
      return "unknown";
    }
  }
}
