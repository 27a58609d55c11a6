package io.weir.compat.jaxrs.server;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Sends requests byte by byte, since client libraries reject malformed ones. */
public final class RawClient {
  /** A whole refusal of a malformed request: a header that announces no body. */
  private static final Pattern EMPTY_400 =
      Pattern.compile("(?i)HTTP/1\\.1 400 .*\r\n(.+\r\n)*content-length: *0\r\n(.+\r\n)*\r\n");

  private RawClient() {}

  /**
   * Sends a request over a connection of its own.
   *
   * @param base the address of the server
   * @param head the request line and header fields besides Host and Connection
   * @return the answer; empty if the server only closes the connection
   */
  public static Optional<Answer> send(URI base, String... head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), base.getPort())) {
      socket.setSoTimeout(20_000);
      String fields = "Host: localhost:" + base.getPort() + "\r\nConnection: close\r\n\r\n";
      String request = String.join("\r\n", head) + "\r\n" + fields;
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return Answer.of(read(new BufferedInputStream(socket.getInputStream())));
    }
  }

  /**
   * Reads until the server closes the connection, or has refused a malformed request with an empty
   * 400: RESTEasy on Netty leaves the connection open after one for a malformed path.
   */
  private static String read(InputStream in) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int next = in.read(); next >= 0; next = in.read()) {
      text.append((char) next);
      if (next == '\n' && EMPTY_400.matcher(text).matches()) {
        break;
      }
    }
    return text.toString();
  }

  /**
   * A response.
   *
   * @param status the status
   * @param fields the lines of the header
   * @param body all after the empty line, as it was sent
   */
  public record Answer(int status, List<String> fields, String body) {
    static Optional<Answer> of(String text) {
      if (text.isEmpty()) {
        return Optional.empty();
      }
      String[] parts = text.split("\r\n\r\n", 2);
      List<String> lines = List.of(parts[0].split("\r\n"));
      int status = Integer.parseInt(lines.get(0).split(" ", 3)[1]);
      return Optional.of(
          new Answer(status, lines.subList(1, lines.size()), parts.length > 1 ? parts[1] : ""));
    }

    /** Returns the values of a field, one for each line. */
    public List<String> values(String name) {
      String start = name.toLowerCase(Locale.ROOT) + ":";
      return fields.stream()
          .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
          .map(line -> line.substring(start.length()).strip())
          .toList();
    }
  }
}
