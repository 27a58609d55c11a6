package io.weir.internal.rules.feed;

import io.weir.rules.problem.RuleProblem;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Reports each problem once, and once more when it is fixed.
 *
 * <p>Guarded by the lock of {@link RuleFeed}.
 */
final class ProblemLog {
  private static final Logger LOG = System.getLogger("io.weir");

  private final BiConsumer<RuleProblem, Boolean> listener;
  private Set<RuleProblem> reported = Set.of();

  /** Reports to a listener too, with each problem whether it is fixed. */
  ProblemLog(BiConsumer<RuleProblem, Boolean> listener) {
    this.listener = listener;
  }

  void report(List<RuleProblem> now) {
    Set<RuleProblem> present = new HashSet<>(now);
    for (RuleProblem problem : now) {
      if (!reported.contains(problem)) {
        listener.accept(problem, false);
        LOG.log(
            Level.WARNING,
            problem.isWarning()
                ? "rules: " + problem
                : "rules: "
                    + problem
                    + "; the row is ignored, and its last valid version still applies unless"
                    + " another row has replaced it");
      }
    }
    for (RuleProblem problem : reported) {
      if (!present.contains(problem)) {
        listener.accept(problem, true);
        LOG.log(Level.INFO, "rules: fixed: " + problem);
      }
    }
    reported = present;
  }
}
