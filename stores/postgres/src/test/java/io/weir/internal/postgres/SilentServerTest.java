package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.compat.postgres.PostgresServer;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.testkit.FakeTicker;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A server that stops answering on all connections that a node has, while those opened later reach
 * one that answers: as after a fail-over, where the old primary only stands still.
 */
class SilentServerTest {
  private static final int CONNECTIONS = 2;
  private static final Duration TIME_OUT = Duration.ofSeconds(10);

  /** Less than an answer that doesn't come is waited for. */
  private static final long PATIENCE_SECONDS = 50;

  private final FakeTicker ticker = new FakeTicker();
  private final Queue<Connection> opened = new ConcurrentLinkedQueue<>();
  private final Set<Connection> silent = ConcurrentHashMap.newKeySet();
  private final Queue<Connection> waiting = new ConcurrentLinkedQueue<>();
  private final PostgresWorkers workers =
      Databases.workers(
          new Source(),
          new PostgresSettings(SilentServerTest::setting),
          ticker,
          DaemonThreadFactory.named("weir-test"));

  private static String setting(String name) {
    return switch (name) {
      case "weir.store.timeout" -> TIME_OUT.toSeconds() + "s";
      case "weir.store.postgres.command-timeout" -> "60s";
      case "weir.store.postgres.connections" -> "" + CONNECTIONS;
      default -> "";
    };
  }

  /** Has each session connected, by work that waits for that of the other. */
  @BeforeEach
  void connect() {
    CyclicBarrier together = new CyclicBarrier(CONNECTIONS);
    CompletableFuture<Integer> one = workers.submit(session -> meet(session, together));
    CompletableFuture<Integer> two = workers.submit(session -> meet(session, together));
    assertEquals(2, answer(one) + answer(two));
    assertEquals(CONNECTIONS, opened.size());
  }

  @AfterEach
  void close() {
    workers.close();
    opened.forEach(Connections::abort);
  }

  private static int meet(PostgresSession session, CyclicBarrier together) throws SQLException {
    int one = number(session);
    try {
      together.await();
    } catch (Exception broken) {
      throw new IllegalStateException(broken);
    }
    return one;
  }

  private static int number(PostgresSession session) throws SQLException {
    return session.execute(
        "SELECT 1",
        (connection, statement) -> {},
        (rows, sentAt) -> {
          rows.next();
          return rows.getInt(1);
        });
  }

  private static int answer(CompletableFuture<Integer> answer) {
    return answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  /** Asks something that all connections until now leave unanswered. */
  private CompletableFuture<Integer> askInVain() {
    int before = waiting.size();
    silent.addAll(opened);
    CompletableFuture<Integer> answer = workers.submit(SilentServerTest::number);
    Await.until("it is asked", () -> waiting.size() > before);
    return answer;
  }

  @Test
  void theNextQuestionIsAskedOnAConnectionOfItsOwn() {
    CompletableFuture<Integer> first = askInVain();
    ticker.advance(TIME_OUT);
    assertEquals(1, answer(workers.submit(SilentServerTest::number)));
    assertEquals(CONNECTIONS + 1, opened.size());
    assertFalse(first.isDone(), "it may still be answered");
  }

  @Test
  void ifAllConnectionsWaitTheOneThatHasWaitedLongestIsGivenUp() {
    CompletableFuture<Integer> first = askInVain();
    ticker.advance(Duration.ofSeconds(1));
    CompletableFuture<Integer> second = askInVain();
    ticker.advance(TIME_OUT);
    assertEquals(1, answer(workers.submit(SilentServerTest::number)));
    assertThrows(CompletionException.class, () -> answer(first));
    assertFalse(second.isDone(), "it may still be answered");
  }

  @Test
  void aServerThatIsOnlySlowKeepsItsConnections() {
    CompletableFuture<Integer> slow = askInVain();
    ticker.advance(TIME_OUT.dividedBy(2));
    silent.clear();
    assertEquals(1, answer(workers.submit(SilentServerTest::number)));
    assertEquals(CONNECTIONS, opened.size());
    assertFalse(slow.isDone());
  }

  /** Opens connections to a server, of which those that are silent answer nothing. */
  private final class Source implements ConnectionSource {
    @Override
    public Connection open() throws SQLException {
      Connection real = PostgresServer.source(Databases.shared()).getConnection();
      CountDownLatch ended = new CountDownLatch(1);
      Connection connection =
          (Connection)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, arguments) -> answer(real, ended, proxy, method, arguments));
      opened.add(connection);
      return connection;
    }

    private Object answer(
        Connection real, CountDownLatch ended, Object proxy, Method method, Object[] arguments)
        throws Throwable {
      String name = method.getName();
      if (name.equals("equals")) {
        return proxy == arguments[0];
      }
      if (name.equals("hashCode")) {
        return System.identityHashCode(proxy);
      }
      if (name.equals("abort")) {
        ended.countDown();
      }
      if (name.equals("prepareStatement") && silent.contains(proxy)) {
        waiting.add((Connection) proxy);
        ended.await();
        throw new SQLException("aborted", "08006");
      }
      try {
        return method.invoke(real, arguments);
      } catch (InvocationTargetException failed) {
        throw failed.getCause();
      }
    }

    @Override
    public boolean isKept() {
      return true;
    }
  }
}
