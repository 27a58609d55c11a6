package io.weir.internal.rules.assembly;

import io.weir.rules.problem.RuleProblem;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Logs each problem with a row of a user once. Safe for concurrent use. */
final class ToldOnce implements Consumer<List<RuleProblem>> {
  private static final Logger LOG = System.getLogger("io.weir");

  /** Beyond that many, more bad rows say nothing new. */
  private static final int MOST = 1_000;

  private final Set<RuleProblem> told = ConcurrentHashMap.newKeySet();

  @Override
  public void accept(List<RuleProblem> problems) {
    for (RuleProblem problem : problems) {
      if (told.size() < MOST && told.add(problem)) {
        LOG.log(Level.WARNING, "rules: " + problem);
      }
    }
  }
}
