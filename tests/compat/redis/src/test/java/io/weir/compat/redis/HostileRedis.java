package io.weir.compat.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server that talks nonsense as long as it is hostile, and is a real Redis otherwise; also the
 * only sentinel and the only node of a cluster.
 */
final class HostileRedis implements AutoCloseable {
  private static final int FLOOD = 64;

  private static final String[] SHARDS = {
    "*",
    "$",
    ":",
    "-",
    "+",
    "\r\n",
    "\r\n",
    "\r\n",
    "0",
    "1",
    "-1",
    "2147483647",
    "-2147483648",
    "9007199254740993",
    "99999999999999999999",
    "OK",
    "*1\r\n",
    "*3\r\n",
    "$3\r\nabc\r\n",
    ":7\r\n",
    "$-1\r\n",
    "*-1\r\n",
    "*0\r\n",
    "+OK\r\n",
    "%1\r\n",
    ">2\r\n",
    "_\r\n",
    "\0",
    "HTTP/1.1 400\r\n",
  };

  private static final String[] REPLIES = {
    "$2147483647\r\n",
    "$536870912\r\n",
    "*2147483647\r\n",
    "*1073741824\r\n",
    "*1\r\n".repeat(50_000),
    "$-7\r\n",
    "*-7\r\n",
    "*0\r\n",
    "$-1\r\n",
    ":1\r\n",
    ":-9223372036854775808\r\n",
    "*1\r\n$0\r\n\r\n",
    "*1\r\n:1\r\n",
    "*3\r\n$0\r\n\r\n:2147483647\r\n$3\r\nOOM\r\n",
    "*2\r\n:9007199254740993\r\n:9007199254740993\r\n",
    "*2\r\n:-1\r\n:-1\r\n",
    "*2\r\n:4294967297\r\n:0\r\n",
    "*1\r\n*3\r\n:0\r\n:99999\r\n*2\r\n$9\r\n127.0.0.1\r\n:1\r\n",
    "*1\r\n*3\r\n:-5\r\n:16383\r\n*0\r\n",
    "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$3\r\na b\r\n:70000\r\n",
    "*2\r\n$1\r\nx\r\n$3\r\n-99\r\n",
    "*2\r\n$0\r\n\r\n$5\r\n99999\r\n",
    "*0\r\n*0\r\n*0\r\n",
    "-NOSCRIPT again\r\n",
    "-MOVED 1 :\r\n",
    "-MOVED 1 0.0.0.0:99999\r\n",
    "-ASK 1 ?:1\r\n",
    "-LOADING\r\n",
    "-NOAUTH now\r\n",
    "-READONLY\r\n",
    "-CLUSTERDOWN\r\n",
    "-\r\n",
    "-ERR " + "x".repeat(70_000) + "\r\n",
  };

  private final ServerSocket server;
  private final int redis;
  private final Random random;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean hostile;

  HostileRedis(int redis, long seed) throws IOException {
    this.redis = redis;
    this.random = new Random(seed);
    this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  /** Hangs up on everybody and is the one or the other from now on. */
  void turn(boolean nowHostile) {
    hostile = nowHostile;
    open.forEach(HostileRedis::end);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        open.add(client);
        start(() -> serve(client));
      } catch (IOException closed) {
        // The loop ends if it is the server.
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      byte[] asked = new byte[65_536];
      int count = client.getInputStream().read(asked);
      if (hostile) {
        talkNonsense(client, count);
      } else if (count > 0) {
        answer(client, asked, count);
      }
    } catch (IOException gone) {
      // As it likes.
    } finally {
      open.remove(client);
    }
  }

  private void talkNonsense(Socket client, int first) throws IOException {
    byte[] asked = new byte[65_536];
    for (int count = first; count > 0 && hostile; count = client.getInputStream().read(asked)) {
      String nonsense = nonsense();
      if (nonsense.isEmpty()) {
        return;
      }
      client.getOutputStream().write(nonsense.getBytes(ISO_8859_1));
      for (int i = 0; nonsense.endsWith("7\r\n") && i < FLOOD; i++) {
        client.getOutputStream().write(new byte[65_536]);
      }
    }
  }

  private synchronized String nonsense() {
    if (random.nextInt(3) > 0) {
      return REPLIES[random.nextInt(REPLIES.length)];
    }
    StringBuilder text = new StringBuilder();
    for (int shards = random.nextInt(9); shards > 0; shards--) {
      text.append(
          random.nextInt(5) == 0
              ? String.valueOf((char) random.nextInt(256))
              : SHARDS[random.nextInt(SHARDS.length)]);
    }
    return text.toString();
  }

  /** Commands that locate other servers come on connections of their own. */
  private void answer(Socket client, byte[] asked, int count) throws IOException {
    String text = new String(asked, 0, count, ISO_8859_1);
    String port = Integer.toString(port());
    if (text.contains("SENTINEL")) {
      String host = "*2\r\n$9\r\n127.0.0.1\r\n$" + port.length() + "\r\n" + port + "\r\n";
      client.getOutputStream().write(host.getBytes(ISO_8859_1));
    } else if (text.contains("SLOTS")) {
      String slots = "*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:" + port + "\r\n";
      client.getOutputStream().write(slots.getBytes(ISO_8859_1));
    } else {
      forward(client, asked, count);
    }
  }

  private void forward(Socket client, byte[] asked, int count) throws IOException {
    try (Socket real = new Socket(InetAddress.getLoopbackAddress(), redis)) {
      open.add(real);
      real.getOutputStream().write(asked, 0, count);
      start(() -> pump(real, client));
      pump(client, real);
      open.remove(real);
    }
  }

  private static void pump(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] some = new byte[65_536];
      for (int count = in.read(some); count >= 0; count = in.read(some)) {
        out.write(some, 0, count);
      }
    } catch (IOException gone) {
      // Then the other one goes, too.
    }
    end(from);
    end(to);
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException gone) {
      // As was asked for.
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "hostile-redis");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    turn(false);
  }
}
