package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.internal.rules.callers.CallerProfile;
import io.weir.internal.rules.callers.CallerProfileCache;
import io.weir.internal.rules.database.Sha256Digest;
import io.weir.internal.rules.rulebook.AppliedRule;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.internal.rules.rulebook.EndpointRules;
import io.weir.internal.rules.rulebook.LimitedCaller;
import io.weir.internal.rules.rulebook.Rulebook;
import io.weir.internal.rules.rulebook.UnusableRule;
import io.weir.internal.rules.rulebook.pattern.EndpointPattern;
import io.weir.rules.Rule;
import io.weir.rules.SwitchState;
import io.weir.rules.anomaly.Anomaly;
import io.weir.rules.explanation.ExplainedRequest;
import io.weir.rules.explanation.Explanation;
import io.weir.rules.explanation.Explanation.Part;
import io.weir.rules.tier.UserTier;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Explains which limits a request has, and why. Charges and counts nothing. Safe for concurrent
 * use.
 */
final class RulesExplainer {
  private final Supplier<Rulebook> current;
  private final CallerProfileCache callers;
  private final AnomalyEnforcer unusual;

  RulesExplainer(Supplier<Rulebook> current, CallerProfileCache callers, AnomalyEnforcer unusual) {
    this.current = current;
    this.callers = callers;
    this.unusual = unusual;
  }

  /**
   * Explains a request. Waits for the look-up of the caller, at most as long as a request does.
   *
   * @param bound the policies of annotations and settings that it meets
   */
  Explanation explain(ExplainedRequest wanted, RuleRequestReader read, List<Policy> bound) {
    Rulebook book = current.get();
    RequestCaller caller = read.caller(wanted.user().orElse(null), wanted.key().orElse(null));
    EndpointRules matched =
        book.match(
            EndpointPattern.formOf(wanted.endpoint()),
            wanted.endpoint(),
            wanted.method().toUpperCase(Locale.ROOT));
    CallerProfile profile =
        callers
            .find(
                caller.row(),
                found -> !matched.hasQuota() || QuotaPolicyFactory.isEnough(found, read.now()))
            .toCompletableFuture()
            .join();
    EvaluationContext asked =
        new EvaluationContext(
            book,
            matched,
            DecisionPhase.AFTER_AUTHENTICATION,
            bound,
            caller,
            wanted.tier().map(CallerTier::named).orElse(CallerTier.none()),
            wanted.sentTier().orElse(read.defaultTier()),
            1,
            read.now(),
            wanted.endpoint());
    LimitedCaller known = asked.limited(profile);
    List<Part> parts = new ArrayList<>();
    for (Policy each : bound) {
      boolean isLimitSet = !read.setting("weir.policy." + each.name() + ".limit").isEmpty();
      LimitExplainer.addTo(parts, each, asked, known, isLimitSet);
    }
    addRules(parts, asked, known, profile);
    parts.sort(Comparator.comparing(each -> !each.holds()));
    Anomaly anomaly = unusual.find(asked, profile, wanted.endpoint());
    if (anomaly == null && !matched.isEmpty()) {
      anomaly = unusual.find(asked, profile, matched.pattern()); // as it has no template
    }
    List<Part> explained =
        anomaly == null
            ? parts
            : AnomalyEnforcer.explain(parts, policies(asked, known), anomaly, read);
    return new Explanation(
        called(caller), tier(known, profile, asked, wanted.sentTier().isPresent()), explained);
  }

  private static Map<String, Policy> policies(EvaluationContext asked, LimitedCaller known) {
    Map<String, Policy> policies = new HashMap<>();
    asked.bound().forEach(each -> policies.put(each.name(), each));
    for (AppliedRule each : kept(asked, known)) {
      policies.put(each.rule().policyName(), each.policy(false));
    }
    return policies;
  }

  private static List<AppliedRule> kept(EvaluationContext asked, LimitedCaller known) {
    List<AppliedRule> kept = new ArrayList<>(asked.matched().before(asked.now()));
    kept.addAll(asked.matched().after(known.tier(), known.own(), asked.now()));
    return kept;
  }

  private static String called(RequestCaller caller) {
    return switch (caller.kind()) {
      case USER -> "user " + caller.text();
      case KEY -> "key " + Sha256Digest.of(caller.text());
      case NOBODY -> "anonymous, by address";
    };
  }

  private static String tier(
      LimitedCaller known, CallerProfile profile, EvaluationContext asked, boolean isSent) {
    String from = isSent ? "as sent" : "default";
    if (known.isTierGiven()) {
      from = "TierResolver";
    } else if (profile.tier(asked.now()).isPresent()) {
      from = row(profile, asked.now());
    } else if (!profile.isCurrent()) {
      from = "default, since the database doesn't answer";
    }
    return known.tier() + " (" + from + ")";
  }

  /** Names the table of the caller's row, and a row that this one overrides. */
  private static String row(CallerProfile profile, long now) {
    Optional<UserTier> foreign = profile.foreign();
    String own = "user_tiers";
    String from = profile.hasOwnRow(now) ? own : foreign.flatMap(UserTier::origin).orElse(own);
    String known = profile.isCurrent() ? from : from + ", as last known";
    return foreign
        .filter(any -> profile.hasOwnRow(now))
        .map(row -> known + "; " + row.origin().orElse("") + " has " + row.tier())
        .orElse(known);
  }

  private static void addRules(
      List<Part> parts, EvaluationContext asked, LimitedCaller known, CallerProfile profile) {
    EndpointRules matched = asked.matched();
    List<AppliedRule> kept = kept(asked, known);
    for (AppliedRule each : kept) {
      parts.add(holding(each, asked, known, profile));
    }
    for (CompiledRule each : matched.rules()) {
      String tier = each.rule().tier();
      boolean mayHold = tier.equals(known.tier()) || tier.equals(Rule.EVERYBODY);
      if (mayHold && kept.stream().noneMatch(one -> one.rule() == each)) {
        parts.add(part(each, 0, false, RuleDescriber.source(each), whyNot(each, kept, asked)));
      }
    }
    addUnusable(parts, asked, known.tier());
  }

  private static void addUnusable(List<Part> parts, EvaluationContext asked, String tier) {
    List<UnusableRule> matching =
        asked.book().unusableAt(EndpointPattern.formOf(asked.endpoint()), asked.endpoint());
    for (UnusableRule each : RuleDescriber.leftOut(asked.book(), matching, tier)) {
      parts.add(RuleDescriber.part(each, each.name(), ""));
    }
  }

  private static Part holding(
      AppliedRule rule, EvaluationContext asked, LimitedCaller known, CallerProfile profile) {
    Optional<SwitchState> switched = asked.book().switchOf(rule.rule().name(), asked.now());
    String source = rule.isOwn() ? "own limit" : RuleDescriber.source(rule.rule());
    if (switched.isPresent() && switched.get() == SwitchState.OFF) {
      return part(rule.rule(), 0, false, "switch", "it is switched off");
    }
    String reason = "the most specific matching pattern of tier " + rule.rule().rule().tier();
    if (rule.rule().rule().tier().equals(Rule.EVERYBODY)) {
      reason = "the most specific matching pattern of the rules for all tiers";
    }
    if (rule.isOwn()) {
      reason = "the caller's own limit, instead of the tier's";
    }
    if (switched.isPresent()) {
      reason += "; a switch makes it only measure";
    } else if (rule.rule().isShadow()) {
      reason += "; in the state SHADOW it only measures";
    } else if (known.isEvaluated()) {
      reason += "; it only measures, since the caller is under evaluation";
    }
    reason += RuleDescriber.note(asked.book(), rule.rule());
    if (rule.rule().isQuota()) {
      long total = QuotaPolicyFactory.total(rule, profile, asked.now()).orElse(rule.limit());
      return part(rule.rule(), total, true, source, reason + "; with rollover and grants");
    }
    reason += RuleDescriber.details(rule.rule().policy(false), rule.limit());
    return part(rule.rule(), rule.limit(), true, source, reason);
  }

  private static String whyNot(CompiledRule rule, List<AppliedRule> kept, EvaluationContext asked) {
    if (!rule.holds(asked.now())) {
      return "it isn't valid now";
    }
    for (AppliedRule each : kept) {
      if (each.rule().sharesBucket(rule)) {
        return RuleDescriber.source(each.rule())
            + " counts in the same bucket and has the lower limit";
      }
    }
    for (AppliedRule each : kept) {
      if (each.rule().rule().tier().equals(rule.rule().tier())) {
        return RuleDescriber.source(each.rule())
            + " has a more specific pattern: "
            + each.rule().rule().pattern();
      }
    }
    return "another rule applies instead";
  }

  private static Part part(
      CompiledRule rule, long limit, boolean holds, String source, String reason) {
    return new Part(
        rule.policyName(), holds, limit, rule.rule().window().toString(), source, reason);
  }
}
