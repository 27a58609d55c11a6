package io.weir.test.pages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RegionStatus;
import io.weir.Weir;
import io.weir.compat.postgres.PostgresServer;
import io.weir.compat.redis.RedisServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Deletes the marks of stores as docs/regions.md says, after regions have got another secret. */
class RegionMarksTest {
  private static final Policy POLICY =
      Policy.builder("marks").limit(10).window(Duration.ofHours(1)).build();
  private static final Key WHO = Key.user("alice");
  private static final String SHELL = "redis-cli ";

  private final RedisServer usStore = RedisServer.start();
  private final String euStore = PostgresServer.shared().newDatabase();

  private static String command(String store) {
    Matcher row =
        Pattern.compile("(?m)^\\| " + store + " \\| `([^`]+)` \\|$")
            .matcher(MarkdownPage.read("regions.md").text());
    assertTrue(row.find(), "the page has a command for " + store);
    return row.group(1);
  }

  private Weir weir(String region, String secret) {
    return weir(region, secret, Map.of());
  }

  private Weir weir(String region, String secret, Map<String, String> more) {
    boolean isEu = region.equals("eu");
    String other = "weir.region." + (isEu ? "us" : "eu") + ".store";
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.region", region);
    settings.put("weir.secret", secret);
    settings.put("weir.store", isEu ? euStore : usStore.url());
    settings.put("weir.store.timeout", "10s");
    settings.put(other, isEu ? usStore.url() : euStore);
    settings.put(other + ".timeout", "10s");
    settings.put("weir.regions.interval", "100ms");
    settings.putAll(more);
    return Weir.builder().onlyGivenSettings().settings(settings).build();
  }

  private static void await(BooleanSupplier condition, Supplier<String> otherwise) {
    long ends = System.nanoTime() + TimeUnit.MINUTES.toNanos(1); // as the page promises
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < ends, otherwise);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private static String said(Weir weir) {
    List<String> all = weir.regions().stream().map(RegionStatus::describe).toList();
    return String.join("; ", all);
  }

  private static boolean isWell(Weir weir) {
    return weir.regions().stream().allMatch(each -> each.trouble().isEmpty())
        && weir.regions().get(1).reported().isPresent();
  }

  private static long left(Weir weir) {
    return weir.limiter().peek(new PermitRequest(POLICY, WHO)).remaining();
  }

  @Test
  void regionsWithAnotherSecretReportAgainOnceTheMarksAreDeleted() throws Exception {
    try (RedisServer stops = usStore) {
      try (Weir eu = weir("eu", "the old secret");
          Weir us = weir("us", "the old secret")) {
        await(() -> isWell(eu) && isWell(us), () -> said(eu) + said(us));
      }
      try (Weir eu = weir("eu", "the new secret");
          Weir us = weir("us", "the new secret")) {
        await(
            () -> said(eu).startsWith("its store is that of 'region eu, secret "), () -> said(eu));
        await(
            () -> said(us).startsWith("its store is that of 'region us, secret "), () -> said(us));
        assertTrue(eu.limiter().tryAcquire(POLICY, WHO, 4).admitted());
        assertTrue(us.limiter().tryAcquire(POLICY, WHO, 1).admitted());
        await(() -> eu.regions().get(1).unreported() >= 4, () -> said(eu));
        assertEquals(9, left(us), "nothing was reported");

        String redis = command("Redis");
        assertTrue(redis.startsWith(SHELL), redis);
        assertEquals("1", stops.ask(redis.substring(SHELL.length()).split(" ")));
        await(() -> isWell(us) || !said(us).startsWith("its store is"), () -> said(us));
        try (Connection connection = DriverManager.getConnection(euStore);
            Statement statement = connection.createStatement()) {
          assertEquals(1, statement.executeUpdate(command("PostgreSQL")));
        }
        await(() -> isWell(eu) && isWell(us), () -> said(eu) + said(us));
        await(() -> left(us) == 5 && left(eu) == 5, () -> left(eu) + " and " + left(us));
      }
    }
  }

  @Test
  void regionsWithSharesAndAnotherSecretMarkTheirStoresAgainOnceTheMarksAreDeleted()
      throws Exception {
    Map<String, String> shares =
        Map.of("weir.regions.mode", "shares", "weir.regions.shares", "eu@50,us@50");
    try (RedisServer stops = usStore) {
      try (Weir eu = weir("eu", "the old secret", shares);
          Weir us = weir("us", "the old secret", shares)) {
        await(() -> mark(stops).startsWith("region us, secret "), () -> said(us));
        await(() -> hasMark(euStore), () -> said(eu));
      }
      try (Weir eu = weir("eu", "the new secret", shares);
          Weir us = weir("us", "the new secret", shares)) {
        await(
            () -> said(eu).startsWith("its store is that of 'region eu, secret "), () -> said(eu));
        await(
            () -> said(us).startsWith("its store is that of 'region us, secret "), () -> said(us));
        String old = mark(stops);
        assertEquals("1", stops.ask(command("Redis").substring(SHELL.length()).split(" ")));
        await(() -> said(us).startsWith("counts 50 %"), () -> said(us));
        assertTrue(!mark(stops).isEmpty() && !mark(stops).equals(old), () -> mark(stops));
        try (Connection connection = DriverManager.getConnection(euStore);
            Statement statement = connection.createStatement()) {
          assertEquals(1, statement.executeUpdate(command("PostgreSQL")));
        }
        await(() -> said(eu).startsWith("counts 50 %"), () -> said(eu));
        assertTrue(hasMark(euStore));
      }
    }
  }

  private static String mark(RedisServer store) {
    return store.ask("GET", "weir:mark");
  }

  /** Asks by the page's command, and changes nothing. */
  private static boolean hasMark(String store) {
    try (Connection connection = DriverManager.getConnection(store);
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(command("PostgreSQL").replace("DELETE", "SELECT key"))) {
      return rows.next();
    } catch (SQLException noTable) {
      return false;
    }
  }
}
