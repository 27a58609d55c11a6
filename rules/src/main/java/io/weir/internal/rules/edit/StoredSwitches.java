package io.weir.internal.rules.edit;

import io.weir.Ticker;
import io.weir.internal.rules.database.RuleTable;
import io.weir.internal.rules.database.StoredRow;
import io.weir.internal.rules.rulebook.column.SwitchColumns;
import io.weir.rules.PolicySwitch;
import io.weir.rules.SwitchRepository;
import io.weir.rules.problem.ConflictException;
import io.weir.rules.problem.RuleProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows of {@code switches}. A switch that is set replaces the one before. */
public final class StoredSwitches implements SwitchRepository {
  private static final Duration MAX_LENGTH = Duration.ofDays(30);
  private static final int TRIES = 3;

  private final VersionedRowEditor rows;
  private final Ticker ticker;

  public StoredSwitches(VersionedRowEditor rows, Ticker ticker) {
    this.rows = rows;
    this.ticker = ticker;
  }

  @Override
  public List<PolicySwitch> all() {
    Instant now = ticker.instant();
    return rows.all(RuleTable.SWITCHES).stream()
        .flatMap(row -> StoredRowReader.value(row, SwitchColumns::read).stream())
        .filter(one -> one.until().isAfter(now))
        .sorted(Comparator.comparing(PolicySwitch::policy))
        .toList();
  }

  @Override
  public void set(PolicySwitch wanted) {
    StoredRowReader.refuse(problems(wanted));
    Map<String, String> columns = SwitchColumns.write(wanted);
    again(
        () -> {
          Optional<StoredRow> row = rows.find(RuleTable.SWITCHES, wanted.policy());
          if (row.isPresent()) {
            rows.replace(
                RuleTable.SWITCHES, wanted.policy(), row.get().version(), columns, wanted.setBy());
          } else {
            rows.insert(RuleTable.SWITCHES, columns, wanted.setBy());
          }
        });
  }

  @Override
  public boolean end(String policy, String author) {
    boolean[] there = {false};
    again(
        () -> {
          Optional<StoredRow> row = rows.find(RuleTable.SWITCHES, policy);
          there[0] = row.isPresent();
          row.ifPresent(found -> rows.delete(RuleTable.SWITCHES, policy, found.version(), author));
        });
    return there[0];
  }

  private static void again(Runnable change) {
    for (int left = TRIES; ; left--) {
      try {
        change.run();
        return;
      } catch (ConflictException meanwhile) {
        if (left == 1) {
          throw meanwhile;
        }
      }
    }
  }

  private List<RuleProblem> problems(PolicySwitch wanted) {
    List<RuleProblem> problems = new ArrayList<>();
    if (wanted.policy().isBlank()) {
      problems.add(problem(wanted, "policy", "must name a policy or rule, or be *"));
    }
    if (wanted.reason().isBlank()) {
      problems.add(problem(wanted, "reason", "must give a reason"));
    }
    Instant now = ticker.instant();
    if (!wanted.until().isAfter(now)) {
      problems.add(problem(wanted, "until", "must be in the future, not " + wanted.until()));
    } else if (wanted.until().isAfter(now.plus(MAX_LENGTH))) {
      problems.add(
          problem(wanted, "until", "must be at most 30 days ahead, not " + wanted.until()));
    }
    return problems;
  }

  private static RuleProblem problem(PolicySwitch wanted, String field, String message) {
    return new RuleProblem(RuleTable.SWITCHES.tableName(), wanted.policy(), field, message, false);
  }
}
