package io.weir.benchmarks.http;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.weir.Weir;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The process of a server. Its first line is its port; then it answers each line with the CPU time
 * that the process has used, in nanoseconds, and the bytes that its threads have allocated.
 */
final class ServerMain {
  /** Kept, or their level would be forgotten with them. */
  private static final List<Logger> QUIET =
      List.of(
          Logger.getLogger("org.apache"),
          Logger.getLogger("org.glassfish"),
          Logger.getLogger("io.weir"));

  private static final Path TASKS = Path.of("/proc/self/task");

  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  private ServerMain() {}

  /**
   * Serves until its input ends.
   *
   * @param args the server, a directory
   */
  public static void main(String[] args) throws Exception {
    QUIET.forEach(each -> each.setLevel(Level.SEVERE));
    System.out.println(Server.valueOf(args[0]).start(Weir.builder().build(), Path.of(args[1])));
    answer(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)));
    System.exit(0);
  }

  private static void answer(BufferedReader questions) throws IOException {
    while (questions.readLine() != null) {
      System.out.println(processorTime() + " " + allocated());
    }
  }

  /**
   * Of all threads, compiler and collector included. Linux reports it to the nanosecond for each
   * thread, Java 17 to 10 ms for the process, which is a microsecond of each request of a round.
   */
  private static long processorTime() throws IOException {
    if (!Files.isDirectory(TASKS)) {
      return SYSTEM.getProcessCpuTime();
    }
    long nanos = 0;
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        String told = Files.readString(task.resolve("schedstat"), StandardCharsets.US_ASCII);
        nanos += Long.parseLong(told.substring(0, told.indexOf(' ')));
      }
    }
    return nanos;
  }

  /** No thread ends between two answers: those of the servers' pools live longer. */
  private static long allocated() {
    long bytes = 0;
    for (long each : THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds())) {
      bytes += Math.max(0, each);
    }
    return bytes;
  }
}
