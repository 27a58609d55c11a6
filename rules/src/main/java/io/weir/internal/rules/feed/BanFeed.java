package io.weir.internal.rules.feed;

import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.internal.rules.database.BanRows;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.SqlWork;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TableColumns;
import io.weir.internal.rules.rulebook.column.AccessColumns;
import io.weir.internal.rules.rulebook.column.RowProblems;
import io.weir.rules.AccessListRow;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Follows the bans of all nodes. They aren't in the feed of changes, which many of them would fill:
 * a look reads those with higher numbers than it has seen, in the order of which they are
 * committed. What people change is in the feed, which names the rows to be read again here.
 *
 * <p>Guarded by the lock of {@link RuleFeed}.
 */
public final class BanFeed {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final String FAILURE = "bans can't be read";
  private static final int PAGE = 1_000;

  /** The most by which the clock of the node that began the numbers may be ahead of this one. */
  private static final Duration CLOCK_DIFFERENCE = Duration.ofDays(1);

  private static final TableColumns COLUMNS = TableColumns.of(RuleTable.ENTRIES);
  private static final Sql BANS = Sql.of(COLUMNS.select() + " WHERE " + BanRows.CONDITION);

  private final RuleDatabase database;
  private final CurrentAccessList list;
  private final Consumer<List<AccessEntry>> made;
  private final Ticker ticker;

  /** By id, as they were read. */
  private final Map<String, AccessListRow> held = new LinkedHashMap<>();

  /** By id, as the list has them. */
  private Map<String, AccessListRow> inForce = Map.of();

  private final Map<String, List<RuleProblem>> problems = new HashMap<>();

  /** The ids of rows that people have changed. */
  private final Set<String> stale = new HashSet<>();

  private boolean isAllStale = true;
  private boolean isFirst = true;
  private boolean isRefused;

  /** The highest number that was seen. */
  private long newest;

  /**
   * Reads nothing yet.
   *
   * @param database may be unavailable
   * @param list where bans are put in force
   * @param made takes bans that are new or longer since the last look; returns at once
   */
  public BanFeed(
      RuleDatabase database,
      CurrentAccessList list,
      Consumer<List<AccessEntry>> made,
      Ticker ticker) {
    this.database = database;
    this.list = list;
    this.made = made;
    this.ticker = ticker;
  }

  void stale(String id) {
    stale.add(id);
    isAllStale |= stale.size() > RuleDatabase.MAX_KEYS;
  }

  void allStale() {
    isAllStale = true;
  }

  List<RuleProblem> problems() {
    return problems.values().stream().flatMap(List::stream).toList();
  }

  /**
   * Reads what is new, and puts it in force.
   *
   * @throws RulesUnavailableException if the database can't be reached
   */
  void look() {
    try {
      if (database.hasBans()) {
        read();
      }
    } catch (RulesUnavailableException failed) {
      if (!SqlState.isNoRight(failed)) {
        throw failed;
      }
      if (!isRefused) {
        isRefused = true;
        LOG.log(Level.WARNING, "rules: " + failed.getMessage() + " (logged once)");
      }
    }
  }

  private void read() {
    if (isAllStale) {
      List<StoredRow> all = query(Sql.NOTHING);
      held.clear();
      problems.clear();
      newest = 0;
      all.forEach(this::holdNewer);
    } else {
      readAgain();
      readNewer();
    }
    stale.clear();
    isAllStale = false;
    Instant now = ticker.instant();
    held.values().removeIf(row -> row.entry().end().filter(now::isBefore).isEmpty());
    if (!held.equals(inForce)) {
      putInForce();
    } else if (list.isAwaited()) {
      list.replaceBans(held.values());
    }
    isFirst = false;
  }

  private void putInForce() {
    List<AccessEntry> longer =
        held.values().stream().filter(this::isLonger).map(AccessListRow::entry).toList();
    list.replaceBans(held.values());
    inForce = Map.copyOf(held);
    if (!isFirst && !longer.isEmpty()) {
      made.accept(longer);
    }
  }

  private boolean isLonger(AccessListRow row) {
    AccessListRow known = inForce.get(Long.toString(row.id()));
    return known == null || end(row).isAfter(end(known));
  }

  private static Instant end(AccessListRow row) {
    return row.entry().end().orElse(Instant.MIN);
  }

  /** Rows with lower numbers than one that somebody has changed may not have been read yet. */
  private void readAgain() {
    List<Long> ids = stale.stream().flatMap(id -> number(id).stream()).toList();
    if (!ids.isEmpty()) {
      List<StoredRow> rows = query(Sql.of(" AND id IN ").then(Sql.list(ids)));
      held.keySet().removeAll(stale);
      problems.keySet().removeAll(stale);
      rows.forEach(this::hold);
    }
  }

  private static Optional<Long> number(String id) {
    try {
      return Optional.of(Long.valueOf(id));
    } catch (NumberFormatException other) {
      return Optional.empty();
    }
  }

  private void readNewer() {
    long last = newest;
    List<StoredRow> page;
    do {
      page = query(Sql.of(" AND ban_number > ? ORDER BY ban_number LIMIT " + PAGE, last));
      page.forEach(this::holdNewer);
      last = page.isEmpty() ? last : number(page.get(page.size() - 1));
    } while (page.size() == PAGE);
  }

  private List<StoredRow> query(Sql condition) {
    SqlWork<List<StoredRow>> work =
        connection -> BANS.then(condition).fetching(PAGE).query(connection, COLUMNS::rows);
    return isAllStale ? database.inTransaction(FAILURE, work) : database.query(FAILURE, work);
  }

  private void holdNewer(StoredRow row) {
    if (isGivenByNode(row)) {
      newest = Math.max(newest, number(row));
    }
    hold(row);
  }

  private static long number(StoredRow row) {
    return row.column(BanRows.NUMBER).flatMap(BanFeed::number).orElse(0L);
  }

  /** Numbers begin with the time in microseconds, and grow more slowly. */
  private boolean isGivenByNode(StoredRow row) {
    Instant latest = ticker.instant().plus(CLOCK_DIFFERENCE);
    return number(row) <= ChronoUnit.MICROS.between(Instant.EPOCH, latest);
  }

  /** A ban that somebody made unreadable stays as it was. */
  private void hold(StoredRow row) {
    try {
      held.put(row.key(), read(row));
      problems.remove(row.key());
    } catch (InvalidRuleException bad) {
      problems.put(row.key(), bad.problems());
      AccessListRow known = inForce.get(row.key());
      if (known != null) {
        held.put(row.key(), known);
      }
    }
  }

  private AccessListRow read(StoredRow row) {
    AccessListRow read = AccessColumns.read(row, subject -> Optional.empty());
    if (!isGivenByNode(row)) {
      RowProblems mistake = new RowProblems(RuleTable.ENTRIES, "id " + row.key());
      mistake.wrong(BanRows.NUMBER, number(row) + " is higher than any number of a node");
      mistake.refuseAny();
    }
    return read;
  }
}
