package io.weir.internal.rules.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.rules.history.RuleChange;
import io.weir.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnchangedRowsTest {
  private static final Map<String, String> RULE =
      Map.of(
          "tier",
          "free",
          "endpoint_pattern",
          "/api/*",
          "limit_count",
          "10",
          "window_seconds",
          "60");

  private final RuleDatabase database = DatabaseOpener.open(H2MemoryTest.memory(), true);
  private final CurrentRulebook current = new CurrentRulebook(Rulebook.empty());
  private final FakeTicker ticker = new FakeTicker();
  private final Listener users = new Listener();
  private final RuleFeed feed =
      new RuleFeed(
          new LateDatabase(() -> database),
          new RulebookLoader(current, new CurrentAccessList(), Optional.empty()),
          users,
          new BanFeed(database, new CurrentAccessList(), made -> {}, ticker),
          (problem, isMended) -> {},
          Duration.ofDays(1),
          ticker,
          () -> DaemonThreadFactory.scheduler(DaemonThreadFactory.named("feed"), 1));

  private static final class Listener implements UserChangeListener {
    private final List<RuleChange> heard = new ArrayList<>();
    private boolean hearsRules;

    @Override
    public void drop(RuleTable table, Collection<String> userIds) {}

    @Override
    public void dropAll(RuleTable table) {}

    @Override
    public boolean hearsRules() {
      return hearsRules;
    }

    @Override
    public void heard(RuleChange change) {
      heard.add(change);
    }

    @Override
    public void wasRead() {}
  }

  /** All rows are read again at the first look after five minutes. */
  private Rulebook afterFiveMinutes() {
    ticker.advance(Duration.ofMinutes(6));
    feed.refresh();
    return current.get();
  }

  @Test
  void rowsThatHaveNotChangedKeepTheRulebook() {
    StoredRow rule = database.insert(RuleTable.RULES, RULE, "alice");
    feed.refresh();
    Rulebook before = current.get();
    assertEquals(1, before.rules().size());
    assertSame(before, afterFiveMinutes());
    database.delete(rule, "alice");
    assertNotSame(before, afterFiveMinutes());
    assertEquals(List.of(), current.get().rules());
  }

  @Test
  void changesOfRulesComeToThoseAloneWhoWantThem() {
    feed.refresh();
    database.insert(RuleTable.RULES, RULE, "alice");
    database.insert(RuleTable.USERS, Map.of("user_id", "a", "tier", "free"), "bob");
    feed.refresh();
    users.hearsRules = true;
    database.insert(
        RuleTable.SWITCHES,
        Map.of("policy", "*", "state", "OFF", "until", "2030-01-01T00:00:00Z"),
        "carol");
    feed.refresh();
    assertEquals(List.of("bob", "carol"), users.heard.stream().map(RuleChange::by).toList());
    users.heard.forEach(each -> assertEquals(true, each.after().isPresent()));
  }
}
