package io.weir.benchmarks.http;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * The process of a server. Its first line is its port; then it answers each line with the bytes
 * that its threads have allocated.
 */
final class ServerMain {
  /** Kept, or their level would be forgotten with them. */
  private static final List<Logger> QUIET =
      List.of(
          Logger.getLogger("org.apache"),
          Logger.getLogger("org.glassfish"),
          Logger.getLogger("io.weir"));

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
    System.out.println(Server.valueOf(args[0]).start(Limits.open(), Path.of(args[1])));
    answer(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII)));
    System.exit(0);
  }

  private static void answer(BufferedReader questions) throws IOException {
    while (questions.readLine() != null) {
      System.out.println(allocated());
    }
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
