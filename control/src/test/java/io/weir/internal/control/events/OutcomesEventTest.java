package io.weir.internal.control.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.weir.Ticker;
import io.weir.Weir;
import io.weir.control.QuickRules;
import io.weir.internal.control.json.Json;
import io.weir.rules.NodeStatus;
import io.weir.rules.Rules;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Readers of events receive what all nodes decide. */
class OutcomesEventTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String SUMMING_UP = "FROM weir.weir_nodes WHERE seen_at >";

  /** How often the reports of all nodes were read. */
  private final AtomicInteger reads = new AtomicInteger();

  private final List<String> heard = new CopyOnWriteArrayList<>();
  private Rules rules;
  private Weir weir;
  private EventHub hub;

  @BeforeEach
  void start() {
    rules = QuickRules.open(counted());
    weir =
        Weir.builder()
            .settings(Map.of("weir.node", "one"))
            .policySource(rules.policySource())
            .build();
    hub = new EventHub(rules, () -> false, List::of, Ticker.system());
    hub.listen(event -> heard.add(event.type()));
  }

  @AfterEach
  void stop() {
    weir.close();
  }

  /** Counts statements of a data source in memory. */
  private DataSource counted() {
    DataSource source =
        JdbcConnectionPool.create(
            "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    return (DataSource)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DataSource.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(source, arguments);
                return result instanceof Connection made ? counted(made) : result;
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }

  private Connection counted(Connection connection) {
    return (Connection)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("prepareStatement")
                  && String.valueOf(arguments[0]).contains(SUMMING_UP)) {
                reads.incrementAndGet();
              }
              try {
                return method.invoke(connection, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }

  private static void await(String what, BooleanSupplier happened) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (!happened.getAsBoolean()) {
      assertTrue(System.nanoTime() < until, () -> "never happened: " + what);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private Instant reportedAt() {
    return rules.nodes().current().stream()
        .map(NodeStatus::seenAt)
        .findFirst()
        .orElse(Instant.EPOCH);
  }

  private StreamedEvent next(Subscription reader) throws InterruptedException {
    return reader.next(PATIENCE).orElseThrow();
  }

  @Test
  void areSummedUpOnceForAllReadersAndOnlyWhileThereAreSome() throws Exception {
    await("it is reported", () -> reportedAt().isAfter(Instant.EPOCH));
    List<Subscription> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(hub.subscribe("eyes", 0).orElseThrow());
    }
    int before = reads.get();
    List<StreamedEvent> events = new ArrayList<>();
    events.add(next(readers.get(0)));
    events.add(next(readers.get(0)));
    for (Subscription other : readers.subList(1, 3)) {
      assertSame(events.get(0), next(other));
      assertSame(events.get(1), next(other));
    }
    readers.forEach(hub::unsubscribe);
    int more = 0; // on a slow machine
    while (readers.get(0).next(Duration.ZERO).isPresent()) {
      more++;
    }
    int sums = reads.get() - before;
    assertTrue(sums >= 2 && sums <= 3 + more, sums + " sums for two events");

    assertTrue(events.get(0).id().isEmpty());
    JsonNode json = Json.parse(events.get(0).json());
    assertEquals("outcomes", json.path("type").asText());
    assertEquals(1, json.at("/data/nodes").asInt());
    assertTrue(json.at("/data/totals").has("shadowRefused"));
    assertEquals(List.of(), heard, "neither the webhook nor the log gets them");

    int without = reads.get();
    int own = 0; // looks of this test
    Instant last = reportedAt();
    own++;
    int reports = 0;
    while (reports < 2) {
      Instant now = reportedAt();
      own++;
      reports += now.isAfter(last) ? 1 : 0;
      last = now;
      TimeUnit.MILLISECONDS.sleep(50);
    }
    assertEquals(own, reads.get() - without, "by this test alone");
  }

  @Test
  void areNotKeptForReadersThatComeBack() throws Exception {
    for (int tries = 1; !isNothingKept(); tries++) { // or one came just then
      assertTrue(tries < 20, "each time there was one");
    }
  }

  private boolean isNothingKept() throws InterruptedException {
    Subscription first = hub.subscribe("eyes", 0).orElseThrow();
    next(first);
    next(first);
    hub.unsubscribe(first);
    Subscription again = hub.subscribe("eyes", 1).orElseThrow();
    boolean isNothing = again.next(Duration.ZERO).isEmpty();
    hub.unsubscribe(again);
    return isNothing;
  }

  @Test
  void aReaderThatMayNoLongerReadReceivesNone() throws Exception {
    Subscription witness = hub.subscribe("eyes", 0).orElseThrow();
    Subscription reader = hub.subscribe("eyes", 0).orElseThrow();
    next(witness); // the reader has one in its queue as well
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    new EventStreamWriter(hub, reader, () -> false, Duration.ofMinutes(1), Ticker.system())
        .write(written);
    assertFalse(written.toString(StandardCharsets.UTF_8).contains("outcomes"), written::toString);

    // Revoked while the stream waits for the event.
    Subscription other = hub.subscribe("eyes", 0).orElseThrow();
    AtomicInteger asked = new AtomicInteger();
    next(witness);
    new EventStreamWriter(
            hub, other, () -> asked.getAndIncrement() == 0, Duration.ofMinutes(1), Ticker.system())
        .write(written);
    assertFalse(written.toString(StandardCharsets.UTF_8).contains("outcomes"), written::toString);
    hub.unsubscribe(witness);
  }

  @Test
  void aReaderThatHasGoneEndsItsStreamWithoutAnException() throws Exception {
    Subscription reader = hub.subscribe("eyes", 0).orElseThrow();
    AtomicInteger asked = new AtomicInteger();
    BooleanSupplier mayRead =
        () -> {
          asked.incrementAndGet();
          return true;
        };
    OutputStream gone =
        new OutputStream() {
          private int written;

          @Override
          public void write(int octet) throws IOException {
            if (++written > 10_000) { // the first buffer still went out
              throw new IOException("Broken pipe");
            }
          }
        };
    new EventStreamWriter(hub, reader, mayRead, Duration.ofMinutes(10), Ticker.system())
        .write(gone);
    assertTrue(asked.get() > 0, "it had begun");
  }
}
