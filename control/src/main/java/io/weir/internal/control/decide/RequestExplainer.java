package io.weir.internal.control.decide;

import io.weir.internal.application.WeirRuntime;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.internal.control.decide.request.DescribedRequest;
import io.weir.internal.guard.NextDecision;
import io.weir.internal.guard.NextDecision.Undecided;
import io.weir.rules.PolicyInForce;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.problem.RulesUnavailableException;
import io.weir.rules.usage.Violation;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Explains described requests: which rules apply, which don't and why, how many permits are left,
 * and what the next request to this node would get. Takes no permits. Waits for database and store,
 * at most the time-out of each, for the stores of all regions together at most the longest of
 * theirs, and for the application's resolvers.
 *
 * <p>Safe for concurrent use.
 */
public final class RequestExplainer {
  /** Headers of proxies: a description has the address that they would have led to. */
  private static final Set<String> FORWARDING =
      Set.of("header:x-forwarded-for", "header:forwarded");

  private static final Duration LATELY = Duration.ofMinutes(10);
  private static final int MAX_VIOLATIONS = 1_000;

  private final WeirRuntime weir;
  private final RequestDecider decider;
  private final AccessReader access;
  private final RegionsReader regions;
  private final Rules rules;

  /** Makes an explainer. From now on the limiter remembers which policies its endpoints meet. */
  public RequestExplainer(WeirRuntime weir, RequestDecider decider, Rules rules) {
    this.weir = weir;
    this.decider = decider;
    this.access = AccessReader.of(weir);
    this.regions = RegionsReader.of(weir);
    this.rules = rules;
    weir.rememberRoutes();
  }

  /**
   * Explains a request.
   *
   * @throws io.weir.internal.control.json.InvalidFieldException if the description breaks a rule
   * @throws io.weir.InvalidRequestException if a policy can't count it
   */
  public ExplainAnswer explain(CheckRequest request) {
    DescribedRequest described = decider.described(request);
    Explanation why = explained(described);
    List<AccessMatch> matches = access.of(described);
    NextDecision next = weir.next(described, each -> isGiven(described, each));
    List<Undecided> undecided = new ArrayList<>(next.undecided());
    if (!next.isServedHere() && !described.endpoint().startsWith(Rule.POLICY)) {
      undecided.addAll(elsewhere(described.endpoint()));
    }
    Optional<Boolean> allowed =
        new NextDecision(next.known(), undecided, next.isServedHere()).allowed();
    return new ExplainAnswer(
        why.caller(),
        why.tier(),
        allowed.orElse(null),
        allowed.isPresent() ? decider.answers().of(next.known()) : null,
        matches,
        undecided.stream().filter(Undecided::mayRefuse).map(RequestExplainer::text).toList(),
        new PolicyExplanations(decider.answers(), rules, regions)
            .of(why, next.known(), undecided, AccessMatch.deciding(matches)));
  }

  private static String text(Undecided undecided) {
    return undecided.policy().isEmpty()
        ? undecided.reason()
        : undecided.policy() + ": " + undecided.reason();
  }

  /** Returns whether a description that lacks a value says that the request has none. */
  private boolean isGiven(DescribedRequest described, String expression) {
    return described.lacks(expression)
        || decider.keys().include(expression)
        || FORWARDING.contains(expression.toLowerCase(Locale.ROOT));
  }

  /**
   * Returns the policies that this node knows of by others only, since their code isn't here: those
   * that rules change, and those that have refused requests to the endpoint lately.
   */
  private List<Undecided> elsewhere(String endpoint) {
    Set<String> known = new HashSet<>();
    weir.policies().forEach(each -> known.add(each.policy().name()));
    Set<String> others = new TreeSet<>();
    for (PolicyInForce each : rules.policies()) {
      known.add(each.policy().name());
      each.rule().map(Rule::name).ifPresent(known::add);
    }
    try {
      for (Rule each : rules.rules().all()) {
        if (each.isForPolicy()) {
          others.add(each.policyName());
        }
      }
      Instant now = Instant.EPOCH.plus(weir.ticker().epochMicros(), ChronoUnit.MICROS);
      for (Violation each :
          rules.usage().violations(now.minus(LATELY), now.plus(LATELY), MAX_VIOLATIONS)) {
        if (each.endpoint().equals(endpoint)) {
          others.add(each.policy());
        }
      }
    } catch (RulesUnavailableException away) {
      return List.of(
          new Undecided("", "the database can't be reached: " + away.getMessage(), true));
    }
    others.removeAll(known);
    others.remove(""); // of rows that other programs have written
    return others.stream()
        .map(each -> new Undecided(each, "only other nodes have it, and may apply it", true))
        .toList();
  }

  /** Joins the explanations of all readings of the endpoint; the caller is the same for all. */
  private Explanation explained(DescribedRequest described) {
    Explanation first = explainedAs(described);
    Map<List<String>, Explanation.Part> parts = new LinkedHashMap<>();
    addTo(parts, first);
    for (DescribedRequest each : described.otherReadings()) {
      addTo(parts, explainedAs(each));
    }
    List<Explanation.Part> sorted = new ArrayList<>(parts.values());
    sorted.sort(Comparator.comparing(each -> !each.holds()));
    return new Explanation(first.caller(), first.tier(), sorted);
  }

  private Explanation explainedAs(DescribedRequest reading) {
    return rules.explain(
        new ExplainedRequest(
            reading.method(),
            reading.endpoint(),
            reading.user(),
            reading.apiKey().filter(any -> decider.keys().areReadByRules()),
            Optional.empty(),
            reading.tier()));
  }

  private static void addTo(Map<List<String>, Explanation.Part> parts, Explanation reading) {
    for (Explanation.Part each : reading.parts()) {
      parts.merge(
          List.of(each.policy(), each.source()),
          each,
          (known, other) -> !known.holds() && other.holds() ? other : known);
    }
  }
}
