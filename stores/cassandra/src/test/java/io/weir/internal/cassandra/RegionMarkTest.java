package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import io.weir.Key;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.RegionStatus;
import io.weir.Weir;
import io.weir.compat.cassandra.CassandraServer;
import io.weir.compat.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

/** Deletes the mark of a store as docs/regions.md says, after regions have got another secret. */
class RegionMarkTest {
  private static final String KEYSPACE = "marks";
  private static final Policy POLICY =
      Policy.builder("marks").limit(10).window(Duration.ofHours(1)).build();
  private static final Key WHO = Key.user("alice");

  private static String command() throws IOException {
    Path root = Path.of(System.getProperty("basedir", ".")).resolve("../..");
    Matcher row =
        Pattern.compile("(?m)^\\| Cassandra \\| `([^`]+)`")
            .matcher(Files.readString(root.resolve("docs/regions.md")));
    assertTrue(row.find(), "the page has a command for Cassandra");
    return row.group(1).replace("datacenter1", CassandraServer.DATA_CENTRE);
  }

  /** Returns one region in Cassandra, which reports to another one in Redis. */
  private static Weir weir(RedisServer other, String secret) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.region", "eu");
    settings.put("weir.secret", secret);
    settings.put("weir.store", Servers.address(Servers.shared()).replace("/tests", "/" + KEYSPACE));
    settings.put("weir.store.timeout", "10s");
    settings.put("weir.store.start-timeout", "1m");
    settings.put("weir.region.us.store", other.url());
    settings.put("weir.region.us.store.timeout", "10s");
    settings.put("weir.regions.interval", "100ms");
    return Weir.builder().onlyGivenSettings().settings(settings).build();
  }

  private static Weir there(RedisServer own) {
    Map<String, String> settings = new HashMap<>();
    settings.put("weir.region", "us");
    settings.put("weir.secret", "the new secret");
    settings.put("weir.store", own.url());
    settings.put("weir.store.timeout", "10s");
    settings.put(
        "weir.region.eu.store",
        Servers.address(Servers.shared()).replace("/tests", "/" + KEYSPACE));
    settings.put("weir.region.eu.store.timeout", "10s");
    settings.put("weir.regions.interval", "100ms");
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
  void aRegionWithAnotherSecretReportsAgainOnceTheMarkIsDeleted() throws IOException {
    try (RedisServer usStore = RedisServer.start()) {
      try (Weir old = weir(usStore, "the old secret")) {
        // It looks at the other region, which has no mark, once its own is made.
        await(() -> said(old).contains("its store has no mark"), () -> said(old));
      }
      try (Weir eu = weir(usStore, "the new secret");
          Weir us = there(usStore)) {
        await(
            () -> said(eu).startsWith("its store is that of 'region eu, secret "), () -> said(eu));
        await(() -> said(us).contains("its store is that of 'region eu, secret "), () -> said(us));
        assertTrue(eu.limiter().tryAcquire(POLICY, WHO, 4).admitted());
        assertTrue(us.limiter().tryAcquire(POLICY, WHO, 1).admitted());
        assertEquals(9, left(us), "nothing was reported");
        try (CqlSession session =
            CqlSession.builder()
                .addContactPoint(Servers.shared())
                .withLocalDatacenter(CassandraServer.DATA_CENTRE)
                .withKeyspace(KEYSPACE)
                .withConfigLoader(Servers.patient())
                .build()) {
          session.execute(SimpleStatement.newInstance(command()));
        }
        await(() -> isWell(eu) && isWell(us), () -> said(eu) + said(us));
        await(() -> left(us) == 5 && left(eu) == 5, () -> left(eu) + " and " + left(us));
      }
    }
  }
}
