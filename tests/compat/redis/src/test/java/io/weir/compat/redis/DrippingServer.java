package io.weir.compat.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Begins to answer and goes on byte by byte, each sooner than a read times out; it would take a
 * quarter of an hour.
 */
final class DrippingServer implements AutoCloseable {
  private static final int EACH_MILLIS = 50;

  /** Of a TLS handshake. */
  static final byte[] HANDSHAKE = {0x16, 3, 3, 0x3F, (byte) 0xFF};

  /** Of a reply of Redis. */
  static final byte[] REPLY = "$16383\r\n".getBytes(US_ASCII);

  private final byte[] head;
  private final ServerSocket server;
  private final ExecutorService acceptor = Executors.newSingleThreadExecutor();
  private final ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger accepted = new AtomicInteger();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  DrippingServer(byte[] head) throws IOException {
    this.head = head;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    acceptor.execute(this::accept);
    drip.scheduleAtFixedRate(this::drip, EACH_MILLIS, EACH_MILLIS, TimeUnit.MILLISECONDS);
  }

  int port() {
    return server.getLocalPort();
  }

  /** The number of connections that there were. */
  int accepted() {
    return accepted.get();
  }

  /** The number of connections that the other side hasn't ended. */
  int open() {
    return open.size();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        client.getOutputStream().write(head);
        open.add(client);
        accepted.incrementAndGet();
      } catch (IOException closed) {
        // The loop ends if it is the server.
      }
    }
  }

  private void drip() {
    open.removeIf(each -> !drip(each));
  }

  private static boolean drip(Socket client) {
    try {
      client.getOutputStream().write(2);
      return true;
    } catch (IOException ended) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    acceptor.shutdown();
    drip.shutdownNow();
    for (Socket each : open) {
      each.close();
    }
  }
}
