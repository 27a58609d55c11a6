package io.weir.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;

/**
 * A connection that stays open, for requests whose answers are only counted: each has one byte that
 * it has nowhere else, at its end. So the client costs next to nothing.
 *
 * <p>Confine to one thread.
 */
final class Connection implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 10_000;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;
  private final byte[] buffer = new byte[1 << 16];

  Connection(int port) throws IOException {
    this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS); // an answer that isn't what it should be has no such byte
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
  }

  /** Some requests for a path, one behind the other. */
  static byte[] requests(String path, int count) {
    String one = "GET " + path + " HTTP/1.1\r\nHost: " + Server.HOST + "\r\n\r\n";
    return one.repeat(count).getBytes(US_ASCII);
  }

  void send(byte[] requests) throws IOException {
    out.write(requests);
  }

  /** Waits for the ends of some answers. */
  void receive(int answers, byte end) throws IOException {
    int missing = answers;
    while (missing > 0) {
      missing -= count(end, read());
    }
    if (missing < 0) {
      throw new IOException("more answers than requests");
    }
  }

  /** What comes up to the next end of an answer. */
  String text(byte end) throws IOException {
    StringBuilder text = new StringBuilder();
    int length = 0;
    while (count(end, length) == 0) {
      length = read();
      text.append(new String(buffer, 0, length, US_ASCII));
    }
    return text.toString();
  }

  private int read() throws IOException {
    int length = in.read(buffer);
    if (length < 0) {
      throw new EOFException("the server has closed the connection");
    }
    return length;
  }

  private int count(byte end, int length) {
    int found = 0;
    for (int i = 0; i < length; i++) {
      if (buffer[i] == end) {
        found++;
      }
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
