package io.weir.benchmarks.service;

import io.weir.benchmarks.Latencies;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A JVM that sends one kind of request. */
public final class LoadChild {
  private LoadChild() {}

  /**
   * Answers each line {@code closed MILLIS}, {@code open MILLIS RATE} and {@code each} with the
   * requests a second, the 50th and 99th percentile in microseconds, its own processor time for
   * each request in microseconds, and how many buckets were full.
   *
   * @param args the {@link RequestKind}, host, port, token (or what stands for it), callers,
   *     connections, and how many requests are sent together
   */
  public static void main(String[] args) throws IOException {
    RequestKind kind = RequestKind.valueOf(args[0]);
    int callers = Integer.parseInt(args[4]);
    long seed = System.nanoTime();
    try (RequestLoad load =
            kind.load(
                new InetSocketAddress(args[1], Integer.parseInt(args[2])),
                args[3],
                Integer.parseInt(args[5]),
                Integer.parseInt(args[6]));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      System.out.println("ready");
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        long full = load.full();
        long cpu = cpu();
        long from = System.nanoTime();
        Latencies latencies =
            switch (words[0]) {
              case "closed" -> load.closed(CallerSequence.drawn(callers, ++seed), nanos(words[1]));
              case "open" ->
                  load.open(
                      CallerSequence.drawn(callers, ++seed),
                      nanos(words[1]),
                      Double.parseDouble(words[2]));
              case "each" -> load.closed(CallerSequence.inOrder(callers), Long.MAX_VALUE / 2);
              default -> throw new IllegalArgumentException(line);
            };
        double seconds = (System.nanoTime() - from) / 1e9;
        System.out.println(
            String.format(
                Locale.ROOT,
                "%.1f %.3f %.3f %.3f %d",
                latencies.count() / seconds,
                latencies.micros(50),
                latencies.micros(99),
                (cpu() - cpu) / 1e3 / latencies.count(),
                load.full() - full));
      }
    }
    System.exit(0);
  }

  private static long nanos(String millis) {
    return Long.parseLong(millis) * 1_000_000;
  }

  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
