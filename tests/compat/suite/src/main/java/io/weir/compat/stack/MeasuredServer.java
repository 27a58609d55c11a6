package io.weir.compat.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

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
    long nanos = processorNanos();
    for (int i = 0; i < requests; i++) {
      if (client.call(name) != admits) {
        throw new IOException(name + (admits ? " is refused" : " is admitted"));
      }
    }
    return new Cost(
        (processorNanos() - nanos) / 1e3 / requests,
        (double) (process.allocatedBytes() - bytes) / requests);
  }

  /** Returns the time to the nanosecond. */
  private long processorNanos() throws IOException {
    long nanos = 0;
    Path tasks = Path.of("/proc", Long.toString(process.process().pid()), "task");
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path each : threads) {
        String line = Files.readString(each.resolve("schedstat"), US_ASCII);
        nanos += Long.parseLong(line.substring(0, line.indexOf(' ')));
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
