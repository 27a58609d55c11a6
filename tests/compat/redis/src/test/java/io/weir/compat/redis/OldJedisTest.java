package io.weir.compat.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Ticker;
import io.weir.internal.redis.address.RedisAddress;
import io.weir.internal.redis.address.RedisAddressParser;
import io.weir.internal.redis.address.RedisSettings;
import io.weir.internal.redis.connection.EvalCall;
import io.weir.internal.redis.connection.Failure;
import io.weir.internal.redis.connection.RedisConnections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A Jedis that is too old is reported when the store is opened, and leaks nothing. */
class OldJedisTest {
  private static final int CALLS = 5;

  @Test
  void isRefusedByTheVersionThatIsNeeded() throws Exception {
    try (JedisApart old = JedisApart.old()) {
      String why = old.apply(JedisApart.Use.class, "redis://127.0.0.1");
      assertTrue(why.contains("needs redis.clients:jedis 8.0.0 or newer"), why);
      assertTrue(why.contains("the class path has 6.0.0"), why);
    }
    assertEquals("opened", new JedisApart.Use().apply("redis://127.0.0.1"));
  }

  /**
   * Whatever is thrown where a connection is opened, it is closed again, and the call has failed.
   */
  @Test
  void leaksNoSocketWhateverIsThrown() throws Exception {
    List<Throwable> uncaught = new ArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.add(thrown));
    try (JedisApart old = JedisApart.old();
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Integer> ended = CompletableFuture.supplyAsync(() -> ended(server));
      String why = old.apply(Calls.class, "redis://127.0.0.1:" + server.getLocalPort());
      assertEquals(CALLS, ended.join(), "connections that were closed");
      assertTrue(why.contains("NoSuchMethodError"), why);
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
    assertEquals(List.of(), uncaught);
  }

  private static int ended(ServerSocket server) {
    int ended = 0;
    for (int i = 0; i < CALLS; i++) {
      try (Socket socket = accept(server)) {
        ended += socket.getInputStream().read() < 0 ? 1 : 0;
      } catch (IOException open) {
        // It isn't counted.
      }
    }
    return ended;
  }

  private static Socket accept(ServerSocket server) throws IOException {
    server.setSoTimeout(120_000);
    Socket socket = server.accept();
    socket.setSoTimeout(120_000);
    return socket;
  }

  /** Calls some server several times; why it isn't answered. */
  public static final class Calls implements UnaryOperator<String> {
    /** Called by the code that loads the class. */
    public Calls() {}

    @Override
    public String apply(String url) {
      RedisAddress address = RedisAddressParser.parse(URI.create(url));
      RedisSettings settings =
          new RedisSettings(name -> name.equals("weir.store.timeout") ? "10s" : "");
      RedisConnections connections = new RedisConnections(address, settings, Ticker.system());
      byte[] any = "any".getBytes(US_ASCII);
      String why = "";
      for (int i = 0; i < CALLS; i++) {
        EvalCall call = new EvalCall(any, any, List.of(any), List.of());
        connections.send(0, List.of(call)).toCompletableFuture().join();
        why = call.failure().map(Failure::text).orElse("answered");
      }
      return why; // the connections stay open, or closing them would end what had leaked
    }
  }
}
