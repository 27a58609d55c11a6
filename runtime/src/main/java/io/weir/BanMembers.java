package io.weir;

import io.weir.annotation.BanScope;
import io.weir.annotation.By;
import io.weir.annotation.RateLimit;
import io.weir.internal.value.DurationText;
import io.weir.store.BucketSpec;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Holds a policy's members about bans as they were given, valid or not. Confine to one thread. */
final class BanMembers {
  private static final String REFUSALS = "REFUSALS";
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** The longest ban unless it is set: so many times the first. */
  private static final int USUAL_MOST = 16;

  long after;
  Duration within = Duration.ZERO;
  Duration first = Duration.ZERO;
  Duration atMost = Duration.ZERO;
  List<String> on;
  BanScope scope;
  private final List<String> usualOn;
  private final BanScope usualScope;

  BanMembers(RateLimit defaults) {
    after = defaults.banAfter();
    usualOn = List.of(defaults.banOn());
    usualScope = defaults.banScope();
    on = usualOn;
    scope = usualScope;
  }

  void check(PolicyValidator rules, List<By> by) {
    rules.between("banAfter", after, 0, BanTerms.MAX_AFTER, "");
    if (after == 0) {
      checkUnused(rules);
      return;
    }
    checkLength(rules, "banWithin", within);
    checkLength(rules, "banFor", first);
    checkLength(rules, "banAtMost", atMost);
    if (!atMost.isZero() && atMost.compareTo(first) < 0) {
      rules.wrong(
          "banAtMost",
          DurationText.inWords(atMost),
          "must be at least banFor, " + DurationText.inWords(first));
    }
    checkOn(rules);
    checkKey(rules, by);
  }

  private void checkUnused(PolicyValidator rules) {
    checkUnused(rules, "banWithin", DurationText.inWords(within), !within.isZero());
    checkUnused(rules, "banFor", DurationText.inWords(first), !first.isZero());
    checkUnused(rules, "banAtMost", DurationText.inWords(atMost), !atMost.isZero());
    checkUnused(rules, "banOn", on, !on.equals(usualOn));
    checkUnused(rules, "banScope", scope, scope != usualScope);
  }

  private static void checkUnused(
      PolicyValidator rules, String member, Object value, boolean isSet) {
    if (isSet) {
      rules.wrong(member, value, "needs banAfter, the strikes after which a caller is banned");
    }
  }

  private static void checkLength(PolicyValidator rules, String member, Duration length) {
    if (!length.isZero()
        && (length.compareTo(SHORTEST) < 0 || length.compareTo(BucketSpec.MAX_WINDOW) > 0)) {
      Object shown = length.isNegative() ? length : DurationText.inWords(length);
      rules.wrong(member, shown, "must be 1 second to 366 days");
    }
  }

  private void checkOn(PolicyValidator rules) {
    if (on.isEmpty() || new HashSet<>(on).size() < on.size()) {
      rules.wrong("banOn", on, "must name at least one, and none twice");
    }
    for (String each : on) {
      if (!each.equals(REFUSALS) && status(each).isEmpty()) {
        rules.wrong("banOn", each, "must be REFUSALS or a status from 400 to 599");
      }
    }
  }

  private void checkKey(PolicyValidator rules, List<By> by) {
    if (!by.contains(By.IP) && !by.contains(By.USER)) {
      rules.wrong(
          "banAfter",
          after,
          "needs by IP or USER, perhaps beside KEY: otherwise anybody could ban others");
    }
    if (scope == BanScope.APPLICATION
        && !(by.equals(List.of(By.IP)) || by.equals(List.of(By.USER)))) {
      rules.wrong("banScope", scope, "needs by exactly IP or exactly USER");
    }
  }

  private static Optional<Integer> status(String text) {
    return text.matches("[45]\\d\\d") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }

  /** Returns the names of what counts as a strike in their one spelling. */
  static List<String> canonical(List<String> on) {
    return on.stream().map(each -> each.strip().toUpperCase(Locale.ROOT)).toList();
  }

  /**
   * Makes the terms; only after {@link #check} found no mistake.
   *
   * @param window the policy's, the longest if they differ
   * @return empty if nobody is banned
   */
  Optional<BanTerms> terms(Duration window) {
    if (after == 0) {
      return Optional.empty();
    }
    Duration inTime = usual(within, window.compareTo(SHORTEST) < 0 ? SHORTEST : window);
    Duration length = usual(first, inTime);
    Duration most = usual(atMost, min(length.multipliedBy(USUAL_MOST), BucketSpec.MAX_WINDOW));
    Set<Integer> statuses = new TreeSet<>();
    on.forEach(each -> status(each).ifPresent(statuses::add));
    return Optional.of(
        new BanTerms(after, inTime, length, most, on.contains(REFUSALS), statuses, scope));
  }

  private static Duration usual(Duration given, Duration usual) {
    return given.isZero() ? usual : given;
  }

  private static Duration min(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
