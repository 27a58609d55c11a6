package io.weir.internal.policy.draft;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Mode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The rules that a policy's members keep, each by itself and with each other.
 *
 * <p>Confine to one thread: collects the mistakes of one policy.
 */
public final class PolicyChecks {
  private static final String LABEL = "[A-Za-z0-9._-]{1,64}";
  private static final int LONGEST_LABEL = 64;
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final Duration LONGEST = Duration.ofDays(366);
  private static final String LIMIT = "must be 1 to 1,000,000,000";

  private final PolicyDraft draft;
  private final String place;
  private final List<String> mistakes = new ArrayList<>();

  private PolicyChecks(PolicyDraft draft, String place) {
    this.draft = draft;
    this.place = place;
  }

  /**
   * All mistakes of a policy.
   *
   * @param draft the policy
   * @param place where it was written, for the messages
   * @param scope what it can make use of there
   * @return lines of place, member, value and rule
   */
  public static List<String> mistakes(PolicyDraft draft, String place, Scope scope) {
    PolicyChecks rules = new PolicyChecks(draft, place);
    rules.name();
    rules.numbers();
    rules.tiers();
    rules.whom();
    rules.keys(scope);
    rules.algorithm(scope);
    if (rules.mistakes.isEmpty()) {
      rules.together();
    }
    return rules.mistakes;
  }

  private void name() {
    if (draft.name.length() > LONGEST_LABEL) {
      wrong("name", draft.name, "must have at most 64 characters; give it a shorter name");
    } else if (!isLabel(draft.name)) {
      wrong("name", "'" + draft.name + "'", "must match " + LABEL);
    }
  }

  private static boolean isLabel(String text) {
    return !text.isEmpty() && text.length() <= LONGEST_LABEL && Annotated.isClean(text);
  }

  private void numbers() {
    between("limit", draft.limit, 1, LIMIT);
    between("burst", draft.burst, 0, "must be 0 to 1,000,000,000");
    if (WindowUnit.of(draft.unit).isEmpty()) {
      wrong("unit", draft.unit.name(), WindowUnit.RULE);
    } else if (draft.window.compareTo(SHORTEST) < 0 || draft.window.compareTo(LONGEST) > 0) {
      wrong("window", draft.windowText, "must be 10 milliseconds to 366 days");
    } else if (draft.window.toNanos() % 1_000 != 0) {
      wrong("window", draft.windowText, "must be whole microseconds");
    }
    percent("exceedBy", draft.exceedBy, 1000);
    percent("overshoot", draft.overshoot, 100);
    if (draft.cost < 1) {
      wrong("cost", draft.cost, "must be 1 up to the capacity");
    }
  }

  private void tiers() {
    if (draft.tiers.isEmpty()) {
      return;
    }
    Set<String> seen = new HashSet<>();
    for (Map.Entry<String, Long> tier : draft.tiers) {
      String member = "tiers." + tier.getKey();
      if (!isLabel(tier.getKey())) {
        wrong("tiers", "'" + tier.getKey() + "'", "a tier's name must match " + LABEL);
      }
      if (!seen.add(tier.getKey())) {
        wrong("tiers", tier.getKey(), "each tier must be there once");
      }
      between(member, tier.getValue(), 1, LIMIT);
    }
  }

  private void whom() {
    if (draft.by.size() == 1) {
      return;
    }
    if (draft.by.isEmpty()) {
      wrong("by", draft.by, "must name at least one");
    }
    if (new HashSet<>(draft.by).size() < draft.by.size()) {
      wrong("by", draft.by, "must name each once");
    }
    if (draft.by.contains(By.ENDPOINT) && draft.by.stream().anyMatch(by -> by != By.ENDPOINT)) {
      wrong("by", draft.by, "ENDPOINT counts everybody together and must be alone");
    }
  }

  private void keys(Scope scope) {
    boolean read = draft.by.contains(By.KEY);
    if (read && draft.keys.isEmpty()) {
      wrong("key", draft.keys, "must say what by = KEY reads");
    } else if (!read && !draft.keys.isEmpty()) {
      wrong("key", draft.keys, "is read only with by = KEY");
    }
    for (String key : draft.keys) {
      scope.mistake(key).ifPresent(rule -> wrong("key", "'" + key + "'", rule));
    }
  }

  private void algorithm(Scope scope) {
    scope.mistake(draft.algorithm).ifPresent(rule -> wrong("algorithm", draft.algorithm, rule));
  }

  /** What members must keep with each other; only of members that are right by themselves. */
  private void together() {
    boolean bucket =
        draft.algorithm == Algorithm.TOKEN_BUCKET || draft.algorithm == Algorithm.LEAKY_BUCKET;
    if (draft.burst > 0 && !bucket) {
      wrong("burst", draft.burst, "is for TOKEN_BUCKET and LEAKY_BUCKET, not " + draft.algorithm);
    }
    inForce("limit", draft.limit);
    draft.tiers.forEach(tier -> inForce("tier " + tier.getKey(), tier.getValue()));
  }

  private void inForce(String which, long limit) {
    if (draft.mode == Mode.SOFT && limit * draft.exceedBy / 100 == 0) {
      wrong(
          "exceedBy",
          draft.exceedBy,
          "% of the " + which + " of " + limit + " rounds to nothing, so SOFT can't exceed it");
    }
    long capacity = capacity(limit);
    if (capacity != limit
        && draft.mode == Mode.SOFT
        && Policy.surplus(capacity, limit, draft.exceedBy) == 0) {
      wrong(
          "exceedBy",
          draft.exceedBy,
          "% of the burst of " + capacity + " rounds to nothing, so SOFT can't exceed it");
    }
    if (draft.cost > capacity) {
      String of = draft.algorithm == Algorithm.LEAKY_BUCKET ? "" : " (" + which + ")";
      wrong("cost", draft.cost, "must be 1 up to the capacity of " + capacity + of);
    }
  }

  private long capacity(long limit) {
    return switch (draft.algorithm) {
      case TOKEN_BUCKET -> draft.burst == 0 ? limit : draft.burst;
      case LEAKY_BUCKET -> draft.burst == 0 ? 1 : draft.burst;
      case FIXED_WINDOW, SLIDING_WINDOW, SLIDING_LOG -> limit;
    };
  }

  private void between(String member, long value, long least, String rule) {
    if (value < least || value > Policy.MAX_LIMIT) {
      wrong(member, value, rule);
    }
  }

  private void percent(String member, int value, int most) {
    if (value < 0 || value > most) {
      wrong(member, value, "must be 0 to " + most + " %");
    }
  }

  private void wrong(String member, Object value, String rule) {
    String line = place + ": " + draft.label(member) + " = " + value + ": " + rule;
    if (!mistakes.contains(line)) {
      mistakes.add(line);
    }
  }
}
