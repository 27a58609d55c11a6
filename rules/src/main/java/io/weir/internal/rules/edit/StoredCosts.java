package io.weir.internal.rules.edit;

import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.CostColumns;
import io.weir.rules.OperationCost;
import io.weir.rules.OperationCostRepository;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The rows of {@code operation_costs}. */
public final class StoredCosts implements OperationCostRepository {
  private static final Comparator<OperationCost> ORDER =
      Comparator.comparing(OperationCost::endpoint)
          .thenComparing(OperationCost::method)
          .thenComparing(OperationCost::id);

  private final VersionedRowEditor rows;

  public StoredCosts(VersionedRowEditor rows) {
    this.rows = rows;
  }

  @Override
  public List<OperationCost> all() {
    return Stream.concat(
            rows.all(RuleTable.COSTS).stream(), rows.foreign().all(RuleTable.COSTS).stream())
        .flatMap(row -> StoredRowReader.value(row, CostColumns::read).stream())
        .sorted(ORDER)
        .toList();
  }

  @Override
  public OperationCost save(OperationCost cost, String author) {
    String key = Long.toString(cost.id());
    Map<String, String> columns = CostColumns.write(cost);
    CostColumns.read(new StoredRow(RuleTable.COSTS, key, columns));
    StoredRow row =
        cost.id() == 0
            ? rows.insert(RuleTable.COSTS, columns, author)
            : rows.replace(RuleTable.COSTS, key, cost.version(), columns, author);
    return CostColumns.read(row);
  }

  @Override
  public void delete(long id, long version, String author) {
    rows.delete(RuleTable.COSTS, Long.toString(id), version, author);
  }
}
