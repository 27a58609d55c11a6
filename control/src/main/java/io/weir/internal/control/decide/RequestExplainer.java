package io.weir.internal.control.decide;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.internal.control.decide.ExplainAnswer.PolicyExplanation;
import io.weir.internal.control.decide.request.CheckRequest;
import io.weir.internal.control.decide.request.DescribedRequest;
import io.weir.internal.rules.rulebook.WindowText;
import io.weir.rules.Rules;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains described requests: which rules apply, which don't and why, how many permits are left,
 * and what would be decided. Takes no permits. Waits for database and store, at most the time-out
 * of each.
 *
 * <p>Safe for concurrent use.
 */
public final class RequestExplainer {
  private final RequestDecider decider;
  private final Rules rules;

  /**
   * Makes an explainer.
   *
   * @param decider peeks at decisions
   * @param rules explain which of them apply
   */
  public RequestExplainer(RequestDecider decider, Rules rules) {
    this.decider = decider;
    this.rules = rules;
  }

  /**
   * Explains a request.
   *
   * @param request the request
   * @return the rules that could apply, and what a check would answer now
   * @throws io.weir.internal.control.json.InvalidFieldException if the description breaks a rule
   * @throws io.weir.InvalidRequestException if a policy can't count it
   */
  public ExplainAnswer explain(CheckRequest request) {
    DescribedRequest described = decider.described(request);
    Explanation why = explained(described);
    CheckResult peeked = decider.peek(described);
    Map<String, Decision> parts = new LinkedHashMap<>();
    for (Decision each : peeked.decision().map(Decision::parts).orElse(List.of())) {
      parts.merge(each.policy().name(), each, RequestExplainer::stricter);
    }
    List<PolicyExplanation> policies = new ArrayList<>();
    for (Explanation.Part each : why.parts()) {
      policies.add(explained(each, each.holds() ? parts.remove(each.policy()) : null));
    }
    for (Decision each : parts.values()) {
      policies.add(explained(ofSettings(each), each));
    }
    return new ExplainAnswer(why.caller(), why.tier(), decider.answers().of(peeked), policies);
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
            reading.apiKey(),
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

  private static Decision stricter(Decision one, Decision other) {
    return one.admitted() ? other : one;
  }

  /** Explains a policy of the settings: for a path, for the application, or the default. */
  private static Explanation.Part ofSettings(Decision part) {
    return new Explanation.Part(
        part.policy().name(),
        true,
        part.limit(),
        WindowText.of(part.policy().spec()),
        "settings",
        "the settings apply it to this endpoint");
  }

  private PolicyExplanation explained(Explanation.Part why, @Nullable Decision peeked) {
    if (peeked == null || peeked.degraded()) {
      return new PolicyExplanation(
          why.policy(),
          why.holds(),
          why.limit(),
          why.window(),
          why.source(),
          why.reason(),
          peeked == null ? null : peeked.admitted(),
          null,
          null,
          why.holds());
    }
    return new PolicyExplanation(
        why.policy(),
        true,
        peeked.limit(),
        why.window(),
        why.source(),
        why.reason(),
        peeked.admitted(),
        CheckAnswerFactory.remaining(peeked),
        decider.answers().resetTime(peeked),
        false);
  }
}
