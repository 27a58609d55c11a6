package io.weir.compat.cluster;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many clients that ask several servers in turn, all at the same moment. They have connected
 * before, but there was no request yet. Without any client library, which would be as cold as the
 * servers.
 */
final class HttpBurst {
  private static final int PATIENCE_MILLIS = 180_000;

  private HttpBurst() {}

  /** Sends so many requests in all, and returns how often each status came back. */
  static Map<Integer, Integer> send(List<Integer> ports, String path, int clients, int requests)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(clients);
    try {
      CyclicBarrier barrier = new CyclicBarrier(clients);
      List<Future<List<Integer>>> all = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        all.add(threads.submit(client(ports, path, i, requests / clients, barrier)));
      }
      Map<Integer, Integer> counts = new TreeMap<>();
      for (Future<List<Integer>> each : all) {
        each.get().forEach(status -> counts.merge(status, 1, Integer::sum));
      }
      return counts;
    } finally {
      threads.shutdownNow();
    }
  }

  private static Callable<List<Integer>> client(
      List<Integer> ports, String path, int number, int requests, CyclicBarrier barrier) {
    return () -> {
      List<Integer> statuses = new ArrayList<>();
      List<Connection> servers = new ArrayList<>();
      try {
        for (int port : ports) {
          servers.add(new Connection(port));
        }
        barrier.await();
        for (int i = 0; i < requests; i++) {
          statuses.add(servers.get((number + i) % servers.size()).get(path));
        }
      } finally {
        for (Connection each : servers) {
          each.close();
        }
      }
      return statuses;
    };
  }

  /** A connection that is kept alive. Confine to one thread. */
  private static final class Connection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    Connection(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(PATIENCE_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    }

    int get(String path) throws IOException {
      String request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      int status = Integer.parseInt(line().split(" ", -1)[1]);
      int length = 0;
      boolean chunked = false;
      for (String line = line(); !line.isEmpty(); line = line()) {
        String field = line.toLowerCase(Locale.ROOT);
        if (field.startsWith("content-length:")) {
          length = Integer.parseInt(field.substring(field.indexOf(':') + 1).strip());
        }
        chunked |= field.startsWith("transfer-encoding:") && field.contains("chunked");
      }
      in.readNBytes(length);
      while (chunked) {
        int size = Integer.parseInt(line().strip(), 16);
        in.readNBytes(size + 2); // with the end of its line
        chunked = size > 0;
      }
      return status;
    }

    private String line() throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new EOFException("the server hung up");
        }
        if (next != '\r') {
          line.append((char) next);
        }
      }
      return line.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
