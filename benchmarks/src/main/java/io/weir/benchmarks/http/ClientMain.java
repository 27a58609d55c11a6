package io.weir.benchmarks.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/**
 * The process of the client: one thread, some connections that stay open, each with its next
 * requests when the ones before are answered. It reads a line for each round (path, byte that ends
 * an answer, requests in one go, requests in all) and answers with the nanoseconds that the round
 * and the slowest request but one of a hundred took. Answers are only counted: each has one byte
 * that it has nowhere else, at its end.
 */
final class ClientMain {
  static final int CONNECTIONS = 8;
  private static final int TIMEOUT_MILLIS = 10_000;

  private final Selector selector = Selector.open();
  private final Connection[] connections = new Connection[CONNECTIONS];
  private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 16);

  private ClientMain(int port) throws IOException {
    InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < CONNECTIONS; i++) {
      SocketChannel channel = SocketChannel.open(server);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      connections[i] = new Connection(channel);
      channel.register(selector, SelectionKey.OP_READ, connections[i]);
    }
  }

  private static final class Connection {
    private final SocketChannel channel;
    private long since;
    private int missing;

    Connection(SocketChannel channel) {
      this.channel = channel;
    }

    void send(ByteBuffer requests, int count) throws IOException {
      since = System.nanoTime();
      missing = count;
      requests.rewind();
      while (requests.hasRemaining()) {
        channel.write(requests);
      }
    }
  }

  /**
   * Runs rounds until its input ends.
   *
   * @param args the server's port
   */
  public static void main(String[] args) throws IOException {
    ClientMain client = new ClientMain(Integer.parseInt(args[0]));
    BufferedReader rounds = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
    String line = rounds.readLine();
    while (line != null) {
      String[] words = line.split(" ");
      int inOneGo = Integer.parseInt(words[2]);
      System.out.println(
          client.round(words[0], Byte.parseByte(words[1]), inOneGo, Integer.parseInt(words[3])));
      line = rounds.readLine();
    }
  }

  private String round(String path, byte end, int inOneGo, int requests) throws IOException {
    String one = "GET " + path + " HTTP/1.1\r\nHost: " + Server.HOST + "\r\n\r\n";
    ByteBuffer out = ByteBuffer.allocateDirect(one.length() * inOneGo);
    out.put(one.repeat(inOneGo).getBytes(US_ASCII));
    long[] latencies = new long[Math.max(CONNECTIONS, requests / inOneGo)];
    long from = System.nanoTime();
    for (Connection each : connections) {
      each.send(out, inOneGo);
    }
    int sent = CONNECTIONS;
    int answered = 0;
    while (answered < sent) {
      if (selector.select(TIMEOUT_MILLIS) == 0) {
        throw new IOException("no answer, or one that ends with another byte");
      }
      for (SelectionKey key : selector.selectedKeys()) {
        Connection connection = (Connection) key.attachment();
        connection.missing -= read(connection.channel, end);
        if (connection.missing < 0) {
          throw new IOException("more answers than requests");
        }
        if (connection.missing == 0) {
          latencies[answered++] = System.nanoTime() - connection.since;
          if (sent < latencies.length) {
            sent++;
            connection.send(out, inOneGo);
          }
        }
      }
      selector.selectedKeys().clear();
    }
    long took = System.nanoTime() - from;
    Arrays.sort(latencies);
    return took + " " + latencies[latencies.length * 99 / 100] + " " + answered * inOneGo;
  }

  private int read(SocketChannel channel, byte end) throws IOException {
    in.clear();
    if (channel.read(in) < 0) {
      throw new EOFException("the server has closed the connection");
    }
    int found = 0;
    for (int i = 0; i < in.position(); i++) {
      if (in.get(i) == end) {
        found++;
      }
    }
    return found;
  }
}
