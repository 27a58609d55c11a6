package io.weir.benchmarks.service;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** {@code POST /check} over a connection that stays open. */
final class HttpWire implements Wire {
  private static final String LENGTH = "content-length:";
  private static final byte[] OK = "HTTP/1.1 200".getBytes(StandardCharsets.US_ASCII);

  private final String head;

  HttpWire(String host, String token) {
    head =
        "POST /v1/ratelimit/check HTTP/1.1\r\nHost: "
            + host
            + "\r\nAuthorization: Bearer "
            + token
            + "\r\nContent-Type: application/json\r\nContent-Length: ";
  }

  @Override
  public byte[] greeting() {
    return new byte[0];
  }

  @Override
  public void write(ByteBuffer to, int caller) {
    String body =
        "{\"userId\":\""
            + ServerChild.user(caller)
            + "\",\"endpoint\":\""
            + ServerChild.ENDPOINT
            + "\"}";
    to.put((head + body.length() + "\r\n\r\n" + body).getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public int take(ByteBuffer from) {
    int replies = 0;
    for (int end = end(from); end >= 0; end = end(from)) {
      from.position(end);
      replies++;
    }
    return replies;
  }

  /** Returns the end of the next reply; negative if it is incomplete. */
  private static int end(ByteBuffer from) {
    int begin = from.position();
    int length = -1;
    for (int line = begin, at = begin; at < from.limit(); at++) {
      if (from.get(at) != '\n') {
        continue;
      }
      if (at - line == 1) {
        int end = at + 1 + length;
        if (length < 0) {
          throw new IllegalStateException("a reply that doesn't say how long it is");
        }
        return end <= from.limit() ? end : -1;
      }
      if (line == begin && !startsWith(from, line, OK)) {
        throw new IllegalStateException(StandardCharsets.US_ASCII.decode(from).toString());
      }
      length = Math.max(length, length(from, line, at));
      line = at + 1;
    }
    return -1;
  }

  private static boolean startsWith(ByteBuffer from, int at, byte[] text) {
    for (int i = 0; i < text.length; i++) {
      if (from.get(at + i) != text[i]) {
        return false;
      }
    }
    return true;
  }

  /** Reads the length from a header line; negative if it isn't there. */
  private static int length(ByteBuffer from, int line, int end) {
    int at = line;
    for (int i = 0; i < LENGTH.length(); i++, at++) {
      if (at >= end || (from.get(at) | 0x20) != (LENGTH.charAt(i) | 0x20)) {
        return -1;
      }
    }
    int length = 0;
    for (; at < end; at++) {
      if (from.get(at) >= '0' && from.get(at) <= '9') {
        length = length * 10 + from.get(at) - '0';
      }
    }
    return length;
  }
}
