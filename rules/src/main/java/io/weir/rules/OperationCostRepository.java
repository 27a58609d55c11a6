package io.weir.rules;

import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.RulesUnavailableException;
import java.util.List;

/**
 * Reads and changes the costs of requests: the rows of {@code operation_costs}.
 *
 * <p>Reads and writes the database in the calling thread, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
public interface OperationCostRepository {
  /**
   * Returns all costs that can be read.
   *
   * @return sorted by endpoint and method
   */
  List<OperationCost> all();

  /**
   * Saves a cost: a new one if its id is 0, else in place of its row.
   *
   * @param cost the cost
   * @param author the author, for the history
   * @return as it was saved, with id and version
   * @throws InvalidRuleException if it can't be used
   * @throws ConflictException if the row has another version by now, or is gone
   */
  OperationCost save(OperationCost cost, String author);

  /**
   * Deletes a cost.
   *
   * @param id the key of its row
   * @param version the version that the author has seen
   * @param author the author, for the history
   * @throws ConflictException if the row has another version by now, or is gone
   */
  void delete(long id, long version, String author);
}
