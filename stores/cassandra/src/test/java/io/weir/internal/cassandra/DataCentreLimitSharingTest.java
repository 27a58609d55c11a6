package io.weir.internal.cassandra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.Key;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.internal.store.StoreFailureLog;
import io.weir.store.BucketId;
import io.weir.store.BucketSpec;
import io.weir.store.CalendarWindow;
import io.weir.store.Claim;
import io.weir.store.GiveBack;
import io.weir.store.Grant;
import io.weir.test.log.LogLines;
import java.lang.reflect.Method;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Parts of a limit, and the claims on them. */
class DataCentreLimitSharingTest {
  private static final Key ANN = Key.user("ann");

  private final List<Claim> sent = new ArrayList<>();

  @Test
  void addUpToTheLimit() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long limit = random.nextInt(4) == 0 ? 1L << 40 : random.nextInt(200);
      long sum = 0;
      int from = 0;
      while (from < 100) {
        int share = 1 + random.nextInt(100 - from);
        long part = DataCentreLimitSharing.part(limit, from, share);
        assertTrue(Math.abs(part - limit * share / 100.0) <= 1, limit + " " + from + " " + share);
        sum += part;
        from += share;
      }
      assertEquals(limit, sum);
    }
  }

  /** Under a share of all, a claim must reach the bucket as it is. */
  @Test
  void dropNothingOfAClaim() throws ReflectiveOperationException {
    BucketSpec signIns = BucketSpec.builder("sign-ins").clears(true).build();
    CalendarWindow day =
        CalendarWindow.period(Instant.EPOCH, Instant.EPOCH.plus(Duration.ofDays(1)));
    BucketSpec quota =
        BucketSpec.builder("quota").algorithm(Algorithm.FIXED_WINDOW).calendar(day).build();
    Claim attempt =
        Claim.builder(new BucketId(signIns, ANN), 10, 12)
            .needed(3)
            .atLeast(2)
            .extra(4)
            .far(5)
            .giveBack(new GiveBack(6, 0, 1))
            .debt(7)
            .lostDebt(6)
            .debtUntil(16)
            .refusedAt(8)
            .clearBefore(9)
            .build();
    Claim ofDay =
        Claim.builder(new BucketId(quota, ANN), 10, 10).usedAtLeast(13).window(14, 15).build();
    Map<String, Object> members = members(attempt);
    assertEquals(members, members(claimed(100, attempt)));
    assertEquals(members(ofDay), members(claimed(100, ofDay)));

    Set<String> empty = new TreeSet<>();
    members(ofDay).forEach((name, value) -> addIfEmpty(empty, name, value, members.get(name)));
    assertEquals(List.of(), List.copyOf(empty), "members that no claim of this test has");
  }

  @Test
  void ofNothingAreLoggedOnce() {
    BucketSpec lock =
        BucketSpec.builder("lock").algorithm(Algorithm.TOKEN_BUCKET).refill(true).build();
    DataCentreLimitSharing sharing = sharing(60);
    try (LogLines log = new LogLines()) {
      assertEquals(1, admitted(sharing, Claim.of(new BucketId(lock, ANN), 1, 2, 10)));
      assertEquals(List.of(), log.lines(), "1 of a refill of 2");
      for (int i = 0; i < 3; i++) {
        assertEquals(0, admitted(sharing, Claim.of(new BucketId(lock, ANN), 1, 1, 10)));
      }
      assertEquals(
          List.of(
              "Policy lock admits nothing in data centre a: weir.store.cassandra.share = 60 leaves"
                  + " it less than one permit of 1 that a window refills, 10 at once. Raise the"
                  + " share, or each of these to at least 2."),
          log.warnings());
    }
  }

  private long admitted(DataCentreLimitSharing sharing, Claim claim) {
    return sharing
        .execute(List.of(claim), this::execute)
        .toCompletableFuture()
        .join()
        .get(0)
        .permits();
  }

  private static void addIfEmpty(Set<String> names, String name, Object one, Object other) {
    List<Object> nothing = List.of(0L, false, List.of());
    if (nothing.contains(one) && nothing.contains(other)) {
      names.add(name);
    }
  }

  private static Map<String, Object> members(Claim claim) throws ReflectiveOperationException {
    Map<String, Object> members = new TreeMap<>();
    for (Method each : Claim.class.getDeclaredMethods()) {
      boolean reads = each.getParameterCount() == 0 && !each.getName().equals("toString");
      if (reads && !each.isSynthetic()) {
        members.put(each.getName(), each.invoke(claim));
      }
    }
    return members;
  }

  /** Returns the claim that reaches the bucket in a data centre with a share. */
  private Claim claimed(int share, Claim claim) {
    var unused = sharing(share).execute(List.of(claim), this::execute).toCompletableFuture().join();
    return sent.remove(0);
  }

  private CompletableFuture<List<Grant>> execute(List<Claim> claims) {
    sent.addAll(claims);
    return CompletableFuture.completedFuture(List.of(Grant.builder().granted(1, 1, 1).build()));
  }

  private static DataCentreLimitSharing sharing(int share) {
    CassandraAddress address = CassandraAddress.parse(URI.create("cassandra://unused/weir?dc=a"));
    String name = "weir.store.cassandra.share";
    return new DataCentreLimitSharing(
        address,
        new CassandraSettings(each -> each.equals(name) ? String.valueOf(share) : ""),
        new StoreClock(Ticker.system()),
        UUID.randomUUID(),
        new StoreFailureLog("Cassandra", Ticker.system()));
  }
}
