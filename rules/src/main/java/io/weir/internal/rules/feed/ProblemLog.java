package io.weir.internal.rules.feed;

import io.weir.rules.RuleProblem;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells each problem once, and once more when it is mended.
 *
 * <p>Guarded by the lock of {@link RuleFeed}.
 */
final class ProblemLog {
  private static final Logger LOG = System.getLogger("io.weir");

  private Set<RuleProblem> told = Set.of();

  /** Tells what is new, and what is gone. */
  void tell(List<RuleProblem> now) {
    Set<RuleProblem> present = new HashSet<>(now);
    for (RuleProblem problem : now) {
      if (!told.contains(problem)) {
        LOG.log(
            Level.WARNING,
            problem.isWarning()
                ? "rules: " + problem
                : "rules: " + problem + "; the row is left out, its last good version holds");
      }
    }
    for (RuleProblem problem : told) {
      if (!present.contains(problem)) {
        LOG.log(Level.INFO, "rules: mended: " + problem);
      }
    }
    told = present;
  }
}
