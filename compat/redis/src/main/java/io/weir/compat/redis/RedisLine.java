package io.weir.compat.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** One command over one connection, by no client library: what a test asks a server beside Weir. */
final class RedisLine {
  private static final int MILLIS = 5_000;

  private final int port;

  RedisLine(int port) {
    this.port = port;
  }

  String ask(String... words) {
    try {
      return exchange(MILLIS, words);
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", words), e);
    }
  }

  /** Whether anything at all comes back within a moment, also an error. */
  boolean answers() {
    try {
      return !exchange(MILLIS / 10, "PING").startsWith("-LOADING");
    } catch (IOException e) {
      return false;
    }
  }

  private String exchange(int millis, String... words) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
      socket.setSoTimeout(millis);
      socket.getOutputStream().write(encoded(words));
      return read(new BufferedInputStream(socket.getInputStream()));
    }
  }

  private static byte[] encoded(String... words) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(("*" + words.length + "\r\n").getBytes(UTF_8));
    for (String word : words) {
      byte[] text = word.getBytes(UTF_8);
      bytes.writeBytes(("$" + text.length + "\r\n").getBytes(UTF_8));
      bytes.writeBytes(text);
      bytes.writeBytes(new byte[] {'\r', '\n'});
    }
    return bytes.toByteArray();
  }

  private static String read(InputStream in) throws IOException {
    String line = line(in);
    String rest = line.substring(1);
    return switch (line.charAt(0)) {
      case '$' -> bulk(in, Integer.parseInt(rest));
      case '*' -> list(in, Integer.parseInt(rest));
      case '-' -> line;
      default -> rest;
    };
  }

  private static String bulk(InputStream in, int length) throws IOException {
    if (length < 0) {
      return "";
    }
    byte[] bytes = in.readNBytes(length);
    line(in);
    return new String(bytes, UTF_8);
  }

  private static String list(InputStream in, int length) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < length; i++) {
      lines.append(i == 0 ? "" : "\n").append(read(in));
    }
    return lines.toString();
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the server hung up");
      }
      if (b != '\r') {
        bytes.write(b);
      }
    }
    return bytes.toString(UTF_8);
  }
}
