package io.weir.internal.rules.database.connection;

import io.weir.Ticker;
import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangePosition;
import io.weir.internal.rules.database.Column;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.HistoryFilter;
import io.weir.internal.rules.database.RowFilter;
import io.weir.internal.rules.database.RowWrite;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.SqlWork;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TableColumns;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.internal.rules.database.UserRows;
import io.weir.internal.rules.database.change.ChangeReader;
import io.weir.internal.rules.database.change.ChangeTriggers;
import io.weir.internal.rules.database.change.HistoryTable;
import io.weir.internal.rules.database.change.NumberedChangeReader;
import io.weir.internal.rules.database.change.SnapshotChangeReader;
import io.weir.internal.rules.database.change.TableFingerprint;
import io.weir.internal.rules.database.schema.RulesSchema;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Reads and changes the tables in H2 or PostgreSQL by JDBC. */
final class SqlRuleDatabase implements RuleDatabase {
  /**
   * Held while rows of an H2 are changed: of two transactions that lock and change the same row, it
   * sometimes commits both, and one is lost. Such a database has one process.
   */
  private static final ReentrantLock H2_CHANGES = new ReentrantLock();

  private static final Logger LOG = System.getLogger("io.weir");

  /** As many rows of a table are in memory as the driver has them, which is not compact. */
  private static final int FETCHED_ROWS = 500;

  private static final String HISTORY = "rule_changes can't be read";

  private final Set<RuleTable> warned = ConcurrentHashMap.newKeySet();
  private final TransactionRunner transactions;
  private final RulesSchema schema;
  private final RowWriter writer;
  private final HistoryTable history;
  private final ChangeReader changes;

  private final ServerIdentity identity = new ServerIdentity();

  /** The tables whose triggers are gone or disabled; while there are any, rows are compared. */
  private volatile Set<RuleTable> withoutTriggers = Set.of();

  /** Whether rule_changes may not be read any more; then rows are compared until the next start. */
  private volatile boolean isHistoryRefused;

  SqlRuleDatabase(TransactionRunner transactions, RulesSchema schema, Ticker ticker) {
    this.transactions = transactions;
    this.schema = schema;
    this.history = new HistoryTable(schema, ticker);
    this.changes =
        schema.dialect() == Dialect.POSTGRESQL
            ? new SnapshotChangeReader()
            : new NumberedChangeReader(ticker);
    this.writer = new RowWriter(schema, history, ticker);
  }

  @Override
  public List<StoredRow> all(RuleTable table, UnaryOperator<StoredRow> each) {
    return ifAllowed(
        table,
        List.of(),
        () -> {
          if (!schema.has(table)) {
            return List.of();
          }
          TableColumns columns = schema.columns(table);
          return transactions.together(
              unreadable(table), connection -> all(connection, columns, each));
        });
  }

  private static List<StoredRow> all(
      Connection connection, TableColumns columns, UnaryOperator<StoredRow> each)
      throws SQLException {
    return Sql.of(
            columns.select()
                + " WHERE "
                + columns.ofPeople()
                + " ORDER BY "
                + columns.table().keyColumn())
        .fetching(FETCHED_ROWS)
        .query(connection, rows -> columns.rows(rows, each));
  }

  @Override
  public Optional<StoredRow> find(RuleTable table, String key) {
    return schema.has(table)
        ? read(
            table,
            Optional.empty(),
            connection -> RowWriter.find(connection, schema.columns(table), key))
        : Optional.empty();
  }

  /** Reads a table; one that may not be read counts as missing, unless all depends on it. */
  private <T> T read(RuleTable table, T nothing, SqlWork<T> work) {
    return ifAllowed(table, nothing, () -> transactions.read(unreadable(table), work));
  }

  private static String unreadable(RuleTable table) {
    return table.tableName() + " can't be read";
  }

  private <T> T ifAllowed(RuleTable table, T nothing, Supplier<T> work) {
    try {
      return work.get();
    } catch (RulesUnavailableException refused) {
      if (table.isEssential() || !SqlState.isNoRight(refused)) {
        throw refused;
      }
      if (warned.add(table)) {
        LOG.log(
            Level.WARNING,
            refused.getMessage() + "; it counts as missing until it can be read (logged once)");
      }
      return nothing;
    }
  }

  @Override
  public List<StoredRow> ofUsers(RuleTable table, Collection<String> userIds) {
    if (userIds.size() > MAX_USERS) {
      throw new IllegalArgumentException(
          "at most " + MAX_USERS + " users at once, not " + userIds.size());
    }
    if (!schema.has(table) || userIds.isEmpty()) {
      return List.of();
    }
    TableColumns columns = schema.columns(table);
    return read(
        table,
        List.of(),
        connection -> rowsWith(connection, columns, columns.column(RuleTable.USER_ID), userIds));
  }

  @Override
  public UserRows tiersOf(Collection<String> userIds) {
    if (userIds.size() <= 1 || !schema.has(RuleTable.USERS)) {
      return new UserRows(ofUsers(RuleTable.USERS, userIds), true);
    }
    if (userIds.size() > MAX_USERS) {
      throw new IllegalArgumentException("at most " + MAX_USERS + " users at once");
    }
    return transactions.read(
        unreadable(RuleTable.USERS),
        connection -> UsersWithin.read(connection, schema.columns(RuleTable.USERS), userIds));
  }

  @Override
  public Optional<List<StoredRow>> withKeys(RuleTable table, Collection<String> keys) {
    if (keys.size() > MAX_KEYS) {
      throw new IllegalArgumentException("at most " + MAX_KEYS + " keys at once");
    }
    TableColumns columns = schema.columns(table);
    boolean isFound = schema.has(table) && keys.stream().allMatch(columns.key().type()::fits);
    return isFound
        ? read(
            table,
            Optional.empty(),
            connection -> Optional.of(rowsWith(connection, columns, columns.key(), keys)))
        : Optional.empty();
  }

  private static List<StoredRow> rowsWith(
      Connection connection, TableColumns columns, Column column, Collection<String> values)
      throws SQLException {
    return Sql.of(columns.select() + " WHERE " + column.name() + " IN ")
        .then(Sql.list(values.stream().map(column.type()::value).toList()))
        .then(" AND " + columns.ofPeople() + " ORDER BY " + columns.table().keyColumn())
        .query(connection, columns::rows);
  }

  @Override
  public List<StoredRow> write(List<RowWrite> changes, String author) {
    if (changes.isEmpty()) {
      return List.of();
    }
    if (dialect() != Dialect.H2) {
      return writeAll(changes, author);
    }
    H2_CHANGES.lock();
    try {
      return writeAll(changes, author);
    } finally {
      H2_CHANGES.unlock();
    }
  }

  private List<StoredRow> writeAll(List<RowWrite> changes, String author) {
    RowWrite first = changes.get(0);
    return transactions.change(
        first.table(),
        first.key(),
        connection -> {
          List<StoredRow> written = new ArrayList<>(changes.size());
          for (RowWrite each : changes) {
            writer.write(connection, each, author).ifPresent(written::add);
          }
          return written;
        });
  }

  @Override
  public List<StoredRow> some(RuleTable table, RowFilter filter) {
    TableColumns columns = schema.columns(table);
    if (!schema.has(table)) {
      return List.of();
    }
    return read(
        table, List.of(), connection -> filter.sql(columns).query(connection, columns::rows));
  }

  @Override
  public void announce(String kind, String key, Map<String, String> said, String author) {
    if (schema.hasHistory()) {
      transactions.together(
          "rule_changes can't be written",
          connection -> {
            history.announce(connection, author, kind, key, said);
            return true;
          });
    }
  }

  @Override
  public <T> T inTransaction(String what, SqlWork<T> work) {
    return transactions.together(what, work);
  }

  @Override
  public <T> T inOwnPath(String what, SqlWork<T> work) {
    return transactions.togetherUnpinned(what, work);
  }

  @Override
  public <T> T query(String what, SqlWork<T> work) {
    return transactions.read(what, work);
  }

  @Override
  public Dialect dialect() {
    return schema.dialect();
  }

  @Override
  public boolean hasBans() {
    return schema.hasBans();
  }

  @Override
  public boolean mayWriteBans() {
    return hasBans()
        && transactions.read(
            "rights can't be read",
            connection -> schema.dialect().mayWrite(connection, RulesSchema.OF_BANS));
  }

  @Override
  public boolean tellsChanges() {
    return schema.tellsChanges() && !isHistoryRefused && withoutTriggers.isEmpty();
  }

  @Override
  public Set<RuleTable> withoutTriggers() {
    if (schema.tellsChanges() && !isHistoryRefused) {
      withoutTriggers =
          transactions.read(
              "triggers can't be read",
              connection -> ChangeTriggers.missing(connection, schema.dialect()));
    }
    return withoutTriggers;
  }

  @Override
  public Optional<String> identity() {
    return schema.dialect() == Dialect.POSTGRESQL ? identity.read(transactions) : Optional.empty();
  }

  @Override
  public ChangeBatch changesSince(ChangePosition position, int most, ChangeDetail detail) {
    return ofHistory(
        Optional.empty(),
        () ->
            transactions.together(
                HISTORY, connection -> changes.since(connection, position, most, detail)));
  }

  @Override
  public ChangePosition position() {
    return ofHistory(
        Optional.empty(),
        () -> transactions.together(HISTORY, connection -> changes.position(connection)));
  }

  @Override
  public String fingerprint(RuleTable table) {
    return schema.has(table)
        ? read(
            table,
            "",
            connection -> TableFingerprint.of(connection, schema.dialect(), schema.columns(table)))
        : "";
  }

  @Override
  public String contents(RuleTable table) {
    return schema.has(table)
        ? read(
            table,
            "",
            connection ->
                TableFingerprint.contents(connection, schema.dialect(), schema.columns(table)))
        : "";
  }

  @Override
  public List<RuleChange> latestChanges(HistoryFilter filter) {
    return ofHistory(
        Optional.of(List.of()),
        () -> transactions.read(HISTORY, connection -> history.latest(connection, filter)));
  }

  @Override
  public List<RuleChange> changesOf(String table, String rowKey) {
    return ofHistory(
        Optional.of(List.of()),
        () -> transactions.read(HISTORY, connection -> history.of(connection, table, rowKey)));
  }

  @Override
  public Optional<RuleChange> change(long number) {
    return ofHistory(
        Optional.of(Optional.empty()),
        () -> transactions.read(HISTORY, connection -> history.find(connection, number)));
  }

  /**
   * Reads rule_changes; once it may not be read any more, it counts as missing. A reader gets one
   * refusal, and compares rows from then on.
   */
  private <T> T ofHistory(Optional<T> nothing, Supplier<T> work) {
    try {
      return work.get();
    } catch (RulesUnavailableException refused) {
      if (!SqlState.isNoRight(refused)) {
        throw refused;
      }
      if (!isHistoryRefused) {
        isHistoryRefused = true;
        LOG.log(
            Level.WARNING,
            refused.getMessage()
                + "; until the next start rows are compared instead (logged once)");
      }
      return nothing.orElseThrow(() -> refused);
    }
  }
}
