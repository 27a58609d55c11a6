package io.weir.internal.control.decide;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.internal.control.decide.StatusAnswer.RuleStatus;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.rules.tier.UserTier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * Tells what a user has left under the rules that hold for it. Takes nothing. Reads the database,
 * and waits for the store, at most its time-out for each rule and five seconds for all: what isn't
 * read by then is missing, and the answer says so.
 *
 * <p>Safe for concurrent use.
 */
public final class UserStatus {
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private final Decisions decisions;
  private final Rules rules;
  private final LongSupplier nanoTime;

  /**
   * Tells what some decisions have left.
   *
   * @param decisions decide
   * @param rules say which rules there are
   */
  public UserStatus(Decisions decisions, Rules rules) {
    this(decisions, rules, System::nanoTime);
  }

  UserStatus(Decisions decisions, Rules rules, LongSupplier nanoTime) {
    this.decisions = decisions;
    this.rules = rules;
    this.nanoTime = nanoTime;
  }

  /**
   * What a user has left.
   *
   * @param userId the principal's name
   * @return its tier and rules, by pattern
   * @throws io.weir.internal.control.json.InvalidFieldException if it can't be the name of a user
   * @throws io.weir.rules.problem.RulesUnavailableException if the database can't be reached
   */
  public StatusAnswer of(String userId) {
    List<Rule> all = rules.rules().all();
    Optional<UserTier> row = rules.users().find(userId);
    Set<String> ruleNames = new HashSet<>();
    all.forEach(each -> ruleNames.add(each.name()));
    List<RuleStatus> statuses = new ArrayList<>();
    Set<String> told = new HashSet<>();
    boolean incomplete = false;
    long begin = nanoTime.getAsLong();
    for (Map.Entry<String, Set<String>> each : patterns(all, row).entrySet()) {
      for (String method : each.getValue()) {
        if (nanoTime.getAsLong() - begin >= LONGEST.toNanos()) {
          return new StatusAnswer(userId, tier(userId), statuses, true);
        }
        Optional<Decision> peeked = peek(userId, each.getKey(), method);
        incomplete |= peeked.isPresent() && peeked.get().degraded();
        for (Decision part : peeked.map(Decision::parts).orElse(List.of())) {
          String name = part.policy().name();
          boolean isHere = isOf(each.getKey(), name, all) || !ruleNames.contains(name);
          if (isHere && countsUser(part.policy(), part.key()) && told.add(name)) {
            statuses.add(status(each.getKey(), part));
          }
        }
      }
    }
    return new StatusAnswer(userId, tier(userId), statuses, incomplete);
  }

  /** The methods of each pattern, since a rule may hold for some only. */
  private static Map<String, Set<String>> patterns(List<Rule> all, Optional<UserTier> row) {
    Map<String, Set<String>> patterns = new TreeMap<>();
    for (Rule each : all) {
      Set<String> methods = patterns.computeIfAbsent(each.pattern(), any -> new TreeSet<>());
      methods.add("");
      methods.addAll(each.methods());
    }
    for (OwnLimit each : row.map(UserTier::ownLimits).orElse(List.of())) {
      if (each.rule().startsWith("/") || each.rule().equals(Rule.EVERYBODY)) {
        patterns.computeIfAbsent(each.rule(), any -> new TreeSet<>()).add("");
      }
    }
    return patterns;
  }

  private Optional<Decision> peek(String userId, String pattern, String method) {
    return decisions.peek(
        decisions.described(CheckRequest.ofPattern(userId, null, null, pattern, method)));
  }

  private static boolean isOf(String pattern, String policy, List<Rule> all) {
    for (Rule each : all) {
      String name = each.isForPolicy() ? each.policyName() : each.name();
      if (each.pattern().equals(pattern) && name.equals(policy)) {
        return true;
      }
    }
    return false;
  }

  /** Not what counts addresses, of which a user may have many. */
  private static boolean countsUser(Policy policy, Key key) {
    return !policy.by().contains(By.IP) && !key.equals(Key.nobody());
  }

  private RuleStatus status(String pattern, Decision part) {
    return new RuleStatus(
        pattern, part.limit(), Answers.remaining(part), decisions.answers().resetTime(part));
  }

  private String tier(String userId) {
    return rules.explain(ExplainedRequest.of("GET", "/", userId)).tierName();
  }
}
