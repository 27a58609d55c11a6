package io.weir.rules.usage;

import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.problem.RulesUnavailableException;

/**
 * Calculates which recorded requests a limit would have refused.
 *
 * <p>Reads the database in the thread of the caller, for at most 10 s, and throws {@link
 * RulesUnavailableException} if it is unavailable. Safe for concurrent use.
 */
@FunctionalInterface
public interface WhatIf {
  /**
   * Puts a limit against the recorded usage of known users.
   *
   * @param limit the limit; nothing is saved
   * @return the requests and users that it would have refused
   * @throws QueryTooLargeException if the database would have to read for too long, or the pattern
   *     matches only some of more than 2,000 endpoints
   */
  WhatIfResult of(WhatIfLimit limit);
}
