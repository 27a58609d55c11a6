package io.weir.internal.rules.request;

import io.weir.Policy;
import io.weir.internal.rules.request.AskedRequest.KnownCaller;
import io.weir.internal.rules.rulebook.BoundLimit;
import io.weir.internal.rules.rulebook.CompiledRule;
import io.weir.rules.Rule;
import io.weir.rules.SwitchState;
import io.weir.rules.explanation.Explanation.Part;
import java.util.List;
import java.util.Optional;

/** Tells which limit of an annotated policy holds, and why the others don't. */
final class BoundExplanation {
  private final List<Part> parts;
  private final Policy policy;
  private final String window;
  private final boolean isOff;
  private String winner = "";

  private BoundExplanation(List<Part> parts, Policy policy, boolean isOff) {
    this.parts = parts;
    this.policy = policy;
    this.window = policy.window().toSeconds() + "s";
    this.isOff = isOff;
  }

  /** Adds all that a policy may be limited by, the first that holds first. */
  static void addTo(
      List<Part> parts, Policy policy, AskedRequest asked, KnownCaller known, RequestParts read) {
    Optional<SwitchState> switched = asked.book().switchOf(policy.name(), asked.now());
    boolean isOff = switched.isPresent() && switched.get() == SwitchState.OFF;
    BoundExplanation all = new BoundExplanation(parts, policy, isOff);
    if (isOff) {
      all.parts.add(new Part(policy.name(), false, 0, all.window, "switch", "it is switched off"));
    }
    all.addLimits(asked, known, read);
    if (switched.isPresent() && !isOff) {
      all.parts.add(new Part(policy.name(), true, 0, all.window, "switch", "it measures only"));
    }
  }

  private void addLimits(AskedRequest asked, KnownCaller known, RequestParts read) {
    Optional<BoundLimit> rules =
        asked.book().forPolicy(policy.name()).limit(policy, known.tier(), known.own(), asked.now());
    if (rules.isPresent() && rules.get().isOwn()) {
      add(rules.get().limit(), "own limit", "an own limit of the caller goes before all others");
    }
    addRule(asked, known.tier());
    Long own = policy.tiers().get(known.tier());
    if (own != null) {
      add(own, "annotation", "the policy lists the tier " + known.tier() + " itself");
    }
    addRule(asked, Rule.EVERYBODY);
    boolean isSet = !read.setting("weir.policy." + policy.name() + ".limit").isEmpty();
    add(policy.limit(), isSet ? "settings" : "annotation", "nothing goes before it");
  }

  private void addRule(AskedRequest asked, String tier) {
    String pattern = Rule.POLICY + policy.name();
    for (CompiledRule each : asked.book().rules()) {
      boolean isHere = each.rule().pattern().equals(pattern) && each.rule().tier().equals(tier);
      if (!isHere) {
        continue;
      }
      String source = RulesExplainer.source(each);
      if (each.isShadow()) {
        parts.add(
            new Part(
                each.name(),
                !isOff && each.holds(asked.now()),
                each.rule().limit(),
                window,
                source,
                "in the state SHADOW it measures only, beside what holds"));
      } else if (each.holds(asked.now())) {
        add(each.rule().limit(), source, "the rule of tier " + tier + " for this policy");
      } else {
        parts.add(new Part(policy.name(), false, 0, window, source, "it isn't valid now"));
      }
    }
  }

  /** The first one holds, all others don't. */
  private void add(long limit, String source, String reason) {
    boolean holds = winner.isEmpty() && !isOff;
    String why = holds ? reason : isOff ? "it is switched off" : winner + " goes before it";
    parts.add(new Part(policy.name(), holds, holds ? limit : 0, window, source, why));
    if (winner.isEmpty()) {
      winner = source;
    }
  }
}
