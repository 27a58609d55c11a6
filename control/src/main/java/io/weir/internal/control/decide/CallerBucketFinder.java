package io.weir.internal.control.decide;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Key;
import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.rules.PolicyInForce;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.rules.tier.OwnLimit;
import io.weir.rules.tier.UserTier;
import io.weir.store.BucketId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds the buckets of a caller by peeking at what each pattern of the rulebook and each annotated
 * policy would decide. Takes no permits. Reads the database, and waits for the store, at most its
 * time-out for each rule.
 *
 * <p>Doesn't find buckets that depend on more than the caller, such as a header, since the request
 * selects one of many.
 *
 * <p>Safe for concurrent use.
 */
public final class CallerBucketFinder {
  /** Keeps one call from occupying the store for ever. */
  private static final int MAX_BUCKETS = 500;

  private final RequestDecider decider;
  private final AccessReader access;
  private final Rules rules;

  public CallerBucketFinder(RequestDecider decider, AccessReader access, Rules rules) {
    this.decider = decider;
    this.access = access;
    this.rules = rules;
  }

  /** A caller, named by one of the three. */
  public record Caller(@Nullable String userId, @Nullable String apiKey, @Nullable String ip) {}

  /**
   * A bucket of a caller.
   *
   * @param endpoint the pattern that uses it, or {@code policy:} and a name
   * @param part its part of what would be decided now
   * @param remaining the permits left, at most the limit
   * @param resetTime when more permits are available, in seconds since 1970
   */
  public record Found(String endpoint, Decision part, long remaining, long resetTime) {}

  /**
   * Finds the buckets of a caller.
   *
   * @param caller one of its members is given
   * @return at most 500, each once, sorted by pattern; none if an access list decides without them
   * @throws io.weir.internal.control.json.InvalidFieldException if no caller can have that name,
   *     key or address
   */
  public List<Found> of(Caller caller) {
    if (AccessMatch.overrides(access(caller))) { // which checks the caller
      return List.of();
    }
    Map<BucketId, Found> found = new LinkedHashMap<>();
    for (Map.Entry<String, Set<String>> each : places(caller).entrySet()) {
      for (String method : each.getValue()) {
        if (found.size() < MAX_BUCKETS) {
          find(caller, each.getKey(), method, found);
        }
      }
    }
    return List.copyOf(found.values());
  }

  /**
   * Returns the entries of access lists that are about the caller; the one that decides is first.
   */
  public List<AccessMatch> access(Caller caller) {
    return access.of(decider.described(request(caller, "/", "")));
  }

  private void find(Caller caller, String endpoint, String method, Map<BucketId, Found> found) {
    for (Decision part : peek(request(caller, endpoint, method))) {
      if (counts(part, caller)) {
        found.putIfAbsent(
            new BucketId(part.policy().spec(), part.key()),
            new Found(
                endpoint,
                part,
                CheckAnswerFactory.remaining(part),
                decider.answers().resetTime(part)));
      }
    }
  }

  /** Peeks at one permit where the request would say what it costs, which isn't known here. */
  private List<Decision> peek(CheckRequest request) {
    try {
      return parts(request);
    } catch (InvalidRequestException costUnknown) {
      try {
        return parts(request.withCost(1));
      } catch (InvalidRequestException unreadable) {
        return List.of();
      }
    }
  }

  private List<Decision> parts(CheckRequest request) {
    return CheckAnswerFactory.parts(decider.peek(decider.described(request)));
  }

  private static CheckRequest request(Caller caller, String endpoint, String method) {
    return CheckRequest.ofPattern(caller.userId(), caller.apiKey(), caller.ip(), endpoint, method);
  }

  /** Returns whether a part's bucket counts this caller and no other. */
  private boolean counts(Decision part, Caller caller) {
    Policy policy = part.policy();
    boolean isRead =
        policy.keys().isEmpty()
            || caller.apiKey() != null && policy.keys().equals(List.of(decider.keys().caller()));
    boolean isAddressed = caller.ip() != null || !policy.by().contains(By.IP);
    Key key = part.key();
    return isRead && isAddressed && !key.equals(Key.everybody()) && !key.equals(Key.nobody());
  }

  /** Returns the endpoints to peek at, with the HTTP methods of each. */
  private Map<String, Set<String>> places(Caller caller) {
    Map<String, Set<String>> places = new TreeMap<>();
    for (Rule each : rules.rules().all()) {
      Set<String> methods =
          places.computeIfAbsent(CheckRequest.endpoint(each.pattern()), any -> anyMethod());
      methods.addAll(each.methods());
    }
    for (PolicyInForce each : rules.policies()) {
      if (each.rule().isEmpty()) {
        places.computeIfAbsent(Rule.POLICY + each.policy().name(), any -> anyMethod());
      }
    }
    if (caller.userId() != null) {
      for (OwnLimit each :
          rules.users().find(caller.userId()).map(UserTier::ownLimits).orElse(List.of())) {
        if (each.rule().startsWith("/")) {
          places.computeIfAbsent(each.rule(), any -> anyMethod());
        }
      }
    }
    return places;
  }

  private static Set<String> anyMethod() {
    return new TreeSet<>(Set.of(""));
  }
}
