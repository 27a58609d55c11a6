package io.weir.compat.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A process of an application, and one connection to it that stays open.
 *
 * <p>Confine to one thread.
 */
final class MeasuredServer implements AutoCloseable {
  private static final byte[] END_OF_HEADERS = "\r\n\r\n".getBytes(US_ASCII);

  private final StackProcess process;
  private final Socket socket;
  private final byte[] buffer = new byte[1 << 14];

  /** Starts the application. */
  MeasuredServer(StackProcess process) throws IOException {
    this.process = process;
    try {
      URI address = process.start();
      this.socket = new Socket(address.getHost(), address.getPort());
      socket.setTcpNoDelay(true);
    } catch (IOException failed) {
      process.close();
      throw failed;
    }
  }

  /**
   * Sends requests one after the other, and returns the process's time for each in microseconds.
   */
  double measure(String path, int status, int requests) throws IOException {
    byte[] request = ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII);
    long before = processorNanos();
    for (int i = 0; i < requests; i++) {
      socket.getOutputStream().write(request);
      int answered = readResponse();
      if (answered != status) {
        throw new IOException(path + " answers " + answered);
      }
    }
    return (processorNanos() - before) / 1e3 / requests;
  }

  /** Reads one response with a known length, and returns its status. */
  private int readResponse() throws IOException {
    InputStream in = socket.getInputStream();
    int read = 0;
    int end = -1;
    int length = -1;
    while (end < 0 || read < end + length) {
      int more = in.read(buffer, read, buffer.length - read);
      if (more < 0) {
        throw new EOFException("the server has closed the connection");
      }
      read += more;
      if (end < 0) {
        end = endOfHeaders(read);
        length = end < 0 ? -1 : contentLength(new String(buffer, 0, end, US_ASCII));
      }
    }
    return Integer.parseInt(new String(buffer, 9, 3, US_ASCII));
  }

  private int endOfHeaders(int read) {
    for (int at = 0; at + END_OF_HEADERS.length <= read; at++) {
      int matched = 0;
      while (matched < END_OF_HEADERS.length && buffer[at + matched] == END_OF_HEADERS[matched]) {
        matched++;
      }
      if (matched == END_OF_HEADERS.length) {
        return at + matched;
      }
    }
    return -1;
  }

  private static int contentLength(String headers) throws IOException {
    for (String line : headers.split("\r\n", -1)) {
      if (line.regionMatches(true, 0, "Content-Length:", 0, 15)) {
        return Integer.parseInt(line.substring(15).strip());
      }
    }
    throw new IOException("no length in " + headers);
  }

  /** Of all threads of the process, compiler and collector included, to the nanosecond. */
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
    socket.close();
    process.close();
  }
}
