package io.weir.internal.server.grpc;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that writes HTTP/2 frames as no library does. Confine to one thread. */
final class Http2Flood implements AutoCloseable {
  static final int DATA = 0;
  static final int HEADERS = 1;
  static final int RST_STREAM = 3;
  static final int SETTINGS = 4;
  static final int PING = 6;
  static final int GOAWAY = 7;
  static final int END_STREAM = 1;
  static final int END_HEADERS = 4;
  static final int ENHANCE_YOUR_CALM = 11;
  static final int INITIAL_WINDOW_SIZE = 4;

  private final Socket socket;
  private final DataOutputStream out;
  private final DataInputStream in;

  Http2Flood(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(120_000);
    out = new DataOutputStream(socket.getOutputStream());
    in = new DataInputStream(socket.getInputStream());
  }

  void preface() throws IOException {
    raw("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    frame(SETTINGS, 0, 0, new byte[0]);
  }

  void raw(byte[] bytes) throws IOException {
    out.write(bytes);
    out.flush();
  }

  void frame(int type, int flags, int stream, byte[] payload) throws IOException {
    ByteArrayOutputStream frame = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(frame);
    data.writeByte(payload.length >> 16);
    data.writeShort(payload.length);
    data.writeByte(type);
    data.writeByte(flags);
    data.writeInt(stream);
    data.write(payload);
    raw(frame.toByteArray());
  }

  /** The fields of a call, without compression; pairs of name and value follow those of gRPC. */
  static byte[] call(String path, String... more) {
    ByteArrayOutputStream block = new ByteArrayOutputStream();
    field(block, ":method", "POST");
    field(block, ":scheme", "http");
    field(block, ":path", path);
    field(block, ":authority", "localhost");
    field(block, "te", "trailers");
    for (int i = 0; i < more.length; i += 2) {
      field(block, more[i], more[i + 1]);
    }
    return block.toByteArray();
  }

  private static void field(ByteArrayOutputStream block, String name, String value) {
    block.write(0); // a literal that isn't indexed
    for (String text : new String[] {name, value}) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      block.write(bytes.length);
      block.writeBytes(bytes);
    }
  }

  /** Reads until the server says good-bye; answers with the error that it says, -1 without one. */
  long awaitGoAway() throws IOException {
    try {
      while (true) {
        int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        in.skipNBytes(5);
        byte[] payload = in.readNBytes(length);
        if (type == GOAWAY) {
          return new DataInputStream(new java.io.ByteArrayInputStream(payload, 4, 4)).readInt();
        }
      }
    } catch (IOException ended) {
      return -1;
    }
  }

  /** Reads the server's settings, its first frame; -1 if it doesn't have this one. */
  long awaitSetting(int id) throws IOException {
    int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
    in.skipNBytes(6);
    long found = -1;
    for (int at = 0; at < length; at += 6) {
      int name = in.readUnsignedShort();
      int value = in.readInt();
      found = name == id ? value : found;
    }
    return found;
  }

  /** Reads until the server has ended any stream; false if it has ended the connection. */
  boolean awaitEndOfAny() throws IOException {
    return awaitEndOf(0);
  }

  /** Reads until the server has ended a stream; false if it has ended the connection. */
  boolean awaitEndOf(int stream) throws IOException {
    while (true) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      int flags = in.readUnsignedByte();
      int of = in.readInt();
      in.skipNBytes(length);
      if (type == GOAWAY) {
        return false;
      }
      boolean isMeant = of == stream || stream == 0;
      if (isMeant && (type == RST_STREAM || type == HEADERS && (flags & END_STREAM) != 0)) {
        return true;
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
