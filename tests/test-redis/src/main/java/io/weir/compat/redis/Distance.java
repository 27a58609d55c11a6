package io.weir.compat.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A port that passes everything on to a server, each byte half a round trip later. What is sent
 * while something is on its way isn't held up by it.
 *
 * <p>Safe for concurrent use.
 */
public final class Distance implements AutoCloseable {
  private static final int BUFFER = 1 << 16;

  private final ServerSocket listener;
  private final int server;
  private final long nanosOneWay;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /** Some bytes, and when they arrive. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Chunk(byte[] bytes, long due) {}

  /**
   * Listens on a free port.
   *
   * @param server the port of 127.0.0.1 that everything goes on to
   * @param roundTrip how long a byte takes there and back
   */
  public Distance(int server, Duration roundTrip) {
    this.server = server;
    this.nanosOneWay = roundTrip.toNanos() / 2;
    try {
      listener = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  /** Returns the port that it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "distance");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        connect(listener.accept());
      } catch (IOException e) {
        // closed, or the server is away and its caller hears of it
      }
    }
  }

  private void connect(Socket near) throws IOException {
    try {
      Socket far = new Socket(InetAddress.getLoopbackAddress(), server);
      pass(near, far);
      pass(far, near);
    } catch (IOException e) {
      near.close();
      throw e;
    }
  }

  private void pass(Socket from, Socket to) throws IOException {
    open.add(from);
    to.setTcpNoDelay(true);
    BlockingQueue<Chunk> onTheirWay = new LinkedBlockingQueue<>();
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    start(() -> read(in, onTheirWay));
    start(() -> write(onTheirWay, out, from, to));
  }

  private void read(InputStream in, BlockingQueue<Chunk> onTheirWay) {
    byte[] buffer = new byte[BUFFER];
    try {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        onTheirWay.add(new Chunk(Arrays.copyOf(buffer, read), System.nanoTime() + nanosOneWay));
      }
    } catch (IOException closed) {
      // as if it had ended
    }
    onTheirWay.add(new Chunk(new byte[0], System.nanoTime()));
  }

  private void write(BlockingQueue<Chunk> onTheirWay, OutputStream out, Socket from, Socket to) {
    try {
      for (Chunk next = onTheirWay.take(); next.bytes.length > 0; next = onTheirWay.take()) {
        for (long left = left(next); left > 0; left = left(next)) {
          LockSupport.parkNanos(left);
        }
        out.write(next.bytes);
      }
    } catch (IOException | InterruptedException ended) {
      // closes both
    }
    close(from);
    close(to);
  }

  private static long left(Chunk chunk) {
    return chunk.due - System.nanoTime();
  }

  private void close(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the address for {@code weir.store} if the server is a Redis. */
  public String url() {
    return "redis://127.0.0.1:" + port();
  }

  /** Breaks all connections. */
  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Set.copyOf(open).forEach(this::close);
  }
}
