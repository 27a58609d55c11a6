package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.seeds.RunOneIn;
import io.weir.test.log.LogLines;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** {@code weir.store=cassandra:…}, as an application has it, and what is said if it is wrong. */
@RunOneIn(value = 2, own = true)
class StartTest {
  private static final String DC = "?dc=datacenter1";

  @Test
  void aLimitIsSharedByAllNodes() {
    Policy daily = Policy.builder("daily").limit(100).window(Duration.ofDays(300)).build();
    Key caller = Key.of(UUID.randomUUID().toString());
    List<RateLimiter> nodes = new ArrayList<>();
    int admitted = 0;
    try {
      for (int i = 0; i < 3; i++) {
        nodes.add(limiter(Servers.address(Servers.shared())));
      }
      for (int i = 0; i < 240; i++) {
        Decision decision = nodes.get(i % 3).tryAcquire(daily, caller);
        assertFalse(decision.degraded(), "request " + i);
        admitted += decision.admitted() ? 1 : 0;
      }
    } finally {
      nodes.forEach(RateLimiter::close);
    }
    // What one node has leased and not given back yet may be missing when all are refused at once.
    assertTrue(admitted <= 100 && admitted > 80, "admitted " + admitted);
  }

  private static RateLimiter limiter(String address) {
    return RateLimiter.builder()
        .store(address, name -> name.equals("weir.store.timeout") ? "5s" : "")
        .storeTimeout(Duration.ofSeconds(5))
        .startTimeout(Duration.ofMinutes(1))
        .build();
  }

  @Test
  void readsAnAddress() {
    CassandraAddress read =
        CassandraAddress.parse(
            URI.create("cassandra://me:p%40ss+w@one,two:9043/limits?dc=east&tls=true"));
    assertEquals(
        List.of(
            InetSocketAddress.createUnresolved("one", 9042),
            InetSocketAddress.createUnresolved("two", 9043)),
        read.hosts());
    assertEquals(
        List.of("me", "p@ss+w", "limits", "east", true),
        List.of(read.user(), read.password(), read.keyspace(), read.dataCentre(), read.tls()));
    assertFalse(read.toString().contains("p@ss"));
    assertEquals(
        List.of(InetSocketAddress.createUnresolved("::1", 9043)),
        CassandraAddress.parse(URI.create("cassandra://[::1]:9043/limits" + DC)).hosts());
  }

  @Test
  void saysWhatIsWrongWithAnAddressAndRepeatsNothing() {
    Map<String, String> wrong =
        Map.ofEntries(
            Map.entry("cassandra:/limits" + DC, "the host is missing"),
            Map.entry("cassandra://host/limits", "it must name the data centre"),
            Map.entry("cassandra://host/limits?dc=", "it must name the data centre"),
            Map.entry("cassandra://host" + DC, "must be followed by a keyspace"),
            Map.entry("cassandra://host/a/b" + DC, "must be followed by a keyspace"),
            Map.entry("cassandra://host/Secret" + DC, "must be followed by a keyspace"),
            Map.entry("cassandra://host:secret/limits" + DC, "a port is 1 to 65535"),
            Map.entry("cassandra://host:0/limits" + DC, "a port is 1 to 65535"),
            Map.entry("cassandra://one,,two/limits" + DC, "a host is a name"),
            Map.entry("cassandra://host/limits" + DC + "&secret=1", "only dc and tls may follow"),
            Map.entry("cassandra://host/limits" + DC + "&tls=secret", "tls is true or false"),
            Map.entry("cassandra://host/limits" + DC + DC.replace('?', '&'), "only once"),
            Map.entry("cassandra://host/limits" + DC + "#secret", "write # as %23"));
    wrong.forEach(
        (address, rule) -> {
          String told = refusal(address, Map.of());
          assertTrue(told.contains(rule), address + ": " + told);
          assertTrue(told.startsWith("weir.store must be cassandra://"), told);
          assertFalse(told.contains("ecret"), told);
        });
  }

  @Test
  void saysWhichSettingIsWrong() {
    Map<String, String> wrong =
        Map.of(
            "weir.store.cassandra.read-consistency", "any",
            "weir.store.cassandra.write-consistency", "most",
            "weir.store.cassandra.share", "101",
            "weir.store.cassandra.verify-host", "yes",
            "weir.store.cassandra.create-schema", "no",
            "weir.store.cassandra.replication", "3",
            "weir.store.cassandra.connect-timeout", "soon",
            "weir.store.cassandra.command-timeout", "2h",
            "weir.prefix", "my.app");
    wrong.forEach(
        (name, value) -> {
          String told = refusal("cassandra://host/limits" + DC, Map.of(name, value));
          assertTrue(told.startsWith(name + " must be "), told);
          assertTrue(told.contains("'" + value + "'"), told);
        });
  }

  @Test
  void aReadCantBeAnsweredByNobody() {
    String told =
        refusal(
            "cassandra://host/limits" + DC, Map.of("weir.store.cassandra.read-consistency", "ANY"));
    assertTrue(told.contains("one of one, two, three, quorum, all, local-one, local-quorum"), told);
  }

  @Test
  void readsItsSettings() {
    CassandraAddress address =
        CassandraAddress.parse(URI.create("cassandra://me:pass@host/limits" + DC));
    Map<String, String> set =
        Map.of(
            "weir.store.cassandra.user", "you",
            "weir.store.cassandra.write-consistency", "any",
            "weir.store.cassandra.read-consistency", "LOCAL_ONE",
            "weir.store.cassandra.share", "60",
            "weir.store.timeout", "300ms",
            "weir.prefix", "shop");
    CassandraSettings read = new CassandraSettings(name -> set.getOrDefault(name, ""));
    assertEquals("you", read.user(address));
    assertEquals("pass", read.password(address));
    assertEquals(60, read.share());
    assertEquals(Duration.ofMillis(600), read.commandTimeout());
    assertEquals("limits.shop_buckets", read.table(address));
    assertEquals(
        new ConsistencyLevels(DefaultConsistencyLevel.LOCAL_ONE, DefaultConsistencyLevel.ANY),
        read.levels());
    assertFalse(read.toString().contains("pass"));
  }

  private static String refusal(String address, Map<String, String> settings) {
    return assertThrows(
            IllegalArgumentException.class,
            () ->
                new CassandraProvider()
                    .open(
                        new URI(address), name -> settings.getOrDefault(name, ""), Ticker.system()))
        .getMessage();
  }

  @Test
  void saysWhichDataCentresThereAre() {
    String told =
        failure(Servers.address(Servers.shared()).replace("datacenter1", "moon"), Map.of());
    assertTrue(told.contains("names the data centre moon, and Cassandra has [datacenter1]"), told);
  }

  @Test
  void printsWhatMakesTheTableWhereItMayNotMakeIt() {
    String told =
        failure(
            Servers.address(Servers.shared()).replace(Servers.KEYSPACE, "nobodys"),
            Map.of("weir.store.cassandra.create-schema", "false"));
    assertTrue(told.contains("CREATE KEYSPACE IF NOT EXISTS nobodys WITH replication = {"), told);
    assertTrue(told.contains("CREATE TABLE IF NOT EXISTS nobodys.weir_buckets ("), told);
  }

  @Test
  void saysThatWeakLevelsAreNotExact() {
    // Of one replica one is all: exact.
    try (LogLines log = new LogLines()) {
      Map<String, String> one =
          Map.of(
              "weir.store.cassandra.read-consistency", "one",
              "weir.store.cassandra.write-consistency", "one");
      Servers.open(Servers.shared(), one, new StoreClock(Ticker.system())).close();
      assertEquals(List.of(), log.warnings());
      Map<String, String> any =
          Map.of(
              "weir.store.cassandra.read-consistency", "one",
              "weir.store.cassandra.write-consistency", "any");
      Servers.open(Servers.shared(), any, new StoreClock(Ticker.system())).close();
      assertTrue(log.warnings().get(0).contains("isn't exact: with"), log.warnings().toString());
      assertTrue(
          log.warnings().get(0).contains("up to the limit times the number of nodes"),
          log.warnings().toString());
    }
  }

  /** Or a busy machine would be the failure. */
  private static String patient(String setting) {
    return setting.equals("weir.store.timeout") ? "10s" : "";
  }

  private static String failure(String address, Map<String, String> settings) {
    try (LogLines log = new LogLines();
        CassandraStore store =
            (CassandraStore)
                new CassandraProvider()
                    .open(
                        URI.create(address),
                        name -> settings.getOrDefault(name, patient(name)),
                        Ticker.system())) {
      assertThrows(RuntimeException.class, () -> store.connect().toCompletableFuture().join());
      Await.until("it is logged", () -> !log.errors().isEmpty());
      return log.errors().get(0);
    }
  }
}
