package io.weir.internal.control.decide;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.access.AccessAction;
import io.weir.annotation.By;
import io.weir.internal.control.decide.LimitStatusAnswer.BanStatus;
import io.weir.internal.control.decide.LimitStatusAnswer.RuleStatus;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.internal.control.decide.request.DescribedRequest;
import io.weir.internal.rules.rulebook.WindowText;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.tier.OwnLimit;
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

/**
 * Reads how many permits a user has left under the rules that apply. Takes none. Reads the
 * database, and waits for the store, at most its time-out for each rule and 5 s in all: rules that
 * haven't been read by then are missing, and the answer says so.
 *
 * <p>Safe for concurrent use.
 */
public final class UserStatusReader {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final RequestDecider decider;
  private final AccessReader access;
  private final Rules rules;
  private final Ticker ticker;

  public UserStatusReader(RequestDecider decider, AccessReader access, Rules rules, Ticker ticker) {
    this.decider = decider;
    this.access = access;
    this.rules = rules;
    this.ticker = ticker;
  }

  /**
   * Reads the state of a user's limits.
   *
   * @return the user's tier and rules, by pattern
   * @throws io.weir.internal.control.json.InvalidFieldException if no user can have that name
   * @throws io.weir.rules.problem.RulesUnavailableException if the database can't be reached
   */
  public LimitStatusAnswer of(String userId) {
    List<AccessMatch> matches = access.of(request(userId, "/", ""));
    if (AccessMatch.overrides(matches)) {
      return answer(userId, matches, List.of(), false);
    }
    List<Rule> all = rules.rules().all();
    Optional<UserTier> row = rules.users().find(userId);
    Set<String> ruleNames = new HashSet<>();
    all.forEach(each -> ruleNames.add(each.name()));
    List<RuleStatus> statuses = new ArrayList<>();
    Set<String> listed = new HashSet<>();
    boolean incomplete = false;
    long begin = ticker.nanoTime();
    for (Map.Entry<String, Set<String>> each : patterns(all, row).entrySet()) {
      for (String method : each.getValue()) {
        if (ticker.nanoTime() - begin >= TIMEOUT.toNanos()) {
          return answer(userId, matches, statuses, true);
        }
        CheckResult peeked = peek(userId, each.getKey(), method);
        incomplete |= peeked.degraded();
        for (Decision part : CheckAnswerFactory.parts(peeked)) {
          String name = part.policy().name();
          boolean isHere = isOf(each.getKey(), name, all) || !ruleNames.contains(name);
          if (isHere && countsUser(part.policy(), part.key()) && listed.add(name)) {
            statuses.add(status(each.getKey(), part));
          }
        }
      }
    }
    return answer(userId, matches, statuses, incomplete);
  }

  private LimitStatusAnswer answer(
      String userId, List<AccessMatch> matches, List<RuleStatus> statuses, boolean incomplete) {
    AccessAction byList = AccessMatch.deciding(matches);
    String word = byList == null ? null : byList.name();
    List<BanStatus> bans = matches.stream().filter(AccessMatch::bans).map(BanStatus::of).toList();
    return new LimitStatusAnswer(userId, tier(userId), word, bans, statuses, incomplete);
  }

  /** Returns the methods of each pattern, since a rule may apply to some methods only. */
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

  private CheckResult peek(String userId, String pattern, String method) {
    return decider.peek(request(userId, pattern, method));
  }

  private DescribedRequest request(String userId, String pattern, String method) {
    return decider.described(CheckRequest.ofPattern(userId, null, null, pattern, method));
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

  /** Excludes policies that count addresses, of which a user may have many. */
  private static boolean countsUser(Policy policy, Key key) {
    return !policy.by().contains(By.IP) && !key.equals(Key.nobody());
  }

  private RuleStatus status(String pattern, Decision part) {
    return new RuleStatus(
        part.policy().name(),
        pattern,
        part.limit(),
        WindowText.of(part.policy().spec()),
        CheckAnswerFactory.remaining(part),
        decider.answers().resetTime(part),
        part.policy().shadow());
  }

  private String tier(String userId) {
    return rules.explain(ExplainedRequest.of("GET", "/", userId)).tierName();
  }
}
