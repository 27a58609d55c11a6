package io.weir.test.pages;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Passes connections on to a server and counts them, or accepts them and never answers.
 *
 * <p>Safe for concurrent use.
 */
final class Relay implements AutoCloseable {
  private final ServerSocket listening;
  private final int server;
  private final List<Socket> clients = new CopyOnWriteArrayList<>();
  private final List<Socket> servers = new CopyOnWriteArrayList<>();

  private Relay(int server) {
    try {
      this.listening = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    this.server = server;
    daemon(this::accept);
  }

  /** Passes on to a port of this machine. */
  static Relay to(int server) {
    return new Relay(server);
  }

  /** Accepts connections and answers nothing. */
  static Relay silent() {
    return new Relay(0);
  }

  int port() {
    return listening.getLocalPort();
  }

  int connections() {
    return clients.size();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        clients.add(client);
        if (server > 0) {
          Socket further = new Socket(InetAddress.getLoopbackAddress(), server);
          servers.add(further);
          daemon(() -> pass(client, further));
          daemon(() -> pass(further, client));
        }
      }
    } catch (IOException closed) {
      close();
    }
  }

  private static void pass(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
    } catch (IOException closed) {
      // One side has ended; the other one ends with it.
    }
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    closeQuietly(listening);
    clients.forEach(Relay::closeQuietly);
    servers.forEach(Relay::closeQuietly);
  }

  private static void closeQuietly(AutoCloseable open) {
    try {
      open.close();
    } catch (Exception closed) {
      // It has ended already.
    }
  }
}
