package io.weir.internal.redis.connection;

import io.weir.Ticker;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;

/**
 * Wraps the socket that Jedis uses: replies are checked by a {@link BoundedReplyStream} before
 * Jedis reads them, and it measures for how long one has been owed; everything else goes straight
 * through.
 *
 * <p>Confine to one thread, but for {@link #silent}.
 */
@SuppressWarnings("UnsynchronizedOverridesSynchronized") // the socket within has locks of its own
final class BoundedReplySocket extends Socket {
  private final Socket socket;
  private final Socket raw;
  private final Ticker ticker;
  private final BoundedReplyStream replies;
  private volatile boolean sent;
  private volatile long sentAt;

  /**
   * Wraps a connected socket.
   *
   * @param raw the underlying socket, which differs from an encrypted one
   */
  BoundedReplySocket(Socket socket, Socket raw, Ticker ticker) throws IOException {
    this.socket = socket;
    this.raw = raw;
    this.ticker = ticker;
    this.replies = new BoundedReplyStream(socket.getInputStream());
  }

  /**
   * For how long the server has owed an answer, in nanoseconds: 0 if it owes none, or if something
   * has arrived that this process hasn't read yet. May be called by any thread.
   */
  long silent(long now) {
    if (!sent || replies.isReading()) {
      return 0;
    }
    long since = sentAt;
    try {
      return raw.getInputStream().available() > 0 ? 0 : Math.max(0, now - since);
    } catch (IOException closed) {
      return Math.max(0, now - since); // it was given up
    }
  }

  BoundedReplyStream replies() {
    return replies;
  }

  @Override
  public InputStream getInputStream() {
    return replies;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new Sending(socket.getOutputStream());
  }

  /** Notes when something is sent. */
  private final class Sending extends FilterOutputStream {
    Sending(OutputStream redis) {
      super(redis);
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      replies.beginsAnew();
      sentAt = ticker.nanoTime();
      sent = true;
      out.write(bytes, offset, length);
    }
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
