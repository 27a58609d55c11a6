package io.weir.benchmarks.service;

import io.weir.benchmarks.Latencies;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** Many connections, one thread. */
final class WireLoad implements RequestLoad {
  private static final int BUFFER = 1 << 16;
  private static final long STUCK_NANOS = 30_000_000_000L;

  private final Selector selector;
  private final List<Connection> connections = new ArrayList<>();
  private final int depth;

  /**
   * Opens all connections.
   *
   * @param depth how many requests a connection sends at a time
   */
  WireLoad(InetSocketAddress address, Supplier<Wire> wires, int connections, int depth)
      throws IOException {
    this.depth = depth;
    this.selector = Selector.open();
    for (int i = 0; i < connections; i++) {
      this.connections.add(new Connection(address, wires.get()));
    }
  }

  /** One of them. */
  private final class Connection {
    private final SocketChannel channel;
    private final Wire wire;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER);
    private int waiting;
    private long since;

    Connection(InetSocketAddress address, Wire wire) throws IOException {
      this.wire = wire;
      this.channel = SocketChannel.open(address);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      byte[] greeting = wire.greeting();
      if (greeting.length > 0) {
        channel.write(ByteBuffer.wrap(greeting));
        int replies = 0;
        while (replies == 0) {
          replies = read();
        }
      }
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** Sends up to as many requests as go together. */
    int send(CallerSequence callers, long due) throws IOException {
      out.clear();
      int sent = 0;
      while (sent < depth) {
        int caller = callers.next();
        if (caller < 0) {
          break;
        }
        wire.write(out, caller);
        sent++;
      }
      out.flip();
      while (out.hasRemaining()) {
        channel.write(out);
      }
      waiting = sent;
      since = due;
      return sent;
    }

    int read() throws IOException {
      if (channel.read(in) < 0) {
        throw new EOFException("the server has closed a connection");
      }
      in.flip();
      int replies = wire.take(in);
      in.compact();
      return replies;
    }
  }

  @Override
  public Latencies closed(CallerSequence callers, long nanos) throws IOException {
    Latencies latencies = new Latencies();
    long end = System.nanoTime() + nanos;
    int[] waiting = {0};
    for (Connection each : connections) {
      waiting[0] += each.send(callers, System.nanoTime());
    }
    while (waiting[0] > 0) {
      select(0);
      for (SelectionKey key : selector.selectedKeys()) {
        Connection each = (Connection) key.attachment();
        waiting[0] -= answered(each, latencies);
        long now = System.nanoTime();
        if (each.waiting == 0 && now < end) {
          waiting[0] += each.send(callers, now);
        }
      }
      selector.selectedKeys().clear();
    }
    return latencies;
  }

  private static int answered(Connection connection, Latencies latencies) throws IOException {
    int replies = connection.read();
    long took = System.nanoTime() - connection.since;
    for (int i = 0; i < replies; i++) {
      latencies.add(took);
    }
    connection.waiting -= replies;
    return replies;
  }

  private void select(long millis) throws IOException {
    if (millis > 0) {
      selector.select(millis);
    } else if (selector.select(STUCK_NANOS / 1_000_000) == 0) {
      throw new IOException("no reply for half a minute");
    }
  }

  @Override
  public Latencies open(CallerSequence callers, long nanos, double perSecond) throws IOException {
    Latencies latencies = new Latencies();
    Deque<Connection> idle = new ArrayDeque<>(connections);
    long begin = System.nanoTime();
    long all = Math.max(1, (long) (nanos / 1e9 * perSecond));
    long sent = 0;
    long answered = 0;
    while (answered < all) {
      long now = System.nanoTime();
      if (now - begin > nanos + STUCK_NANOS) {
        throw new IOException("the server can't keep up");
      }
      while (sent < all && !idle.isEmpty()) {
        long due = begin + (long) (sent * 1e9 / perSecond);
        if (due > now) {
          break;
        }
        sent += idle.poll().send(callers, due);
      }
      select(1);
      for (SelectionKey key : selector.selectedKeys()) {
        Connection each = (Connection) key.attachment();
        answered += answered(each, latencies);
        if (each.waiting == 0) {
          idle.add(each);
        }
      }
      selector.selectedKeys().clear();
    }
    return latencies;
  }

  @Override
  public long full() {
    return connections.stream().mapToLong(each -> each.wire.full()).sum();
  }

  @Override
  public void close() {
    try {
      for (Connection each : connections) {
        each.channel.close();
      }
      selector.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
