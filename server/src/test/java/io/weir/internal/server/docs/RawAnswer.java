package io.weir.internal.server.docs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * The response to a request whose path isn't normalized by a client.
 *
 * @param status the status
 * @param head the lines of the header
 * @param body as it was sent, perhaps in chunks
 */
record RawAnswer(int status, List<String> head, String body) {
  private static final int PATIENCE_MILLIS = 120_000;

  /**
   * Sends a request.
   *
   * @param fields names and values of header fields, by turns
   */
  static RawAnswer get(int port, String path, String... fields) {
    return send(port, "GET", path, fields);
  }

  /** Does the same by another method. */
  static RawAnswer send(int port, String method, String path, String... fields) {
    StringBuilder request =
        new StringBuilder(method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n");
    for (int i = 0; i < fields.length; i += 2) {
      request.append(fields[i]).append(": ").append(fields[i + 1]).append("\r\n");
    }
    request.append("Connection: close\r\n\r\n");
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.getOutputStream().write(request.toString().getBytes(ISO_8859_1));
      return parse(new String(socket.getInputStream().readAllBytes(), ISO_8859_1));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static RawAnswer parse(String answer) throws IOException {
    int end = answer.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new IOException("no answer: '" + answer + "'");
    }
    List<String> head = List.of(answer.substring(0, end).split("\r\n"));
    return new RawAnswer(
        Integer.parseInt(head.get(0).split(" ")[1]), head, answer.substring(end + 4));
  }

  /** The values of a header field. */
  List<String> values(String name) {
    List<String> values = new ArrayList<>();
    for (String line : head) {
      if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
        values.add(line.substring(name.length() + 1).strip());
      }
    }
    return values;
  }

  /** Whether a handler of the application answered. */
  boolean isFrom(String handler) {
    return body.contains("\"handler\":\"" + handler + "\"");
  }
}
