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
import java.util.ArrayList;
import java.util.List;

/** One command over one connection, by no client library: what a test asks a server beside Weir. */
final class RedisLine {
  private static final int MILLIS = 60_000;
  private static final int MOMENT_MILLIS = 500;
  private static final int AT_ONCE = 200;

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

  String askAs(String password, String... words) {
    try (Socket socket = connected(MILLIS)) {
      say(socket, "AUTH", password);
      return say(socket, words);
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", words), e);
    }
  }

  /** Many commands over one connection, without waiting in between. */
  List<String> askAll(List<String[]> commands) {
    List<String> replies = new ArrayList<>();
    try (Socket socket = connected(MILLIS)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (int from = 0; from < commands.size(); from += AT_ONCE) {
        List<String[]> some = commands.subList(from, Math.min(commands.size(), from + AT_ONCE));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        some.forEach(each -> bytes.writeBytes(encoded(each)));
        socket.getOutputStream().write(bytes.toByteArray());
        for (int i = 0; i < some.size(); i++) {
          replies.add(read(in));
        }
      }
      return replies;
    } catch (IOException e) {
      throw new UncheckedIOException("one of " + commands.size() + " commands", e);
    }
  }

  /** Returns whether anything at all comes back within a moment, also an error. */
  boolean answers() {
    try {
      return !exchange(MOMENT_MILLIS, "PING").startsWith("-LOADING");
    } catch (IOException e) {
      return false;
    }
  }

  private String exchange(int millis, String... words) throws IOException {
    try (Socket socket = connected(millis)) {
      return say(socket, words);
    }
  }

  private Socket connected(int millis) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
      socket.setSoTimeout(millis);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static String say(Socket socket, String... words) throws IOException {
    socket.getOutputStream().write(encoded(words));
    return read(new BufferedInputStream(socket.getInputStream()));
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
