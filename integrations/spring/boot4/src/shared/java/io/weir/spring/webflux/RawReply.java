package io.weir.spring.webflux;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A response as it came, to a request as it was written.
 *
 * @param status the HTTP status; 0 if the connection was closed
 * @param lines the header fields
 * @param body the body, if its length was announced
 */
record RawReply(int status, List<String> lines, String body) {
  /** Sends a request on a connection of its own. */
  static RawReply of(int port, String address, String start, String... fields) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      String request =
          start
              + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-For: "
              + address
              + "\r\n"
              + String.join("", List.of(fields).stream().map(each -> each + "\r\n").toList())
              + "\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return parsed(read(socket.getInputStream()));
    }
  }

  private static String read(InputStream in) throws IOException {
    return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private static RawReply parsed(String text) {
    if (text.isEmpty()) {
      return new RawReply(0, List.of(), "");
    }
    int end = text.indexOf("\r\n\r\n");
    List<String> lines = List.of(text.substring(0, end).split("\r\n"));
    return new RawReply(
        Integer.parseInt(lines.get(0).split(" ")[1]), lines, text.substring(end + 4));
  }

  List<String> all(String field) {
    String prefix = field.toLowerCase(Locale.ROOT) + ": ";
    return lines.stream()
        .filter(each -> each.toLowerCase(Locale.ROOT).startsWith(prefix))
        .map(each -> each.substring(prefix.length()))
        .toList();
  }
}
