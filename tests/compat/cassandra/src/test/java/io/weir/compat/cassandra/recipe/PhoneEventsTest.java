package io.weir.compat.cassandra.recipe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.uuid.Uuids;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.seeds.OneDayIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

@OneDayIn(2)
class PhoneEventsTest {
  private static final int LIMIT = 10;
  private static final int CALLERS = 32;
  private static final int EVENTS = 200;
  private static final String SECRET = "a long random text";
  private static final String BEGIN = "public final class PhoneEvents";

  private static final Path PAGE = Path.of("../../../docs/cassandra-recipe.md");
  private static final Pattern SQL = Pattern.compile("```sql\n([^;]*);\n```");

  private static CqlSession session;
  private final PhoneEvents events = new PhoneEvents(session, SECRET);

  @BeforeAll
  static void connect() {
    CassandraServer.assumePresent();
    session = CassandraServer.shared().session();
    session.execute(
        "CREATE KEYSPACE recipe"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("USE recipe");
    session.execute(PhoneEvents.TABLE);
    session.execute(
        "CREATE TABLE by_timestamp (phone_hash text, event_time timestamp,"
            + " PRIMARY KEY ((phone_hash), event_time))");
  }

  @AfterAll
  static void disconnect() {
    if (session != null) {
      session.close();
    }
  }

  @Test
  void countsTheEventsOfEachNumber() {
    assertEquals(0, events.count("+1"));
    events.add("+1");
    events.add("+1");
    events.add("+2");
    assertEquals(2, events.count("+1"));
    assertEquals(1, events.count("+2"));
  }

  @Test
  void countsTheSameWhereverTheSecretIsTheSame() {
    events.add("+3");
    assertEquals(1, new PhoneEvents(session, SECRET).count("+3"));
    assertEquals(0, new PhoneEvents(session, "another").count("+3"));
  }

  @Test
  void keepsNothingThatTellsTheNumber() throws Exception {
    String phone = "+4915112345678";
    events.add(phone);
    byte[] plain = MessageDigest.getInstance("SHA-256").digest(phone.getBytes(UTF_8));
    for (String hash : hashes()) {
      assertFalse(hash.contains("4915112345678"), hash);
      assertNotEquals(HexFormat.of().formatHex(plain), hash);
    }
  }

  private static List<String> hashes() {
    return session.execute("SELECT DISTINCT phone_hash FROM rate_limit").all().stream()
        .map(row -> row.getString(0))
        .toList();
  }

  @Test
  void countsTwoEventsOfOneMillisecondOfWhichATimestampKeepsOne() {
    Instant same = Instant.parse("2026-11-23T12:00:00.123Z");
    for (UUID event :
        List.of(Uuids.startOf(same.toEpochMilli()), Uuids.endOf(same.toEpochMilli()))) {
      insert("rate_limit", event);
      insert("by_timestamp", same);
    }
    assertEquals(2, rows("rate_limit"));
    assertEquals(1, rows("by_timestamp"));
  }

  private static void insert(String table, Object eventTime) {
    session.execute(
        "INSERT INTO " + table + " (phone_hash, event_time) VALUES ('same', ?)", eventTime);
  }

  private static long rows(String table) {
    return session
        .execute("SELECT COUNT(*) FROM " + table + " WHERE phone_hash = 'same'")
        .one()
        .getLong(0);
  }

  /** The same with the clock of Cassandra: events come faster than milliseconds go by. */
  @Test
  void countsAllEventsOfABurstOfWhichATimestampLosesSome() {
    PreparedStatement uuids =
        session.prepare("INSERT INTO rate_limit (phone_hash, event_time) VALUES (?, now())");
    PreparedStatement times =
        session.prepare(
            "INSERT INTO by_timestamp (phone_hash, event_time) VALUES (?, toTimestamp(now()))");
    long lost = 0;
    for (int round = 0; lost == 0; round++) {
      String name = "burst " + round;
      assertEquals(EVENTS, burst(uuids, name, "rate_limit"));
      lost = EVENTS - burst(times, name, "by_timestamp");
    }
    assertTrue(lost > 0);
  }

  private static long burst(PreparedStatement insert, String name, String table) {
    List<CompletableFuture<AsyncResultSet>> sent =
        IntStream.range(0, EVENTS)
            .mapToObj(event -> session.executeAsync(insert.bind(name)).toCompletableFuture())
            .toList();
    sent.forEach(CompletableFuture::join);
    return session
        .execute("SELECT COUNT(*) FROM " + table + " WHERE phone_hash = ?", name)
        .one()
        .getLong(0);
  }

  /** Shows the limits of the recipe, and so why Weir has a store for Cassandra. */
  @Test
  void admitsMoreThanTheLimitWhenCallersComeAtTheSameTime() throws Exception {
    List<Integer> admitted = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    try {
      do {
        admitted.add(admittedAtOnce(threads, "+0" + admitted.size()));
      } while (admitted.size() < 10 || admitted.stream().allMatch(each -> each == LIMIT));
    } finally {
      threads.shutdown();
    }
    admitted.forEach(each -> assertTrue(each >= LIMIT, "too few: " + admitted));
    System.out.println(
        CALLERS + " callers at once, limit " + LIMIT + ", admitted by the recipe: " + admitted);
  }

  private int admittedAtOnce(ExecutorService threads, String phone) throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(CALLERS);
    List<Future<Boolean>> callers = new ArrayList<>();
    for (int caller = 0; caller < CALLERS; caller++) {
      callers.add(
          threads.submit(
              () -> {
                barrier.await();
                if (events.count(phone) >= LIMIT) {
                  return false;
                }
                events.add(phone);
                return true;
              }));
    }
    int admitted = 0;
    for (Future<Boolean> caller : callers) {
      admitted += caller.get() ? 1 : 0;
    }
    return admitted;
  }

  @Test
  void isShownInTheDocsAsItIs() throws IOException {
    Path source = Path.of("src/main/java/io/weir/compat/cassandra/recipe/PhoneEvents.java");
    String code = Files.readString(source);
    String shown = "```java\n" + code.substring(code.indexOf(BEGIN)) + "```";
    assertTrue(
        withoutSpace(Files.readString(PAGE)).contains(withoutSpace(shown)),
        PAGE + " must show " + source + " as it is, from '" + BEGIN + "' on");
  }

  /** Lines of the page are shorter than those that the formatter makes. */
  private static String withoutSpace(String text) {
    return text.replaceAll("\\s", "");
  }

  @Test
  void takesTheStatementsOfTheDocs() throws IOException {
    List<String> statements =
        SQL.matcher(Files.readString(PAGE)).results().map(each -> each.group(1)).toList();
    assertEquals(2, statements.size());
    assertEquals(PhoneEvents.TABLE, statements.get(0));
    statements.forEach(session::execute);
  }
}
