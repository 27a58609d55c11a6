package io.weir.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
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
        String told = Files.readString(thread.resolve("schedstat"), StandardCharsets.US_ASCII);
        nanos += Long.parseLong(told.substring(0, told.indexOf(' ')));
      }
    }
    return nanos;
  }
}
