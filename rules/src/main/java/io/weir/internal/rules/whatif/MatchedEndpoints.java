package io.weir.internal.rules.whatif;

import io.weir.internal.rules.database.Sql;
import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.rules.Rule;
import io.weir.rules.problem.InvalidRuleException;
import io.weir.rules.problem.QueryTooLargeException;
import io.weir.rules.problem.RuleProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * Selects the recorded endpoints whose requests a pattern matches, all or some of them. Confine to
 * one thread.
 */
final class MatchedEndpoints {
  private static final int MAX_NAMED = 2_000;
  private static final int MAX_LISTED = 10;

  /** A variable as patterns of rules are recorded; a template's has a name, and is no literal. */
  private static final String ANY_SEGMENT = "{}";

  private final EndpointPattern pattern;
  private final List<String> matched = new ArrayList<>();
  private final List<String> partly = new ArrayList<>();
  private boolean isAll = true;

  /**
   * Selects none yet.
   *
   * @throws InvalidRuleException if it isn't the pattern of endpoints
   */
  MatchedEndpoints(String pattern) {
    this.pattern = parse(pattern);
  }

  private static EndpointPattern parse(String pattern) {
    try {
      if (pattern.startsWith(Rule.POLICY)) {
        throw new IllegalArgumentException(
            "must be a pattern of endpoints: the policies that counted a request aren't recorded");
      }
      return EndpointPattern.parse(pattern);
    } catch (IllegalArgumentException wrong) {
      throw new InvalidRuleException(
          List.of(
              new RuleProblem(
                  "rate_limit_rules",
                  "that isn't saved",
                  "endpoint_pattern",
                  String.valueOf(wrong.getMessage()),
                  false)));
    }
  }

  /**
   * Looks at a recorded endpoint: a template, a mapping, a pattern, or the name of a policy.
   *
   * @return whether its requests count
   */
  boolean add(String endpoint) {
    boolean isMatched = matches(endpoint);
    isAll &= isMatched;
    if (isMatched) {
      matched.add(endpoint);
    }
    return isMatched;
  }

  private boolean matches(String endpoint) {
    if (endpoint.startsWith(Rule.POLICY)) {
      return false; // a method without a path
    }
    try {
      EndpointPattern recorded = EndpointPattern.parse(endpoint);
      if (pattern.covers(recorded)) {
        return true;
      }
      boolean isOfPaths = recorded.hasRest() || endpoint.contains(ANY_SEGMENT);
      if (!isOfPaths || !recorded.meets(pattern)) {
        return false;
      }
    } catch (IllegalArgumentException mapping) {
      // as *.do: it may have any path
    }
    partly.add(endpoint);
    return true;
  }

  boolean isNone() {
    return matched.isEmpty();
  }

  /** Returns the endpoints of which it is unknown which requests the pattern matches. */
  List<String> partly() {
    return partly.subList(0, Math.min(MAX_LISTED, partly.size()));
  }

  /**
   * Returns a condition that rows are of these endpoints, which begins with AND.
   *
   * @throws QueryTooLargeException if they are too many to be named
   */
  Sql sql() {
    if (isAll) {
      return Sql.NOTHING;
    }
    if (matched.size() > MAX_NAMED) {
      throw new QueryTooLargeException(
          "usage can't be read: the pattern matches more than 2,000 endpoints, but not all; use"
              + " the pattern * or a narrower one",
          null);
    }
    return Sql.of(" AND endpoint IN ").then(Sql.list(matched));
  }
}
