package io.weir.bodies;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A body that is longer than policies read, so that its request is refused before the body was read
 * to its end. A server may then close the connection, but must say so: a client or a load balancer
 * would lose the next request that it sends there.
 */
public enum UnreadBody {
  /** Announced by its length, and sent at once. */
  WHOLE(false, true),

  /** In chunks, and sent at once. */
  CHUNKS(true, true),

  /** Announced by its length; the rest is sent once the response has come, or doesn't. */
  HALF(false, false),

  /** In chunks; the rest is sent once the response has come, or doesn't. */
  HALF_OF_CHUNKS(true, false);

  private static final int HALF_LENGTH = 70_000;
  private static final int PATIENCE_MILLIS = 120_000;

  /** The time after which a server is taken for one that wants the whole body first. */
  private static final int PAUSE_MILLIS = 1_000;

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.1 (\\d{3}) ");
  private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length: *(\\d+) *\r\n");
  private static final Pattern CHUNKED = Pattern.compile("\r\ntransfer-encoding: *chunked *\r\n");
  private static final Pattern CLOSE = Pattern.compile("\r\nconnection: *close *\r\n");

  private final boolean inChunks;
  private final boolean atOnce;

  UnreadBody(boolean inChunks, boolean atOnce) {
    this.inChunks = inChunks;
    this.atOnce = atOnce;
  }

  /**
   * Posts such a body, and then sends another request on the same connection, unless the response
   * says that this is closed.
   *
   * @param port of this machine
   * @param path of the request
   * @param fields header fields beside those that describe the length of the body
   * @return the status of the first response
   * @throws AssertionError if the connection doesn't serve the second request, although the first
   *     response hasn't said so
   * @throws IOException if there is no first response
   */
  public int post(int port, String path, String... fields) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      write(socket, head(path, fields) + half() + (atOnce ? rest() : ""));
      boolean isSent = atOnce;
      if (!isSent && !hasResponse(socket, in)) {
        write(socket, rest());
        isSent = true;
      }
      socket.setSoTimeout(PATIENCE_MILLIS);
      Response refused = Response.read(in);
      if (!refused.closes()) {
        assertServes(socket, in, path, isSent ? "" : rest(), refused);
      }
      return refused.status();
    }
  }

  private static boolean hasResponse(Socket socket, InputStream in) throws IOException {
    socket.setSoTimeout(PAUSE_MILLIS);
    in.mark(1);
    try {
      var unused = in.read();
      in.reset();
      return true;
    } catch (SocketTimeoutException none) {
      return false;
    }
  }

  private void assertServes(
      Socket socket, InputStream in, String path, String rest, Response refused) {
    try {
      write(socket, rest);
      write(socket, "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      var unused = Response.read(in);
    } catch (IOException closed) {
      throw new AssertionError(
          this + ": the connection was closed without a word after " + refused.head(), closed);
    }
  }

  private String head(String path, String... fields) {
    String more = fields.length == 0 ? "" : String.join("\r\n", fields) + "\r\n";
    String length = inChunks ? "Transfer-Encoding: chunked" : "Content-Length: " + 2 * HALF_LENGTH;
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\n" + more + length + "\r\n\r\n";
  }

  private String half() {
    String size = inChunks ? Integer.toHexString(2 * HALF_LENGTH) + "\r\n" : "";
    return size + "a".repeat(HALF_LENGTH);
  }

  private String rest() {
    return "a".repeat(HALF_LENGTH) + (inChunks ? "\r\n0\r\n\r\n" : "");
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** A response that was read to its end. */
  private record Response(String head) {
    static Response read(InputStream in) throws IOException {
      StringBuilder text = new StringBuilder();
      while (text.indexOf("\r\n\r\n") < 0) {
        text.append((char) next(in));
      }
      Response read = new Response(text.toString());
      read.skipBody(in);
      return read;
    }

    private static int next(InputStream in) throws IOException {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("no response, or a part of one");
      }
      return next;
    }

    private void skipBody(InputStream in) throws IOException {
      Matcher length = LENGTH.matcher(fields());
      if (length.find()) {
        in.skipNBytes(Long.parseLong(length.group(1)));
      } else if (isChunked()) {
        long size = skipChunk(in);
        while (size > 0) {
          size = skipChunk(in);
        }
      }
    }

    private static long skipChunk(InputStream in) throws IOException {
      StringBuilder line = new StringBuilder();
      while (line.indexOf("\r\n") < 0) {
        line.append((char) next(in));
      }
      long size = Long.parseLong(line.toString().strip(), 16);
      in.skipNBytes(size + "\r\n".length());
      return size;
    }

    int status() {
      Matcher status = STATUS.matcher(head);
      return status.lookingAt() ? Integer.parseInt(status.group(1)) : 0;
    }

    /** A body without a length ends with the connection, so that its end is announced. */
    boolean closes() {
      return CLOSE.matcher(fields()).find() || !LENGTH.matcher(fields()).find() && !isChunked();
    }

    private boolean isChunked() {
      return CHUNKED.matcher(fields()).find();
    }

    private String fields() {
      return head.toLowerCase(Locale.ROOT);
    }
  }
}
