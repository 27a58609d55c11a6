package io.weir.internal.rules.feed;

import io.weir.internal.rules.database.ChangeBatch;
import io.weir.internal.rules.database.ChangePosition;
import io.weir.internal.rules.database.Dialect;
import io.weir.internal.rules.database.HistoryFilter;
import io.weir.internal.rules.database.RowChange;
import io.weir.internal.rules.database.RowFilter;
import io.weir.internal.rules.database.RuleDatabase;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.SqlWork;
import io.weir.internal.rules.database.StoredRow;
import io.weir.rules.history.RuleChange;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A database that may be away when the application starts: until it has been opened, each call
 * throws {@link RulesUnavailableException}.
 *
 * <p>Safe for concurrent use.
 */
public final class LateDatabase implements RuleDatabase {
  private final Supplier<RuleDatabase> opener;
  private volatile @Nullable RuleDatabase opened;

  /**
   * Opens nothing yet.
   *
   * @param opener makes the tables and opens them; throws {@link RulesUnavailableException} while
   *     the database is away
   */
  public LateDatabase(Supplier<RuleDatabase> opener) {
    this.opener = opener;
  }

  /**
   * Opens the database, unless it is open.
   *
   * @throws RulesUnavailableException if it is away
   */
  public synchronized void open() {
    if (opened == null) {
      opened = opener.get();
    }
  }

  /** Whether it has been opened once. */
  public boolean isOpen() {
    return opened != null;
  }

  private RuleDatabase database() {
    RuleDatabase now = opened;
    if (now == null) {
      throw new RulesUnavailableException(
          "the database of the rules hasn't been reached since the start",
          new IllegalStateException("not opened yet"));
    }
    return now;
  }

  @Override
  public List<StoredRow> all(RuleTable table) {
    return database().all(table);
  }

  @Override
  public Optional<StoredRow> find(RuleTable table, String key) {
    return database().find(table, key);
  }

  @Override
  public List<StoredRow> ofUsers(RuleTable table, Collection<String> userIds) {
    return database().ofUsers(table, userIds);
  }

  @Override
  public StoredRow insert(RuleTable table, Map<String, String> columns, String author) {
    return database().insert(table, columns, author);
  }

  @Override
  public StoredRow update(StoredRow seen, Map<String, String> columns, String author) {
    return database().update(seen, columns, author);
  }

  @Override
  public void delete(StoredRow seen, String author) {
    database().delete(seen, author);
  }

  @Override
  public List<StoredRow> write(List<RowChange> changes, String author) {
    return database().write(changes, author);
  }

  @Override
  public List<StoredRow> some(RuleTable table, RowFilter filter) {
    return database().some(table, filter);
  }

  @Override
  public void announce(String kind, String key, Map<String, String> said, String author) {
    database().announce(kind, key, said, author);
  }

  @Override
  public <T> T inTransaction(String what, SqlWork<T> work) {
    return database().inTransaction(what, work);
  }

  @Override
  public Dialect dialect() {
    return database().dialect();
  }

  @Override
  public boolean tellsChanges() {
    return database().tellsChanges();
  }

  @Override
  public ChangeBatch changesSince(ChangePosition position, int most) {
    return database().changesSince(position, most);
  }

  @Override
  public ChangePosition position() {
    return database().position();
  }

  @Override
  public String fingerprint(RuleTable table) {
    return database().fingerprint(table);
  }

  @Override
  public List<RuleChange> latestChanges(HistoryFilter filter) {
    return database().latestChanges(filter);
  }

  @Override
  public List<RuleChange> changesOf(String table, String rowKey) {
    return database().changesOf(table, rowKey);
  }

  @Override
  public Set<String> columns(RuleTable table) {
    return database().columns(table);
  }

  @Override
  public Optional<RuleChange> change(long number) {
    return database().change(number);
  }
}
