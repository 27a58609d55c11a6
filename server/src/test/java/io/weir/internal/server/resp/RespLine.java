package io.weir.internal.server.resp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A plain connection to a server that sends raw bytes and reads reply by reply. */
final class RespLine implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 120_000;

  final Socket socket;
  private final InputStream in;

  RespLine(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] command(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("*" + words.length + "\r\n").getBytes(StandardCharsets.UTF_8));
    for (String each : words) {
      byte[] bytes = each.getBytes(StandardCharsets.UTF_8);
      out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
      out.writeBytes(bytes);
      out.writeBytes(new byte[] {'\r', '\n'});
    }
    return out.toByteArray();
  }

  void send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void send(String text) {
    send(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The reply as text: {@code -ERR …}, {@code 3}, {@code [1, 2]}, {@code (nil)}, or a text. */
  String ask(String... words) {
    send(command(words));
    return read();
  }

  String read() {
    try {
      return reply();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends nothing more, and still reads. */
  void endOutput() {
    try {
      socket.shutdownOutput();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the server has closed the connection, and sent nothing before. */
  boolean isClosed() {
    try {
      return in.read() < 0;
    } catch (IOException reset) {
      return !(reset instanceof java.net.SocketTimeoutException);
    }
  }

  private String reply() throws IOException {
    int kind = in.read();
    if (kind < 0) {
      return "closed";
    }
    String line = line();
    switch (kind) {
      case '+', ':' -> {
        return line;
      }
      case '-' -> {
        return "-" + line;
      }
      case '_' -> {
        return "(nil)";
      }
      case '$' -> {
        int length = Integer.parseInt(line);
        if (length < 0) {
          return "(nil)";
        }
        byte[] bytes = in.readNBytes(length);
        in.readNBytes(2);
        return new String(bytes, StandardCharsets.UTF_8);
      }
      case '*', '%' -> {
        int count = Integer.parseInt(line) * (kind == '%' ? 2 : 1);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          parts.add(reply());
        }
        return (kind == '%' ? "%" : "") + parts;
      }
      default -> throw new IOException("no reply begins with " + kind);
    }
  }

  private String line() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new IOException("the connection ended in the middle of a line");
      }
      text.append((char) next);
    }
    if (text.length() == 0 || text.charAt(text.length() - 1) != '\r') {
      throw new IOException("a line without its end: " + text);
    }
    return text.substring(0, text.length() - 1);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
