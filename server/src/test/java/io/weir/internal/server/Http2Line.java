package io.weir.internal.server;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** An HTTP/2 client that sends no request and reads the frames that it gets. */
final class Http2Line implements AutoCloseable {
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final byte[] NO_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
  private static final int GO_AWAY = 7;
  private static final int PATIENCE_MILLIS = 60_000;

  private final Socket socket;

  Http2Line(String address) throws IOException {
    int colon = address.lastIndexOf(':');
    socket =
        new Socket(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.getOutputStream().write(PREFACE.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(NO_SETTINGS);
  }

  /** Whether GOAWAY comes before the connection ends. */
  boolean isToldToGoAway() throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    while (true) {
      int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
      int type = in.readUnsignedByte();
      in.skipNBytes(5L + length);
      if (type == GO_AWAY) {
        return true;
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
