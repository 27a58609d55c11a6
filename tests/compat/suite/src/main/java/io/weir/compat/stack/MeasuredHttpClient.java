package io.weir.compat.stack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;

/** Calls an application over HTTP/1.1, below {@code /cost}. */
final class MeasuredHttpClient implements MeasuredClient {
  private static final byte[] END_OF_HEADERS = "\r\n\r\n".getBytes(US_ASCII);
  private static final int OK = 200;
  private static final int TOO_MANY_REQUESTS = 429;

  private final Socket socket;
  private final byte[] buffer = new byte[1 << 14];

  /** Connects. */
  MeasuredHttpClient(URI address) throws IOException {
    this.socket = new Socket(address.getHost(), address.getPort());
    socket.setTcpNoDelay(true);
  }

  @Override
  public boolean call(String name) throws IOException {
    String request = "GET /cost/" + name + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    int status = readResponse();
    if (status != OK && status != TOO_MANY_REQUESTS) {
      throw new IOException(name + " answers " + status);
    }
    return status == OK;
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

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
