package io.weir.internal.rules.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.rules.bans.BanWriter;
import io.weir.internal.rules.database.H2MemoryTest;
import io.weir.internal.rules.database.RowFilter;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
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
  private static final RowFilter ALL = new RowFilter(Map.of(), "", Optional.empty(), false, 10);

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
        new BanFeed(database, accessList, made -> {}, new VirtualClock(time, 0, 0, 0)),
        (problem, isMended) -> {},
        RuleFeed.USUAL_INTERVAL,
        new VirtualClock(time, 0, 0, 0),
        () -> new VirtualScheduler(time));
  }

  /** From the call that makes or lifts a ban on one node to the list of another. */
  @Test
  void aBanOfAnotherNodeIsInForceAndLiftedWithinThreeSeconds() {
    List<List<AccessEntry>> followed = new ArrayList<>();
    accessList.followBans(followed::add);
    VirtualClock clock = new VirtualClock(time, 0, 0, 0);
    AccessEntry ban =
        AccessEntry.ban(AccessSubject.user("mallory"), Instant.parse("2099-01-01T00:00:00Z"));
    try (RuleFeed feed = feed();
        BanWriter other =
            new BanWriter(database, written -> {}, clock, () -> new VirtualScheduler(time))) {
      feed.start(true);
      other.add(ban, "login");
      time.run(THREE_SECONDS);
      assertEquals(List.of(ban), followed.get(followed.size() - 1));
      time.run(Duration.ofMillis(700));
      other.lift(ban.subject());
      time.run(THREE_SECONDS);
      assertEquals(List.of(), followed.get(followed.size() - 1));
      other.add(ban, "login");
      time.run(Duration.ofMillis(1_500));
      database.delete(database.some(RuleTable.ENTRIES, ALL).get(0), "bob");
      time.run(THREE_SECONDS);
      assertEquals(List.of(), followed.get(followed.size() - 1));
    }
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
