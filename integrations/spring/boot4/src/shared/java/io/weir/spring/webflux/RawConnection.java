package io.weir.spring.webflux;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends requests on one connection, also before the previous one has been answered. */
record RawConnection(Socket socket) implements AutoCloseable {
  private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: (\\d+)\r\n");

  RawConnection {
    try {
      socket.setSoTimeout(60_000);
      socket.setTcpNoDelay(true);
    } catch (IOException closed) {
      throw new IllegalStateException(closed);
    }
  }

  void send(String... paths) throws IOException {
    StringBuilder requests = new StringBuilder();
    for (String path : paths) {
      requests.append("GET ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
    socket.getOutputStream().write(requests.toString().getBytes(StandardCharsets.US_ASCII));
  }

  /** Reads one response to its end. */
  int status() throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException(head.toString());
      }
      head.append((char) next);
    }
    Matcher length = LENGTH.matcher(head.toString().toLowerCase(Locale.ROOT));
    if (length.find()) {
      in.readNBytes(Integer.parseInt(length.group(1)));
    }
    return Integer.parseInt(head.substring(9, 12));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
