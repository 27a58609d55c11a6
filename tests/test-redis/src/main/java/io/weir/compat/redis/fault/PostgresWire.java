package io.weir.compat.redis.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weir.compat.redis.fault.Frame.Kind;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * PostgreSQL's, version 3 without TLS: faults strike statements, together with what prepares and
 * binds them up to the message that has them executed. Whatever a driver says while it connects
 * passes untouched.
 */
final class PostgresWire implements Wire {
  private static final int HEAD = 200;
  private static final int SYNC_LENGTH = 5;
  private static final Set<Integer> REQUESTS_OF_TLS = Set.of(80877103, 80877104);
  private static final int CANCEL = 80877102;

  private final DataInputStream commands;
  private final DataInputStream replies;
  private boolean started;
  private volatile boolean asksForTls;

  PostgresWire(InputStream commands, InputStream replies) {
    this.commands = new DataInputStream(new BufferedInputStream(commands));
    this.replies = new DataInputStream(new BufferedInputStream(replies));
  }

  @Override
  public Frame command() throws IOException {
    if (!started) {
      return start();
    }
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    for (; ; ) {
      int type = commands.readUnsignedByte();
      frame.write(type);
      frame.writeBytes(rest(commands));
      switch (type) {
        case 'Q', 'S', 'F' -> {
          byte[] all = frame.toByteArray();
          return new Frame(all, connects(all) ? Kind.OTHER : Kind.CALL);
        }
        case 'H', 'p', 'X', 'c', 'd', 'f' -> {
          return new Frame(frame.toByteArray(), Kind.ASIDE);
        }
        default -> {} // the parts of a statement
      }
    }
  }

  private Frame start() throws IOException {
    byte[] message = rest(commands);
    int code = ByteBuffer.wrap(message).getInt(Integer.BYTES);
    asksForTls = REQUESTS_OF_TLS.contains(code);
    started = !asksForTls && code != CANCEL;
    return new Frame(message, started ? Kind.OTHER : Kind.ASIDE);
  }

  /** Returns whether the driver says it by itself when it connects. */
  private static boolean connects(byte[] command) {
    String head =
        new String(command, 0, Math.min(HEAD, command.length), ISO_8859_1).toUpperCase(Locale.ROOT);
    return Stream.of("SET EXTRA_FLOAT_DIGITS", "SET APPLICATION_NAME", "SHOW TRANSACTION_READ_ONLY")
        .anyMatch(head::contains);
  }

  @Override
  public Frame reply() throws IOException {
    int type = replies.readUnsignedByte();
    if (asksForTls) { // the answer is a single byte
      asksForTls = false;
      return new Frame(new byte[] {(byte) type}, Kind.ASIDE);
    }
    byte[] rest = rest(replies);
    byte[] message = ByteBuffer.allocate(1 + rest.length).put((byte) type).put(rest).array();
    return new Frame(message, type == 'Z' ? Kind.OTHER : Kind.ASIDE);
  }

  /** Returns the length of a message and what it counts. */
  private static byte[] rest(DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] message = new byte[length];
    ByteBuffer.wrap(message).putInt(length);
    in.readFully(message, Integer.BYTES, length - Integer.BYTES);
    return message;
  }

  /** Returns the type of the last message, without which nothing is committed. */
  @Override
  public int softSpot(byte[] command) {
    return command[0] == 'Q' ? 0 : Math.max(0, command.length - SYNC_LENGTH);
  }
}
