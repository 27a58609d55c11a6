package io.weir.internal.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.Ticker;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.test.threads.ScarceThreads;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers of which some don't answer, and at most one is the primary. */
@Timeout(50) // less than a server that doesn't answer is waited for
class PrimaryFinderTest {
  private static final Map<String, String> SETTINGS = patience("20ms");

  private final Queue<Connection> closed = new ConcurrentLinkedQueue<>();
  private final Queue<Connection> aborted = new ConcurrentLinkedQueue<>();
  private final Map<String, Queue<CompletableFuture<Connection>>> answers =
      Map.of("one", new ConcurrentLinkedQueue<>(), "two", new ConcurrentLinkedQueue<>());

  private final PrimaryFinder finder = finder(DaemonThreadFactory.named("weir-test"));

  private static Map<String, String> patience(String commandTimeout) {
    return Map.of(
        "weir.store.postgres.connect-timeout",
        "60s",
        "weir.store.postgres.command-timeout",
        commandTimeout);
  }

  private PrimaryFinder finder(ThreadFactory threads) {
    return finder(threads, SETTINGS);
  }

  private PrimaryFinder finder(ThreadFactory threads, Map<String, String> settings) {
    return finder(threads, settings, Ticker.system());
  }

  private PrimaryFinder finder(ThreadFactory threads, Map<String, String> settings, Ticker ticker) {
    return new PrimaryFinder(
        List.of("one", "two"),
        this::answer,
        new PostgresSettings(name -> settings.getOrDefault(name, "")),
        threads,
        ticker);
  }

  /** Returns the answer of a server to its next caller, which may never come. */
  private CompletableFuture<Connection> next(String server) {
    CompletableFuture<Connection> answer = new CompletableFuture<>();
    answers.get(server).add(answer);
    return answer;
  }

  private Connection answer(String server) throws SQLException {
    CompletableFuture<Connection> answer = answers.get(server).poll();
    Connection connection = answer == null ? null : answer.join();
    if (connection == null) {
      throw new SQLException(server + " isn't the primary", "08001");
    }
    return connection;
  }

  private Connection connection() {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                closed.add((Connection) proxy);
              }
              if (method.getName().equals("abort")) {
                aborted.add((Connection) proxy);
              }
              return switch (method.getName()) {
                case "equals" -> proxy == arguments[0];
                case "isClosed" -> false;
                default -> null;
              };
            });
  }

  @Test
  void aServerThatDoesNotAnswerDelaysNothing() throws SQLException {
    next("one");
    Connection primary = connection();
    next("two").complete(primary);
    assertSame(primary, finder.open());
  }

  @Test
  void withoutAPrimaryItIsSoonSaidAndWhatComesLaterIsClosed() {
    CompletableFuture<Connection> silent = next("one");
    next("two").complete(null);
    SQLException failure = assertThrows(SQLException.class, finder::open);
    assertEquals("two isn't the primary", failure.getMessage());
    Connection late = connection();
    silent.complete(late);
    Await.until("the late connection is closed", () -> closed.peek() == late);
  }

  /** A replica may be promoted while the old primary says nothing. */
  @Test
  void whatIsNoPrimaryIsAskedAgainWhileAnotherServerIsSilent() throws SQLException {
    next("two").complete(null);
    Connection primary = connection();
    next("two").complete(primary);
    PrimaryFinder counting = finder(new AtOnce(1), SETTINGS, new ReadingsAreTime());
    assertSame(primary, counting.open());
  }

  @Test
  void connectionsToThePrimaryBeforeAreAborted() throws SQLException {
    PrimaryFinder direct = finder(new AtOnce(0));
    Connection first = connection();
    next("one").complete(first);
    assertSame(first, direct.open());
    Connection second = connection();
    next("two").complete(second);
    assertSame(second, direct.open());
    assertEquals(List.of(first), List.copyOf(aborted));
    Connection third = connection();
    next("two").complete(third);
    assertSame(third, direct.open());
    assertEquals(List.of(first), List.copyOf(aborted));
  }

  @Test
  void aRefusedLoginIsSaidFirst() {
    PrimaryFinder patient = finder(DaemonThreadFactory.named("weir-test"), patience("60s"));
    next("one").completeExceptionally(new IllegalStateException("broken"));
    next("two").complete(null);
    SQLException failure = assertThrows(SQLException.class, patient::open);
    assertEquals("", Failures.state(failure));
  }

  /** As where the number of threads of a container is limited, and others have them all. */
  @Test
  void theServersAreAskedAgainOnceThereAreThreads() throws SQLException {
    ScarceThreads threads = new ScarceThreads();
    threads.exhaust();
    PrimaryFinder poor = finder(threads);
    for (int i = 0; i < 4; i++) {
      SQLException failure = assertThrows(SQLException.class, poor::open);
      assertEquals("no thread could be started", failure.getMessage());
    }
    threads.recover();
    next("one");
    Connection primary = connection();
    next("two").complete(primary);
    assertSame(primary, poor.open());
  }

  @Test
  void whoWaitsLongestGetsTheFirstConnection() {
    CompletableFuture<Connection> never = next("one");
    CompletableFuture<Connection> first = next("two");
    CompletableFuture<Connection> earlier = opened();
    Await.until("it is asked", () -> answers.get("two").isEmpty());
    next("one");
    CompletableFuture<Connection> second = next("two");
    CompletableFuture<Connection> later = opened();
    Await.until("it is asked", () -> answers.get("two").isEmpty());
    second.complete(connection());
    Connection found = earlier.join();
    first.complete(connection());
    assertNotSame(found, later.join());
    never.cancel(false);
  }

  private CompletableFuture<Connection> opened() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return finder.open();
          } catch (SQLException failure) {
            throw new IllegalStateException(failure);
          }
        });
  }

  /** Lets a millisecond pass by each reading, however long it takes. */
  private static final class ReadingsAreTime implements Ticker {
    private final AtomicLong readings = new AtomicLong();

    @Override
    public long nanoTime() {
      return Duration.ofMillis(readings.incrementAndGet()).toNanos();
    }

    @Override
    public long epochMicros() {
      return 0;
    }
  }

  /** Runs nothing of the first threads, and all others while they are started. */
  private static final class AtOnce implements ThreadFactory {
    private final AtomicInteger silent;

    AtOnce(int silent) {
      this.silent = new AtomicInteger(silent);
    }

    @Override
    public Thread newThread(Runnable work) {
      boolean isSilent = silent.getAndDecrement() > 0;
      return new Thread(work) {
        @Override
        public synchronized void start() {
          if (!isSilent) {
            work.run();
          }
        }
      };
    }
  }
}
