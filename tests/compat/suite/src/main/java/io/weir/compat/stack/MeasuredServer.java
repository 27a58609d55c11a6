package io.weir.compat.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * A process of an application, and its only client.
 *
 * <p>Confine to one thread.
 */
final class MeasuredServer implements AutoCloseable {
  private final StackProcess process;
  private final MeasuredClient client;

  /** Connects to an application. */
  interface Connector {
    MeasuredClient connect(URI address) throws IOException;
  }

  /**
   * A request's share of what the process has used.
   *
   * @param micros processor time of all threads, compiler and collector included
   * @param bytes allocated by Java threads
   */
  record Cost(double micros, double bytes) {}

  /** Starts the application. */
  MeasuredServer(StackProcess process, Connector connector) throws IOException {
    this.process = process;
    try {
      this.client = connector.connect(process.start());
    } catch (IOException | RuntimeException failed) {
      process.close();
      throw failed;
    }
  }

  /**
   * Sends requests one after the other.
   *
   * @throws IOException if one isn't answered as expected
   */
  Cost measure(String name, boolean admits, int requests) throws IOException {
    long bytes = process.allocatedBytes();
    Map<Path, Long> before = processorNanos();
    for (int i = 0; i < requests; i++) {
      if (client.call(name) != admits) {
        throw new IOException(name + (admits ? " is refused" : " is admitted"));
      }
    }
    return new Cost(
        passed(before, processorNanos()) / 1e3 / requests,
        (double) (process.allocatedBytes() - bytes) / requests);
  }

  /** Adds up what threads have used that still run: those of pools and compilers may end. */
  private static long passed(Map<Path, Long> before, Map<Path, Long> after) {
    return after.entrySet().stream()
        .mapToLong(each -> each.getValue() - before.getOrDefault(each.getKey(), 0L))
        .sum();
  }

  /** Returns the time of each thread. */
  private Map<Path, Long> processorNanos() throws IOException {
    Map<Path, Long> nanos = new HashMap<>();
    Path tasks = Path.of("/proc", Long.toString(process.process().pid()), "task");
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path each : threads) {
        try {
          String line = Files.readString(each.resolve("schedstat"), US_ASCII);
          nanos.put(each, Long.parseLong(line.substring(0, line.indexOf(' '))));
        } catch (IOException ended) {
          // since it was listed
        }
      }
    }
    return nanos;
  }

  @Override
  public void close() throws IOException {
    client.close();
    process.close();
  }
}
