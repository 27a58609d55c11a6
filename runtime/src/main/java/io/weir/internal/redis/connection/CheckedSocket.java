package io.weir.internal.redis.connection;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;

/**
 * The socket that Jedis is given instead of the real one: replies are checked by a {@link
 * ReplyReader} before Jedis reads them; everything else goes straight through.
 *
 * <p>Confine to one thread.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // the socket within has locks of its own
final class CheckedSocket extends Socket {
  private final Socket socket;
  private final ReplyReader replies;

  /** Around a socket that is connected. */
  CheckedSocket(Socket socket) throws IOException {
    this.socket = socket;
    this.replies = new ReplyReader(socket.getInputStream());
  }

  ReplyReader replies() {
    return replies;
  }

  @Override
  public InputStream getInputStream() {
    return replies;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public void setSoTimeout(int millis) throws SocketException {
    socket.setSoTimeout(millis);
  }

  @Override
  public int getSoTimeout() throws SocketException {
    return socket.getSoTimeout();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return socket.getRemoteSocketAddress();
  }

  @Override
  public SocketAddress getLocalSocketAddress() {
    return socket.getLocalSocketAddress();
  }

  @Override
  public boolean isBound() {
    return socket.isBound();
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public boolean isInputShutdown() {
    return socket.isInputShutdown();
  }

  @Override
  public boolean isOutputShutdown() {
    return socket.isOutputShutdown();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
