package io.weir.internal.rules.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleDatabaseContract;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.connection.DatabaseOpener;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.rules.history.RuleChange;
import io.weir.testkit.FakeTicker;
import io.weir.testkit.virtual.VirtualClock;
import io.weir.testkit.virtual.VirtualScheduler;
import io.weir.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A node whose thread runs on virtual time follows what others write. */
class RuleFeedTest {
  /** What the documentation promises. */
  private static final Duration THREE_SECONDS = Duration.ofSeconds(3);

  private final VirtualTime time = new VirtualTime(FakeTicker.START);
  private final RuleDatabase database = DatabaseOpener.open(H2MemoryTest.memory(), true);
  private final CurrentRulebook current = new CurrentRulebook(Rulebook.empty());
  private final CurrentAccessList accessList = new CurrentAccessList();
  private final Set<String> dropped = new HashSet<>();

  private final UserChangeListener users =
      new UserChangeListener() {
        @Override
        public void drop(RuleTable table, Collection<String> userIds) {
          dropped.addAll(userIds);
        }

        @Override
        public void dropAll(RuleTable table) {}

        @Override
        public boolean hearsRules() {
          return false;
        }

        @Override
        public void heard(RuleChange change) {}

        @Override
        public void wasRead() {}
      };

  private RuleFeed feed() {
    return new RuleFeed(
        new LateDatabase(() -> database),
        new RulebookLoader(current, accessList, Optional.empty()),
        users,
        (problem, isMended) -> {},
        RuleFeed.USUAL_INTERVAL,
        new VirtualClock(time, 0, 0, 0),
        () -> new VirtualScheduler(time));
  }

  @Test
  void whatAnotherNodeWritesIsInForceWithinThreeSeconds() {
    try (RuleFeed feed = feed()) {
      feed.start(true);
      time.run(Duration.ofMillis(1_500)); // between two looks
      StoredRow rule = database.insert(RuleTable.RULES, RuleDatabaseContract.RULE, "bob");
      database.insert(RuleTable.USERS, Map.of("user_id", "ann", "tier", "free"), "bob");
      database.insert(RuleTable.ENTRIES, Map.of("action", "DENY", "subject", "203.0.113.7"), "bob");
      assertEquals(0, current.get().rules().size());
      time.run(THREE_SECONDS);
      assertEquals(1, current.get().rules().size());
      assertEquals(Set.of("ann"), dropped);
      assertEquals(1, accessList.rows().size());

      database.delete(rule, "bob");
      time.run(THREE_SECONDS);
      assertEquals(0, current.get().rules().size());
    }
  }
}
