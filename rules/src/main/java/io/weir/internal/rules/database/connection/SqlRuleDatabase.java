package io.weir.internal.rules.database.connection;

import io.weir.Ticker;
import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangeDetail;
import io.weir.internal.rules.database.ChangePosition;
import io.weir.internal.rules.database.Column;
import io.weir.internal.rules.database.ColumnKind;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.HistoryFilter;
import io.weir.internal.rules.database.RowFilter;
import io.weir.internal.rules.database.RowWrite;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SqlState;
import io.weir.internal.rules.database.SqlWork;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.database.TableShape;
import io.weir.internal.rules.database.TransactionRunner;
import io.weir.internal.rules.database.change.ChangeReader;
import io.weir.internal.rules.database.change.ChangeTriggers;
import io.weir.internal.rules.database.change.HistoryTable;
import io.weir.internal.rules.database.change.NumberedChangeReader;
import io.weir.internal.rules.database.change.SnapshotChangeReader;
import io.weir.internal.rules.database.change.TableFingerprint;
import io.weir.internal.rules.database.schema.ExistingRulesSchema;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.RulesUnavailableException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Reads and changes the tables in H2 or PostgreSQL by JDBC. */
final class SqlRuleDatabase implements RuleDatabase {
  private static final Logger LOG = System.getLogger("io.weir");

  /** As many rows of a table are in memory as the driver has them, which is not compact. */
  private static final int FETCHED_ROWS = 500;

  private static final String HISTORY = "rule_changes can't be read";

  private final Set<RuleTable> warned = ConcurrentHashMap.newKeySet();
  private final TransactionRunner transactions;
  private final ExistingRulesSchema schema;
  private final RowWriter writer;
  private final HistoryTable history;
  private final ChangeReader changes;

  private final ServerIdentity identity = new ServerIdentity();

  /** The tables whose triggers are gone or disabled; while there are any, rows are compared. */
  private volatile Set<RuleTable> withoutTriggers = Set.of();

  /** Whether rule_changes may not be read any more; then rows are compared until the next start. */
  private volatile boolean isHistoryRefused;

  SqlRuleDatabase(TransactionRunner transactions, ExistingRulesSchema schema, Ticker ticker) {
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
          String what = unreadable(table);
          TableShape shape =
              transactions.read(what, connection -> schema.readAgain(connection, table));
          return shape.exists()
              ? transactions.together(what, connection -> all(connection, shape, each))
              : List.of();
        });
  }

  private static List<StoredRow> all(
      Connection connection, TableShape shape, UnaryOperator<StoredRow> each) throws SQLException {
    String sql = shape.select() + " ORDER BY " + shape.table().keyColumn();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setFetchSize(FETCHED_ROWS);
      return rows(statement, shape, each);
    }
  }

  @Override
  public Optional<StoredRow> find(RuleTable table, String key) {
    TableShape shape = schema.shape(table);
    if (!shape.exists()) {
      return Optional.empty();
    }
    return read(table, Optional.empty(), connection -> RowWriter.find(connection, shape, key));
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
    TableShape shape = schema.shape(table);
    if (!shape.has(RuleTable.USER_ID)) {
      return List.of();
    }
    ColumnKind kind = shape.column(RuleTable.USER_ID).kind();
    List<String> possible = userIds.stream().filter(kind::fits).toList();
    if (possible.isEmpty()) {
      return List.of();
    }
    return read(
        table,
        List.of(),
        connection -> rowsWith(connection, shape, shape.column(RuleTable.USER_ID), possible));
  }

  @Override
  public Optional<List<StoredRow>> withKeys(RuleTable table, Collection<String> keys) {
    if (keys.size() > MAX_KEYS) {
      throw new IllegalArgumentException("at most " + MAX_KEYS + " keys at once");
    }
    return read(
        table,
        Optional.empty(),
        connection -> {
          TableShape shape = schema.readAgain(connection, table);
          // Padded texts and the like are written otherwise in the history.
          boolean isFound =
              shape.exists()
                  && shape.key().kind() == ColumnKind.NUMBER
                  && keys.stream().allMatch(ColumnKind.NUMBER::fits);
          return isFound
              ? Optional.of(rowsWith(connection, shape, shape.key(), keys))
              : Optional.empty();
        });
  }

  private static List<StoredRow> rowsWith(
      Connection connection, TableShape shape, Column column, Collection<String> values)
      throws SQLException {
    String sql =
        shape.select()
            + " WHERE "
            + column.name()
            + " IN ("
            + places(values.size())
            + ") ORDER BY "
            + shape.table().keyColumn();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int i = 1;
      for (String value : values) {
        column.kind().bind(statement, i++, value);
      }
      return rows(statement, shape);
    }
  }

  private static String places(int number) {
    return String.join(", ", Collections.nCopies(number, "?"));
  }

  private static List<StoredRow> rows(PreparedStatement statement, TableShape shape)
      throws SQLException {
    return rows(statement, shape, UnaryOperator.identity());
  }

  private static List<StoredRow> rows(
      PreparedStatement statement, TableShape shape, UnaryOperator<StoredRow> each)
      throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      return shape.rows(result, each);
    }
  }

  @Override
  public StoredRow insert(RuleTable table, Map<String, String> columns, String author) {
    return transactions.change(
        table,
        columns.getOrDefault(table.keyColumn(), ""),
        connection -> writer.insert(connection, schema.writable(table), columns, author));
  }

  @Override
  public StoredRow update(StoredRow seen, Map<String, String> columns, String author) {
    return transactions.change(
        seen.table(),
        seen.key(),
        connection ->
            writer.update(connection, schema.writable(seen.table()), seen, columns, author));
  }

  @Override
  public void delete(StoredRow seen, String author) {
    transactions.change(
        seen.table(),
        seen.key(),
        connection -> writer.delete(connection, schema.writable(seen.table()), seen, author));
  }

  @Override
  public List<StoredRow> write(List<RowWrite> changes, String author) {
    if (changes.isEmpty()) {
      return List.of();
    }
    RowWrite first = changes.get(0);
    return transactions.change(
        first.table(),
        first.key(),
        connection -> {
          List<StoredRow> written = new ArrayList<>(changes.size());
          for (RowWrite each : changes) {
            TableShape shape = schema.writable(each.table());
            written.add(
                each.seen().isEmpty()
                    ? writer.insert(connection, shape, each.columns(), author)
                    : writer.update(connection, shape, each.seen().get(), each.columns(), author));
          }
          return written;
        });
  }

  @Override
  public List<StoredRow> some(RuleTable table, RowFilter filter) {
    TableShape shape = schema.shape(table);
    if (!shape.exists() || !filter.equal().keySet().stream().allMatch(shape::has)) {
      return List.of();
    }
    return read(
        table,
        List.of(),
        connection -> {
          try (PreparedStatement statement =
              connection.prepareStatement(filter.sql(shape.select(), table.keyColumn()))) {
            filter.bind(statement, shape.key().kind());
            return rows(statement, shape);
          }
        });
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
  public Set<String> columns(RuleTable table) {
    return schema.columns(table);
  }

  @Override
  public Dialect dialect() {
    return schema.dialect();
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
    TableShape shape = schema.shape(table);
    return shape.exists()
        ? read(table, "", connection -> TableFingerprint.of(connection, schema.dialect(), shape))
        : "";
  }

  @Override
  public String contents(RuleTable table) {
    TableShape shape = schema.shape(table);
    return shape.exists()
        ? read(
            table,
            "",
            connection -> TableFingerprint.contents(connection, schema.dialect(), shape))
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
