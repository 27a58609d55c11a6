package io.weir.benchmarks.soak;

import io.weir.Weir;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A JVM with one node and its callers, which reports its state and its counts. */
public final class SoakNode {
  /** The store time-out: long enough that a busy machine doesn't look like an outage. */
  static final int TIMEOUT_MILLIS = 250;

  /** Ends the answer to one question. */
  static final String END = ".";

  private static final long A_MOMENT_NANOS = 50_000_000;

  private SoakNode() {}

  /**
   * Answers {@code counts}, {@code state} and, at last, {@code stop}.
   *
   * @param args the store's address, a prefix, how many nodes there are, and a seed
   */
  public static void main(String[] args) throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.store", args[0]);
    settings.put("weir.prefix", args[1]);
    settings.put("weir.store.nodes", args[2]);
    settings.put("weir.secret", "of the soak");
    settings.put("weir.store.timeout", TIMEOUT_MILLIS + "ms");
    try (Weir weir = Weir.builder().settings(settings).build()) {
      SoakCallers callers = new SoakCallers(weir.limiter());
      callers.start(Long.parseLong(args[3]));
      converse(callers);
    }
    System.exit(0);
  }

  private static void converse(SoakCallers callers) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      switch (line) {
        case "state" -> System.out.println(state(callers));
        case "counts" -> tell(List.of(callers.take()));
        default -> {
          callers.stop();
          LockSupport.parkNanos(A_MOMENT_NANOS);
          tell(List.of(callers.take(), callers.take()));
          return;
        }
      }
    }
  }

  private static void tell(List<Map<PermitCount.Place, AtomicLong>> all) {
    StringBuilder text = new StringBuilder();
    all.forEach(
        counts ->
            counts.forEach(
                (place, permits) ->
                    text.append(new PermitCount(place, permits.get())).append('\n')));
    System.out.print(text.append(END).append('\n'));
    System.out.flush();
  }

  private static NodeState state(SoakCallers callers) {
    System.gc();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return callers.state(heap, ManagementFactory.getThreadMXBean().getThreadCount());
  }
}
