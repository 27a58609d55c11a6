package io.weir.compat.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.InvalidSettingException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Weir;
import io.weir.adapter.HealthDetails;
import io.weir.annotation.Algorithm;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.Claim;
import io.weir.test.log.LogLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A region reports to a Redis that isn't what its address promises, or that allows little. */
class OtherRegionsRedisTest {
  private static final Policy POLICY =
      Policy.builder("regions").limit(100).window(Duration.ofDays(1)).build();
  private static final Key WHO = Key.user("alice");
  private static final String NO_REPORTS = "its store can be read, but takes no reports";

  private final LogLines log = new LogLines();
  private final RedisServer ours = RedisServer.start();
  private final RedisServer theirs = RedisServer.start();
  private final List<AutoCloseable> toClose = new ArrayList<>(List.of(log, theirs, ours));

  @AfterEach
  void close() throws Exception {
    for (int at = toClose.size() - 1; at >= 0; at--) {
      toClose.get(at).close();
    }
  }

  private Weir node(String region, String store, String other, String itsStore) {
    return node(region, store, other, itsStore, Map.of());
  }

  private Weir node(
      String region, String store, String other, String itsStore, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("weir.region", region);
    settings.put("weir.store", store);
    settings.put("weir.store.timeout", "5s");
    settings.put("weir.secret", "a secret of all regions");
    settings.put("weir.regions.interval", "100ms");
    settings.put("weir.write-back.leases-for-slow-callers", "false"); // all that is left is free
    settings.put("weir.region." + other + ".store", itsStore);
    settings.put("weir.region." + other + ".store.timeout", "5s");
    Weir node = Weir.builder().onlyGivenSettings().settings(settings).build();
    toClose.add(node);
    return node;
  }

  private Weir eu(String us) {
    return node("eu", ours.url(), "us", us);
  }

  private Weir us(RedisServer own) {
    Weir node = node("us", own.url(), "eu", ours.url());
    Await.until("it is marked", () -> own.ask("GET", "weir:mark").startsWith("region us"));
    return node;
  }

  private static void use(Weir node, int permits) {
    assertTrue(node.limiter().tryAcquire(POLICY, WHO, permits).admitted());
  }

  private static void awaitLeft(Weir node, long left) {
    Await.until(left + " are left", () -> node.limiter().peek(POLICY, WHO).remaining() == left);
  }

  private static String trouble(Weir node) {
    return node.regions().get(1).trouble().orElse("");
  }

  @Test
  void saysThatAReplicaTakesNoReports() {
    us(theirs).close();
    theirs.ask("REPLICAOF", "127.0.0.1", "1");
    theirs.ask("CONFIG", "SET", "replica-serve-stale-data", "yes");
    Weir eu = eu(theirs.url());
    use(eu, 30);
    Await.until("it says so", () -> trouble(eu).startsWith(NO_REPORTS));
    Await.until("also to the log", () -> log.containing("Region us hasn't answered").size() == 1);
    assertTrue(eu.regions().get(1).reported().isEmpty());
    assertEquals(30, eu.regions().get(1).unreported());
    theirs.ask("REPLICAOF", "NO", "ONE");
    awaitLeft(us(theirs), 70);
  }

  /** The rights that docs/regions.md names. */
  @Test
  void aLoginThatMayOnlyReportIsEnough() {
    Weir us = us(theirs);
    String rights =
        "~weir:* -@all +eval +evalsha +time +get +mget +set +setnx +msetnx +setrange +del"
            + " +pexpireat +ping";
    setUser(rights);
    Weir eu = eu("redis://joe:pw@127.0.0.1:" + theirs.port());
    use(eu, 30);
    awaitLeft(us, 70);
    use(eu, 10);
    awaitLeft(us, 60);
    assertEquals("", trouble(eu));
    assertEquals(List.of(), log.errors());
    setUser("~weir:* -@all +eval +evalsha +time +get +mget +ping");
    use(eu, 10);
    Await.until("it says so", () -> trouble(eu).startsWith(NO_REPORTS));
    assertEquals(1, log.errors().size(), () -> log.errors().toString());
    assertTrue(log.errors().get(0).contains("the user lacks permissions"), log.errors().get(0));
    setUser(rights);
    awaitLeft(us, 50);
  }

  /** The rights that docs/regions.md names for looks alone. */
  @Test
  void aLoginThatMayOnlyLookReadsBucketsOfEachKindAndTheMark() throws Exception {
    Optional<String> kept = Optional.of("region us, secret 0a1b");
    setUser("~weir:* -@all +eval +evalsha +time +get +mget +ping");
    String joe = "redis://joe:pw@127.0.0.1:" + theirs.port();
    try (Asker own = new Asker(theirs.url());
        Asker other = new Asker(joe)) {
      assertEquals(Optional.empty(), answer(other.store.mark(Optional.empty())));
      assertEquals(kept, answer(own.store.mark(kept)));
      assertEquals(kept, answer(other.store.mark(Optional.empty())));
      List<Claim> peeks = new ArrayList<>();
      for (Algorithm algorithm : Algorithm.values()) {
        BucketSpec spec =
            BucketSpec.builder(algorithm.name())
                .algorithm(algorithm)
                .window(Duration.ofDays(300))
                .build();
        BucketId bucket = new BucketId(spec, WHO);
        assertEquals(7, left(own, List.of(Claim.of(bucket, 3, 10, 10))).get(0));
        peeks.add(Claim.peek(bucket, 1, 10, 10));
        assertEquals(List.of(7L), left(other, List.of(Claim.peek(bucket, 1, 10, 10))));
      }
      String before = theirs.ask("KEYS", "*");
      assertEquals(Collections.nCopies(peeks.size(), 7L), left(other, peeks));
      assertEquals(before, theirs.ask("KEYS", "*"));
      assertEquals(List.of(), log.errors());
    }
  }

  private static List<Long> left(Asker asker, List<Claim> claims) throws Exception {
    return answer(asker.store.execute(claims)).stream()
        .map(each -> each.orElseThrow().left())
        .toList();
  }

  private static <T> T answer(CompletionStage<T> asked) throws Exception {
    return asked.toCompletableFuture().get(1, TimeUnit.MINUTES);
  }

  private void setUser(String rules) {
    List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", "joe", "reset", "on", ">pw"));
    words.addAll(List.of(rules.split(" ")));
    assertEquals("OK", theirs.ask(words.toArray(String[]::new)));
  }

  /** Neither what is wrong with it nor what is right. */
  @Test
  void showsNoPasswordOfAnotherRegionsStore() {
    setUser("+ping");
    List<String> shown = new ArrayList<>();
    for (String address :
        List.of(
            "redis://joe:w%2Fr%40n%3Ag%23S3CRET@127.0.0.1:" + theirs.port(),
            "redis://:S3CRET%25@127.0.0.1:" + theirs.port(),
            "redis://joe:S3CRET@127.0.0.1:" + RedisServer.freePort())) {
      Weir eu = eu(address);
      Await.until("it can't be used", () -> !trouble(eu).isEmpty());
      shown.add(eu.regions().toString());
      shown.add(eu.store() + eu.table() + HealthDetails.of(eu));
    }
    for (String wrong :
        List.of(
            "redis://joe:S3CRET@[127.0.0.1",
            "redis://joe:S3CR#ET@127.0.0.1:x",
            "redis://a b:S3CRET@h")) {
      shown.add(assertThrows(InvalidSettingException.class, () -> eu(wrong)).getMessage());
    }
    shown.addAll(log.lines());
    assertEquals(List.of(), shown.stream().filter(each -> each.contains("S3CR")).toList());
  }

  /** Its mark is that of this region, whichever of them is meant. */
  @Test
  void saysThatAnotherRegionsStoreIsTheOwnOne() {
    Weir eu = eu(ours.url());
    Await.until("it is found out", () -> trouble(eu).contains("its store is that of 'region eu,"));
    use(eu, 30);
    Await.until("it is cut off", () -> eu.regions().get(1).isCutOff());
    assertEquals(70, eu.limiter().peek(POLICY, WHO).remaining(), "counted once");
    Await.until("it is logged", () -> !log.warnings().isEmpty());
    assertEquals(1, log.warnings().size(), () -> log.warnings().toString());
  }

  @Test
  void twoOtherRegionsCantBeOnOneStore() {
    Weir us = us(theirs);
    Weir eu =
        node("eu", ours.url(), "us", theirs.url(), Map.of("weir.region.ap.store", theirs.url()));
    Await.until("us answers", () -> eu.regions().get(2).reported().isPresent());
    use(eu, 30);
    Await.until("ap isn't there", () -> trouble(eu).contains("its store is that of 'region us,"));
    Await.until("us is charged", () -> eu.regions().get(2).unreported() == 0);
    assertEquals(30, eu.regions().get(1).unreported());
    awaitLeft(us, 70);
  }

  /** Buckets have other names there, so that what is reported would count for nobody. */
  @Test
  void reportsNothingUnderAnotherPrefix() {
    us(theirs);
    Weir eu = node("eu", ours.url(), "us", theirs.url(), Map.of("weir.prefix", "shop"));
    use(eu, 30);
    Await.until("it says so", () -> trouble(eu).contains("with this prefix"));
    assertEquals(30, eu.regions().get(1).unreported());
    assertEquals("", theirs.ask("GET", "shop:mark"));
  }

  @Test
  void leavesAMasterThatSentinelsNoLongerName() {
    RedisServer next = RedisServer.start();
    toClose.add(1, next);
    us(theirs);
    Weir us = us(next);
    RedisServer sentinel = SentinelSetup.watching(theirs.port(), 1);
    toClose.add(1, sentinel);
    Weir eu = eu(SentinelSetup.url(List.of(sentinel)));
    Await.until("it reports", () -> eu.regions().get(1).reported().isPresent());
    SentinelSetup.name(sentinel, next.port(), 1);
    Await.until(
        "what is used counts there",
        () -> {
          use(eu, 1);
          return us.limiter().peek(POLICY, WHO).remaining() < 100;
        });
  }
}
