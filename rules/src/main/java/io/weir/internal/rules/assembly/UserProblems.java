package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.UserTier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Keeps what is wrong with the rows of users, as they were read last, by digest. Logs each problem
 * once. Bounded: rows beyond the first {@value #MOST} that are wrong are only used as they can be.
 *
 * <p>Safe for concurrent use.
 */
final class UserProblems {
  private static final int MOST = 1_000;

  private final Map<String, Wrong> byRow = new ConcurrentHashMap<>();
  private final Function<UserTier, List<RuleProblem>> checks;
  private final Consumer<List<RuleProblem>> log;

  /** A row, and what is wrong with it whatever the rules are. */
  private record Wrong(List<RuleProblem> problems, Optional<UserTier> user) {}

  /**
   * Knows of no row yet.
   *
   * @param checks what is wrong with a user beside the rules in force
   * @param log logs problems
   */
  UserProblems(Function<UserTier, List<RuleProblem>> checks, Consumer<List<RuleProblem>> log) {
    this.checks = checks;
    this.log = log;
  }

  /** Takes a row as it was read: what couldn't be, and the rest unless the row can't be used. */
  void replace(String userId, List<RuleProblem> problems, Optional<UserTier> user) {
    Wrong row = new Wrong(List.copyOf(problems), user);
    List<RuleProblem> all = all(row);
    log.accept(all);
    if (all.isEmpty()) {
      forget(List.of(userId));
    } else if (byRow.size() < MOST) {
      byRow.put(RuleTable.USERS.shown(userId), row);
    }
  }

  private List<RuleProblem> all(Wrong row) {
    List<RuleProblem> all = new ArrayList<>(row.problems);
    row.user.map(checks).ifPresent(all::addAll);
    return all;
  }

  /** Forgets rows that have changed or are gone: they are read again when their users come. */
  void forget(Collection<String> userIds) {
    if (!byRow.isEmpty()) { // a digest for each takes its time
      userIds.forEach(each -> byRow.remove(RuleTable.USERS.shown(each)));
    }
  }

  void forgetAll() {
    byRow.clear();
  }

  /** What is wrong beside the rules of now. */
  List<RuleProblem> all() {
    return byRow.values().stream().flatMap(row -> all(row).stream()).toList();
  }
}
