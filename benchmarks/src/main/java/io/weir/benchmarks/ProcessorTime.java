package io.weir.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/** Reads how long a process has run on processors, all its threads together, from outside. */
public final class ProcessorTime {
  private ProcessorTime() {}

  /**
   * Returns what the live threads have used, those of compiler and collector included; what ended
   * threads have used is missing. Linux reports it to the nanosecond for each thread; elsewhere it
   * goes in larger steps.
   *
   * @param pid the number of a process of this user
   * @return nanoseconds
   */
  public static long nanosOf(long pid) throws IOException {
    Path tasks = Path.of("/proc/" + pid + "/task");
    if (!Files.isDirectory(tasks)) {
      return ProcessHandle.of(pid)
          .flatMap(each -> each.info().totalCpuDuration())
          .map(Duration::toNanos)
          .orElseThrow(() -> new IOException("no processor time is known of process " + pid));
    }
    long nanos = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        nanos += nanosOf(thread.resolve("schedstat"));
      }
    }
    return nanos;
  }

  private static long nanosOf(Path thread) throws IOException {
    try {
      String schedule = Files.readString(thread, StandardCharsets.US_ASCII);
      return Long.parseLong(schedule.substring(0, schedule.indexOf(' ')));
    } catch (NoSuchFileException ended) {
      return 0;
    }
  }
}
