package io.weir.internal.control.decide;

import io.weir.Decision;
import io.weir.internal.control.decide.ExplainAnswer.PolicyExplanation;
import io.weir.rules.ExplainedRequest;
import io.weir.rules.Explanation;
import io.weir.rules.Rules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains described requests: which rules hold, which don't and why, what is left, what would be
 * decided. Counts nothing. Waits for database and store, for each at most its time-out.
 *
 * <p>Safe for concurrent use.
 */
public final class Explanations {
  private final Decisions decisions;
  private final Rules rules;

  /**
   * Explains what some decisions would be.
   *
   * @param decisions decide
   * @param rules explain
   */
  public Explanations(Decisions decisions, Rules rules) {
    this.decisions = decisions;
    this.rules = rules;
  }

  /**
   * Explains a request.
   *
   * @param request the request
   * @return what holds, and what a check would answer now
   * @throws io.weir.internal.control.json.InvalidFieldException if the description breaks a rule
   * @throws io.weir.InvalidRequestException if a policy can't count it
   */
  public ExplainAnswer explain(CheckRequest request) {
    DescribedRequest described = decisions.described(request);
    Explanation why =
        rules.explain(
            new ExplainedRequest(
                described.method(),
                described.endpoint(),
                described.user(),
                described.apiKey(),
                Optional.empty(),
                described.tier()));
    Optional<Decision> peeked = decisions.peek(described);
    Map<String, Decision> parts = new LinkedHashMap<>();
    peeked.ifPresent(all -> all.parts().forEach(each -> parts.put(each.policy().name(), each)));
    List<PolicyExplanation> policies = new ArrayList<>();
    for (Explanation.Part each : why.parts()) {
      policies.add(explained(each, each.holds() ? parts.remove(each.policy()) : null));
    }
    for (Decision each : parts.values()) {
      policies.add(explained(ofSettings(each), each));
    }
    return new ExplainAnswer(why.caller(), why.tier(), decisions.answers().of(peeked), policies);
  }

  /** A policy that rules know nothing of: for the path, for the application, by default. */
  private static Explanation.Part ofSettings(Decision part) {
    return new Explanation.Part(
        part.policy().name(),
        true,
        part.limit(),
        part.policy().window().toSeconds() + "s",
        "settings",
        "the settings give it to this endpoint");
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
        Answers.remaining(peeked),
        decisions.answers().resetTime(peeked),
        false);
  }
}
