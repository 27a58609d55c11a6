package io.weir.internal.rules.assembly;

import io.weir.internal.rules.database.RuleTable;
import io.weir.rules.Rule;
import io.weir.rules.problem.RuleProblem;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserTier;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Keeps the problems of users' rows, as they were read last, by digest, and logs each once. Keeps
 * at most {@value #MAX_ROWS} rows, and logs at most {@value #MAX_LOGGED} problems.
 *
 * <p>Safe for concurrent use.
 */
final class UserProblems {
  private static final Logger LOG = System.getLogger("io.weir");
  private static final int MAX_ROWS = 1_000;
  private static final int MAX_LOGGED = 1_000;

  /** The most problems of one row. */
  private static final int MAX_PROBLEMS = 20;

  /** The most own limits of policies that are kept of a large row until policies are bound. */
  private static final int MAX_POLICIES = 100;

  private final Map<String, Wrong> byRow = new ConcurrentHashMap<>();
  private final Set<RuleProblem> logged = ConcurrentHashMap.newKeySet();
  private final Function<UserTier, List<RuleProblem>> checks;
  private final Function<UserTier, List<RuleProblem>> unknownPolicies;

  /** Whether the application has had the time to bind its policies. */
  private volatile boolean isBound;

  /**
   * A row, and its problems whatever the rules are.
   *
   * @param policies what is kept of a large user: own limits of policies that may be bound yet
   */
  private record Wrong(
      List<RuleProblem> problems, Optional<UserTier> policies, Optional<UserTier> user) {}

  /**
   * Keeps nothing yet.
   *
   * @param checks finds the problems of a user under the rules in force
   * @param unknownPolicies finds own limits of policies that the application hasn't bound so far
   */
  UserProblems(
      Function<UserTier, List<RuleProblem>> checks,
      Function<UserTier, List<RuleProblem>> unknownPolicies) {
    this.checks = checks;
    this.unknownPolicies = unknownPolicies;
  }

  /** Reports unknown policies from now on: those that the application has are bound. */
  void policiesBound() {
    if (!isBound) {
      isBound = true;
      log(all());
    }
  }

  void log(List<RuleProblem> problems) {
    for (RuleProblem problem : problems) {
      if (logged.size() < MAX_LOGGED && logged.add(problem)) {
        LOG.log(Level.WARNING, "rules: " + problem);
      }
    }
  }

  /**
   * Replaces the problems of a row that was read.
   *
   * @param problems of columns that can't be read
   * @param user empty if the row can't be used
   */
  void replace(String userId, List<RuleProblem> problems, Optional<UserTier> user) {
    Wrong row = new Wrong(List.copyOf(problems), Optional.empty(), user);
    boolean mayBeBound =
        !isBound && user.filter(each -> !unknownPolicies.apply(each).isEmpty()).isPresent();
    List<RuleProblem> all = all(row);
    if (all.size() > MAX_PROBLEMS || user.filter(each -> isLarge(each)).isPresent()) {
      row =
          new Wrong(
              some(all),
              user.filter(each -> mayBeBound).map(UserProblems::policiesOf),
              Optional.empty()); // for memory
      all = row.problems;
    }
    log(all);
    if (all.isEmpty() && !mayBeBound) {
      forget(List.of(userId));
    } else if (byRow.size() < MAX_ROWS) {
      byRow.put(RuleTable.USERS.shown(userId), row);
    }
  }

  private static boolean isLarge(UserTier user) {
    return user.ownLimits().size() > MAX_PROBLEMS;
  }

  /** Returns a user with the first of its own limits of policies, and no others. */
  private static UserTier policiesOf(UserTier user) {
    List<OwnLimit> limits =
        user.ownLimits().stream()
            .filter(each -> each.rule().startsWith(Rule.POLICY))
            .limit(MAX_POLICIES)
            .toList();
    return new UserTier(
        user.userId(), user.tier(), limits, user.state(), user.validUntil(), user.version());
  }

  /** Returns the first problems of a row, and how many further ones there are. */
  private static List<RuleProblem> some(List<RuleProblem> all) {
    if (all.size() <= MAX_PROBLEMS) {
      return List.copyOf(all);
    }
    RuleProblem last = all.get(MAX_PROBLEMS);
    List<RuleProblem> some = new ArrayList<>(all.subList(0, MAX_PROBLEMS));
    some.add(
        new RuleProblem(
            last.table(),
            last.row(),
            last.field(),
            "has " + (all.size() - MAX_PROBLEMS) + " further problems",
            last.isWarning()));
    return List.copyOf(some);
  }

  private List<RuleProblem> all(Wrong row) {
    List<RuleProblem> all = new ArrayList<>(row.problems);
    row.user.map(checks).ifPresent(all::addAll);
    if (isBound) {
      row.user.map(unknownPolicies).ifPresent(all::addAll);
      row.policies.map(unknownPolicies).map(UserProblems::some).ifPresent(all::addAll);
    }
    return all;
  }

  /** Forgets rows that were changed or deleted; requests of their users read them again. */
  void forget(Collection<String> userIds) {
    if (!byRow.isEmpty()) { // computing a digest for each takes time
      userIds.forEach(each -> byRow.remove(RuleTable.USERS.shown(each)));
    }
  }

  void forgetAll() {
    byRow.clear();
  }

  /** Returns the problems under the rules in force. */
  List<RuleProblem> all() {
    return byRow.values().stream().flatMap(row -> all(row).stream()).toList();
  }
}
