package io.weir.internal.rules.feed;

import io.weir.Ticker;
import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangePosition;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.edit.RowHistoryReader;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.RuleProblem;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tables that have changed since the last look, and reports the users of changed rows.
 * Tables that aren't {@linkplain RuleTable#isInHistory() in the history} are followed elsewhere.
 *
 * <p>Guarded by the lock of {@link RuleFeed}.
 */
final class TableChangeDetector {
  /** More changed users than these between two looks aren't named one by one. */
  static final int MAX_USERS = 10_000;

  private static final int BATCH = 2_000;

  private final RuleDatabase database;
  private final UserChangeListener users;
  private final StaleTables stale = new StaleTables();
  private final Map<RuleTable, String> fingerprints = new EnumMap<>(RuleTable.class);
  private final MissedChanges missed;
  private final BanFeed bans;
  private @Nullable ChangePosition position;

  TableChangeDetector(
      RuleDatabase database, UserChangeListener users, BanFeed bans, Ticker ticker) {
    this.database = database;
    this.users = users;
    this.bans = bans;
    this.missed = new MissedChanges(database, users, ticker);
  }

  /**
   * Finds what is to be read again, and what was changed without a report. Once a look; what
   * changes during it is found by {@link #find}.
   */
  StaleTables look() {
    Optional<String> odd = missed.beforeChanges();
    if (odd.isPresent()) {
      lost(odd.get());
    }
    StaleTables found = find();
    Optional<String> unexplained = missed.afterChanges();
    if (unexplained.isPresent()) {
      lost(unexplained.get());
      return find();
    }
    return found;
  }

  private void lost(String reason) {
    missed.lost(reason);
    startAgain(null);
  }

  List<RuleProblem> problems() {
    return missed.problems();
  }

  /** Finds what is to be read again, which stays so until {@link #markRead}. */
  StaleTables find() {
    if (database.tellsChanges()) {
      fingerprints.clear();
      follow();
    } else {
      position = null;
      compare();
    }
    return stale;
  }

  void allStale() {
    stale.addAll(StaleTables.HELD);
    bans.allStale();
  }

  /** A table is being read; what changes from now on is found again. */
  void markRead(RuleTable table) {
    stale.remove(table);
  }

  void wasRead() {
    users.wasRead();
  }

  private void follow() {
    ChangePosition from = position;
    if (from == null) {
      startAgain(database.position());
      return;
    }
    int changedUsers = 0;
    ChangeDetail detail = users.hearsRules() ? ChangeDetail.ALL_ROWS : ChangeDetail.WITHOUT_RULES;
    ChangeBatch batch;
    do {
      batch = database.changesSince(from, BATCH, detail);
      if (batch.isLost()) {
        missed.lost(batch.loss().orElseThrow());
        startAgain(batch.position());
        return;
      }
      changedUsers += note(batch.changes(), detail);
      if (changedUsers > MAX_USERS) {
        startAgain(database.position());
        return;
      }
      from = batch.position();
      position = from;
    } while (batch.isMore());
  }

  /** Whatever was changed before a position is read from the tables. */
  private void startAgain(@Nullable ChangePosition from) {
    missed.startAgain();
    allStale();
    for (RuleTable table : RuleTable.values()) {
      if (table.isOfUsers() && table.isInHistory()) {
        users.dropAll(table);
      }
    }
    position = from;
  }

  private int note(List<RuleChange> changes, ChangeDetail detail) {
    Map<RuleTable, Set<String>> changed = new EnumMap<>(RuleTable.class);
    int rows = 0;
    for (RuleChange change : changes) {
      RuleTable table = RuleTable.named(change.table()).filter(RuleTable::isInHistory).orElse(null);
      if (table != null && table.isOfUsers()) {
        changed
            .computeIfAbsent(table, any -> new HashSet<>())
            .addAll(RowHistoryReader.userIds(change));
        rows++;
      } else if (table != null) {
        stale.add(table, change.rowKey());
        if (table == RuleTable.ENTRIES) {
          bans.stale(change.rowKey());
        }
        missed.reported(table);
      }
    }
    changed.forEach(users::drop);
    for (RuleChange change : changes) {
      boolean isWanted = detail == ChangeDetail.ALL_ROWS || !isOfRules(change);
      if (isWanted && !change.table().isEmpty()) { // the content was removed
        users.heard(change);
      }
    }
    return rows;
  }

  private static boolean isOfRules(RuleChange change) {
    return RuleTable.named(change.table()).filter(table -> !table.isOfUsers()).isPresent();
  }

  private void compare() {
    for (RuleTable table : RuleTable.values()) {
      if (!table.isInHistory()) {
        continue;
      }
      String now = database.fingerprint(table);
      if (!now.equals(fingerprints.put(table, now))) {
        if (table.isOfUsers()) {
          users.dropAll(table);
        } else {
          stale.addAll(Set.of(table));
          if (table == RuleTable.ENTRIES) {
            bans.allStale();
          }
        }
      }
    }
  }
}
