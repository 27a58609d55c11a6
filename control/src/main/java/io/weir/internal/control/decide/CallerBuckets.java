package io.weir.internal.control.decide;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.PolicyInForce;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.rules.tier.UserTier;
import io.weir.store.BucketId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the buckets that count a caller, by asking what each pattern of the rulebook and each
 * annotated policy would decide. Takes nothing. Reads the database, and waits for the store, at
 * most its time-out for each rule.
 *
 * <p>What counts something else beside the caller, a header say, isn't found: which of many buckets
 * that is depends on the request.
 *
 * <p>Safe for concurrent use.
 */
public final class CallerBuckets {
  /** So that one question can't keep the store busy for ever. */
  private static final int MOST = 500;

  private final Decisions decisions;
  private final Rules rules;

  /**
   * Buckets of an application's limiter.
   *
   * @param decisions decide
   * @param rules say which patterns there are
   */
  public CallerBuckets(Decisions decisions, Rules rules) {
    this.decisions = decisions;
    this.rules = rules;
  }

  /**
   * Whom is asked about: one of the three.
   *
   * @param userId the principal's name
   * @param apiKey what the caller sends as its key
   * @param ip its address
   */
  public record Who(@Nullable String userId, @Nullable String apiKey, @Nullable String ip) {}

  /**
   * A bucket of a caller.
   *
   * @param endpoint the pattern that led to it, or {@code policy:} and a name
   * @param part what would be decided by it now
   * @param remaining what is left, at most the limit
   * @param resetTime when more is there, in seconds since the epoch
   */
  public record Found(String endpoint, Decision part, long remaining, long resetTime) {}

  /**
   * Finds the buckets of a caller.
   *
   * @param who whom; one of its members is given
   * @return at most 500, each once, by pattern
   * @throws io.weir.internal.control.json.InvalidFieldException if it can't be the name, key or
   *     address of a caller
   */
  public List<Found> of(Who who) {
    DescribedRequest unused = decisions.described(request(who, "/", "")); // checks who it is
    Map<BucketId, Found> found = new LinkedHashMap<>();
    for (Map.Entry<String, Set<String>> each : places(who).entrySet()) {
      for (String method : each.getValue()) {
        if (found.size() < MOST) {
          look(who, each.getKey(), method, found);
        }
      }
    }
    return List.copyOf(found.values());
  }

  private void look(Who who, String endpoint, String method, Map<BucketId, Found> found) {
    Optional<Decision> peeked = decisions.peek(decisions.described(request(who, endpoint, method)));
    for (Decision part : peeked.map(Decision::parts).orElse(List.of())) {
      if (counts(part, who)) {
        found.putIfAbsent(
            new BucketId(part.policy().spec(), part.key()),
            new Found(
                endpoint, part, Answers.remaining(part), decisions.answers().resetTime(part)));
      }
    }
  }

  private static CheckRequest request(Who who, String endpoint, String method) {
    return CheckRequest.ofPattern(who.userId(), who.apiKey(), who.ip(), endpoint, method);
  }

  /** Whether it counts that caller and nobody else. */
  private boolean counts(Decision part, Who who) {
    Policy policy = part.policy();
    boolean isRead =
        policy.keys().isEmpty()
            || who.apiKey() != null && policy.keys().equals(List.of(decisions.callerExpression()));
    boolean isAddressed = who.ip() != null || !policy.by().contains(By.IP);
    Key key = part.key();
    return isRead && isAddressed && !key.equals(Key.everybody()) && !key.equals(Key.nobody());
  }

  /** Where to look, and by which methods. */
  private Map<String, Set<String>> places(Who who) {
    Map<String, Set<String>> places = new TreeMap<>();
    for (Rule each : rules.rules().all()) {
      Set<String> methods =
          places.computeIfAbsent(CheckRequest.endpoint(each.pattern()), any -> fresh());
      methods.addAll(each.methods());
    }
    for (PolicyInForce each : rules.policies()) {
      if (each.rule().isEmpty()) {
        places.computeIfAbsent(Rule.POLICY + each.policy().name(), any -> fresh());
      }
    }
    if (who.userId() != null) {
      for (OwnLimit each :
          rules.users().find(who.userId()).map(UserTier::ownLimits).orElse(List.of())) {
        if (each.rule().startsWith("/")) {
          places.computeIfAbsent(each.rule(), any -> fresh());
        }
      }
    }
    return places;
  }

  private static Set<String> fresh() {
    return new TreeSet<>(Set.of(""));
  }
}
