package io.weir.internal.control.decide;

import io.weir.CheckResult;
import io.weir.Decision;
import io.weir.Reason;
import io.weir.access.AccessAction;
import io.weir.internal.control.decide.ExplainAnswer.PolicyExplanation;
import io.weir.internal.guard.NextDecision.Undecided;
import io.weir.internal.rules.rulebook.WindowText;
import io.weir.rules.PolicyInForce;
import io.weir.rules.Rule;
import io.weir.rules.Rules;
import io.weir.rules.explanation.Explanation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Joins the reasons of policies with what they would decide, and with what regions have counted,
 * for which it waits as {@link RegionsReader} does. Immutable.
 */
final class PolicyExplanations {
  private static final String NOT_MET =
      "it doesn't apply to this request, because of its condition, the setting except, or the"
          + " method";

  private static final String BANNED = "the caller is banned, even if permits are left";

  private final CheckAnswerFactory answers;
  private final Rules rules;
  private final RegionsReader regions;

  PolicyExplanations(CheckAnswerFactory answers, Rules rules, RegionsReader regions) {
    this.answers = answers;
    this.rules = rules;
    this.regions = regions;
  }

  /** Lists the explained policies, those that nobody explains, and those that aren't decided. */
  List<PolicyExplanation> of(
      Explanation why,
      CheckResult known,
      List<Undecided> undecided,
      @Nullable AccessAction byList) {
    Map<String, Decision> parts = new LinkedHashMap<>();
    for (Decision each : CheckAnswerFactory.parts(known)) {
      parts.merge(each.policy().name(), each, PolicyExplanations::stricter);
    }
    Map<Decision, RegionsAnswer> counted = regions.of(parts.values());
    Map<String, String> open = new LinkedHashMap<>();
    undecided.forEach(each -> open.put(each.policy(), each.reason()));
    @Nullable String ofAll = open.remove("");
    Map<String, Decision> decided = new HashMap<>();
    List<PolicyExplanation> policies = new ArrayList<>();
    for (Explanation.Part each : why.parts()) {
      String name = each.policy();
      if (!each.holds()) {
        policies.add(row(each, false, each.reason()));
      } else if (open.containsKey(name)) {
        policies.add(row(each, true, open.remove(name)));
      } else if (parts.containsKey(name)) {
        Decision part = parts.remove(name);
        decided.put(name, part);
        policies.add(row(each, part, counted.get(part)));
      } else if (decided.containsKey(name)) {
        policies.add(beside(each, decided.get(name)));
      } else {
        policies.add(ofAll == null ? row(each, false, notAsked(byList)) : row(each, true, ofAll));
      }
    }
    parts.values().forEach(each -> policies.add(row(unlisted(each), each, counted.get(each))));
    open.forEach(
        (name, reason) ->
            policies.add(row(new Explanation.Part(name, true, 0, "", "", reason), true, reason)));
    return policies;
  }

  private static String notAsked(@Nullable AccessAction byList) {
    if (byList == null) {
      return NOT_MET;
    }
    return switch (byList) {
      case DENY -> "an access list denies the caller, so no limit is asked";
      case ALLOW -> "an access list lets the caller through, so the limit isn't asked";
      case BAN -> "the caller is banned from the whole application, so no limit is asked";
    };
  }

  private static Decision stricter(Decision one, Decision other) {
    return one.admitted() ? other : one;
  }

  /** Explains a policy that applies on the way to the endpoint, or by settings alone. */
  private Explanation.Part unlisted(Decision part) {
    String name = part.policy().name();
    Optional<Rule> rule =
        rules.policies().stream()
            .filter(each -> each.policy().name().equals(name))
            .flatMap((PolicyInForce each) -> each.rule().stream())
            .findFirst();
    return new Explanation.Part(
        name,
        true,
        part.limit(),
        WindowText.of(part.policy().spec()),
        rule.map(each -> "rule " + each.id()).orElse("settings"),
        "it applies on the way to this endpoint");
  }

  /** Explains a policy without figures: one that doesn't apply, or that isn't decided here. */
  private static PolicyExplanation row(Explanation.Part why, boolean isOpen, String reason) {
    return new PolicyExplanation(
        why.policy(),
        isOpen,
        isOpen ? why.limit() : 0,
        why.window(),
        why.source(),
        reason,
        null,
        null,
        null,
        false,
        isOpen,
        null);
  }

  /** Explains what else holds for a policy whose figures stand in another row. */
  private static PolicyExplanation beside(Explanation.Part why, Decision decided) {
    return new PolicyExplanation(
        why.policy(),
        true,
        why.limit(),
        why.window(),
        why.source(),
        why.reason(),
        decided.admitted(),
        null,
        null,
        false,
        false,
        null);
  }

  private PolicyExplanation row(
      Explanation.Part why, Decision part, @Nullable RegionsAnswer counted) {
    boolean isUnread = part.degraded();
    return new PolicyExplanation(
        why.policy(),
        true,
        isUnread ? why.limit() : part.limit(),
        why.window(),
        why.source(),
        part.reason() == Reason.BANNED ? BANNED : why.reason(),
        part.admitted(),
        isUnread ? null : CheckAnswerFactory.remaining(part),
        isUnread ? null : answers.resetTime(part),
        isUnread,
        false,
        counted);
  }
}
