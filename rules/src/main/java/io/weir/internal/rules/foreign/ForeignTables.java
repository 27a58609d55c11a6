package io.weir.internal.rules.foreign;

import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.ForeignRows;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the foreign tables of a database, and reads them. From the search path only tables are read
 * that Weir's role, the schema's or the database's owner owns; others and views only in the schema
 * that {@code weir.rules.tables} names. Nobody else can have Weir read what they made, or run it.
 *
 * <p>A table that was read once and can't be read any more is a problem, and its rows stay in
 * force, until it can be read again or Weir starts anew.
 *
 * <p>Safe for concurrent use.
 */
public final class ForeignTables implements ForeignRows {
  private static final Logger LOG = System.getLogger("io.weir");

  /** A table that is locked for a moment isn't reported. */
  private static final int QUIET_FAILURES = 2;

  private static final String WHAT = "tables that Weir didn't create can't be read";

  private final RuleDatabase database;
  private final Optional<String> named;

  /** Guarded by this. */
  private final Map<RuleTable, Known> known = new EnumMap<>(RuleTable.class);

  private volatile List<String> schemas = List.of();

  private static final class Known {
    private @Nullable ForeignTable table;
    private boolean wasFound;
    private int failures;
    private @Nullable RuleProblem problem;
    private @Nullable RuleProblem stranger;
  }

  /**
   * Looks for nothing yet.
   *
   * @param named the schema that {@code weir.rules.tables} names; empty for the search path
   */
  public ForeignTables(RuleDatabase database, Optional<String> named) {
    this.database = database;
    this.named = named;
    ForeignColumns.tables().forEach(each -> known.put(each, new Known()));
  }

  private ForeignSql sql() {
    return database.dialect() == Dialect.H2
        ? new H2ForeignSql(named.isPresent())
        : new PostgresForeignSql(named.isPresent());
  }

  /**
   * Looks for the tables, and logs each that is new with its owner.
   *
   * @throws RulesUnavailableException if the database is unavailable
   */
  public void look() {
    List<ForeignTable> found =
        database.inOwnPath(
            WHAT,
            connection -> {
              ForeignSql sql = sql();
              List<String> path = new ArrayList<>(sql.begin(connection));
              named.ifPresent(
                  each -> {
                    path.clear();
                    path.add(each);
                  });
              path.removeIf(sql.ownSchema(connection)::equalsIgnoreCase);
              schemas = List.copyOf(path);
              return sql.find(connection, path);
            });
    synchronized (this) {
      for (RuleTable kind : ForeignColumns.tables()) {
        note(kind, found.stream().filter(each -> each.kind() == kind).toList());
      }
    }
  }

  private void note(RuleTable kind, List<ForeignTable> candidates) {
    Known of = known(kind);
    ForeignTable chosen =
        candidates.stream().filter(ForeignTable::isTrusted).findFirst().orElse(null);
    of.stranger = null;
    candidates.stream()
        .takeWhile(each -> !each.isTrusted())
        .findFirst()
        .ifPresent(each -> of.stranger = stranger(each));
    if (chosen == null && of.wasFound) {
      of.problem =
          problem(
              kind,
              "the table was dropped, or belongs to another owner; its last rows still apply until"
                  + " it is back, or until the next start");
    } else if (chosen != null && !chosen.equals(of.table)) {
      LOG.log(
          Level.INFO,
          "rules: {0}, a {2} of the owner {1} that Weir didn''t create, is read as well, but never"
              + " written",
          chosen.title(),
          chosen.owner(),
          chosen.isTable() ? "table" : "view");
      of.wasFound = true;
      of.failures = 0;
    }
    of.table = chosen;
  }

  private RuleProblem stranger(ForeignTable table) {
    return new RuleProblem(
        table.title(),
        "the " + (table.isTable() ? "table" : "view"),
        "",
        "isn't read: in the search path Weir reads only tables that belong to its role or to"
            + " the owner of the schema or database, and the owner of this one is "
            + table.owner()
            + "; to read it, name its schema in weir.rules.tables",
        true);
  }

  private static RuleProblem problem(RuleTable kind, String message) {
    return new RuleProblem(kind.tableName(), "that Weir didn't create", "", message, true);
  }

  private Known known(RuleTable kind) {
    return known.computeIfAbsent(kind, any -> new Known());
  }

  private synchronized @Nullable ForeignTable table(RuleTable kind) {
    return known(kind).table;
  }

  /**
   * Returns whether there is or was a foreign table of a kind.
   *
   * @return true also if it can't be read any more
   */
  public synchronized boolean hasFound(RuleTable kind) {
    return known(kind).wasFound;
  }

  /**
   * Reads all foreign rows of rules or costs.
   *
   * @return empty if they can't be read now, so that those read last stay in force
   * @throws RulesUnavailableException if the database is unavailable
   */
  public Optional<List<StoredRow>> read(RuleTable kind) {
    return read(kind, Optional.empty());
  }

  /**
   * Reads the foreign rows of users.
   *
   * @param userIds at most {@value RuleDatabase#MAX_USERS}
   * @return empty if they can't be read now
   */
  public Optional<List<StoredRow>> ofUsers(Collection<String> userIds) {
    return read(RuleTable.USERS, Optional.of(userIds));
  }

  private Optional<List<StoredRow>> read(RuleTable kind, Optional<Collection<String>> users) {
    @Nullable ForeignTable table = table(kind);
    if (table == null) {
      return hasFound(kind) ? Optional.empty() : Optional.of(List.of());
    }
    try {
      List<StoredRow> rows =
          database.inOwnPath(
              table.title() + " can't be read",
              connection -> {
                ForeignSql sql = sql();
                sql.begin(connection);
                return ForeignRowReader.read(connection, sql, schemas, table, users);
              });
      succeeded(kind, table);
      return Optional.of(rows);
    } catch (RulesUnavailableException failed) {
      if (isOfDatabase(failed)) {
        throw failed;
      }
      failed(kind, table, failed);
      return Optional.empty();
    }
  }

  /** Returns whether the database is away, in place of refusing this table. */
  private static boolean isOfDatabase(RulesUnavailableException failed) {
    String kind = SqlState.kind(SqlState.of(failed));
    return kind.isEmpty() || kind.equals("08") || kind.equals("53");
  }

  private synchronized void succeeded(RuleTable kind, ForeignTable table) {
    Known of = known(kind);
    if (table.equals(of.table)) {
      of.failures = 0;
      of.problem = null;
    }
  }

  private synchronized void failed(
      RuleTable kind, ForeignTable table, RulesUnavailableException failed) {
    Known of = known(kind);
    boolean isLocked = SqlState.of(failed).equals("55P03") || SqlState.of(failed).equals("HYT00");
    of.failures++;
    if (table.equals(of.table) && (!isLocked || of.failures > QUIET_FAILURES)) {
      of.problem =
          new RuleProblem(
              table.title(),
              "that Weir didn't create",
              "",
              failed.getMessage()
                  + (isLocked ? " (another session holds a lock)" : "")
                  + "; rows read before still apply",
              true);
    }
  }

  /** Returns the problems of the tables as a whole. */
  public synchronized List<RuleProblem> problems() {
    List<RuleProblem> all = new ArrayList<>();
    for (Known each : known.values()) {
      if (each.problem != null) {
        all.add(each.problem);
      }
      if (each.stranger != null) {
        all.add(each.stranger);
      }
    }
    return all;
  }

  /** Returns the name of the foreign table of a kind; empty if there is none. */
  public Optional<String> title(RuleTable kind) {
    return Optional.ofNullable(table(kind)).map(ForeignTable::title);
  }

  @Override
  public List<StoredRow> all(RuleTable kind) {
    return kind == RuleTable.USERS || !ForeignColumns.tables().contains(kind)
        ? List.of()
        : read(kind).orElse(List.of());
  }

  @Override
  public Optional<StoredRow> find(RuleTable kind, String key) {
    List<StoredRow> rows =
        kind == RuleTable.USERS ? ofUsers(List.of(key)).orElse(List.of()) : all(kind);
    return rows.stream().filter(each -> each.key().equals(key)).findFirst();
  }
}
