package io.weir.internal.rules.callers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.rules.tier.UserState;
import io.weir.rules.tier.UserTier;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Follows the rows of callers in a table that reports no changes. */
class ForeignCallersTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final FakeTicker ticker = new FakeTicker();
  private final Table table = new Table();
  private final CallerProfileCache callers =
      new CallerProfileCache(table, 10_000, Duration.ofMinutes(5), Duration.ofMinutes(5), ticker);

  private static final class Table implements CallerRowReader {
    private final Map<String, UserTier> own = new ConcurrentHashMap<>();
    private final Map<String, UserTier> rows = new ConcurrentHashMap<>();
    private final Set<String> unusable = ConcurrentHashMap.newKeySet();
    private final List<Collection<String>> compared = new CopyOnWriteArrayList<>();
    private volatile boolean isAway;
    private final AtomicInteger lookUps = new AtomicInteger();

    @Override
    public Map<String, UserTier> read(Collection<String> userIds) {
      lookUps.incrementAndGet();
      return own;
    }

    @Override
    public boolean hasForeign() {
      return true;
    }

    @Override
    public Optional<ForeignUsers> foreign(Collection<String> userIds, boolean isLookUp) {
      if (!isLookUp) {
        compared.add(List.copyOf(userIds));
      }
      Map<String, UserTier> usable =
          rows.entrySet().stream()
              .filter(each -> userIds.contains(each.getKey()))
              .filter(each -> !unusable.contains(each.getKey()))
              .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
      return isAway ? Optional.empty() : Optional.of(new ForeignUsers(usable, unusable));
    }
  }

  @BeforeEach
  void begin() {
    table.rows.put("ann", UserTier.of("ann", "gold"));
    callers.compareForeign();
  }

  @AfterEach
  void close() {
    callers.close();
  }

  private CallerProfile find(String user) throws Exception {
    return callers.find(CallerId.user(user)).toCompletableFuture().get(1, TimeUnit.MINUTES);
  }

  private String tier(String user) throws Exception {
    return find(user).tier(0).orElse("-");
  }

  @Test
  void aChangeIsSeenAtTheNextComparison() throws Exception {
    assertEquals("gold", tier("ann"));
    table.rows.put("ann", UserTier.of("ann", "silver"));
    assertEquals("gold", tier("ann"), "isn't looked up at each request");
    callers.compareForeign();
    assertEquals("silver", tier("ann"));
  }

  @Test
  void aChangeIsSeenWithinThreeSecondsEvenIfNothingWasCompared() throws Exception {
    assertEquals("gold", tier("ann"));
    assertEquals("-", tier("bob"));
    table.rows.put("ann", UserTier.of("ann", "silver"));
    table.rows.put("bob", UserTier.of("bob", "bronze"));
    ticker.advance(Duration.ofMillis(2_999));
    assertEquals("silver", tier("ann"));
    assertEquals("bronze", tier("bob"));
  }

  @Test
  void aCallerThatIsComparedIsNotLookedUpAgain() throws Exception {
    assertEquals("gold", tier("ann"));
    int before = table.lookUps.get();
    for (int i = 0; i < 10; i++) {
      assertEquals("gold", tier("ann"));
      ticker.advance(SECOND);
      callers.compareForeign();
    }
    assertEquals(before, table.lookUps.get());
  }

  @Test
  void onlyCallersThatWereAskedForAreComparedAnd500AtATime() throws Exception {
    for (int i = 0; i < 1_200; i++) {
      find("user" + i);
      find("user" + i);
    }
    callers.compareForeign();
    assertEquals(List.of(500, 500, 200), table.compared.stream().map(Collection::size).toList());
    callers.compareForeign();
    assertEquals(3, table.compared.size());
  }

  @Test
  void whileTheTableIsAwayKnownRowsHoldAndUnknownCallersAreMarked() throws Exception {
    assertEquals("gold", tier("ann"));
    table.isAway = true;
    for (int i = 0; i < 5; i++) {
      ticker.advance(SECOND);
      callers.compareForeign();
      assertEquals("gold", tier("ann"));
      assertTrue(find("ann").isCurrent());
      assertFalse(find("carl").isCurrent());
    }
    table.isAway = false;
    table.rows.put("ann", UserTier.of("ann", "silver"));
    table.rows.put("carl", UserTier.of("carl", "bronze"));
    callers.compareForeign();
    ticker.advance(SECOND);
    assertEquals("silver", tier("ann"));
    assertEquals("bronze", tier("carl"));
  }

  @Test
  void aRowThatCannotBeUsedKeepsWhatIsKnown() throws Exception {
    assertEquals("gold", tier("ann"));
    table.unusable.add("ann");
    callers.compareForeign();
    assertEquals("gold", tier("ann"));
    ticker.advance(Duration.ofMinutes(1));
    assertEquals("gold", tier("ann"), "looked up again");
  }

  @Test
  void anOwnRowOverridesItUntilItEnds() throws Exception {
    table.own.put(
        "ann",
        new UserTier(
            "ann",
            "blocked",
            List.of(),
            UserState.EVALUATION,
            Optional.of(Instant.EPOCH.plusSeconds(60)),
            1));
    CallerProfile ann = find("ann");
    assertEquals(Optional.of("blocked"), ann.tier(59_999_999));
    assertTrue(ann.isEvaluated(59_999_999));
    assertEquals(Optional.of("gold"), ann.tier(60_000_000));
    assertFalse(ann.isEvaluated(60_000_000));
    assertTrue(ann.foreign().isPresent());
  }
}
