package io.weir.internal.policy.draft;

import io.weir.Policy;
import io.weir.annotation.Algorithm;
import io.weir.annotation.By;
import io.weir.annotation.Count;
import io.weir.annotation.Mode;
import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.Settings;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The members of a policy as somebody wrote them, right or wrong; {@link PolicyChecks} tells which.
 *
 * <p>Confine to one thread.
 */
public final class PolicyDraft {
  /** Stands for all that is too long; beyond what any rule allows. */
  private static final Duration FOREVER = Duration.ofDays(36_600);

  final String name;

  final boolean unnamed;

  /** The settings that were read into this, each by its member, the last one to speak. */
  private final Map<String, String> spoken = new HashMap<>();

  long limit;
  ChronoUnit unit = ChronoUnit.SECONDS;
  Duration window = Duration.ZERO;
  String windowText = "";
  List<By> by = List.of(By.IP);
  List<String> keys = List.of();
  Mode mode = Mode.HARD;
  int exceedBy = 10;
  Algorithm algorithm = Algorithm.SLIDING_WINDOW;
  long burst;
  long cost = 1;
  Count count = Count.ALL;
  List<Map.Entry<String, Long>> tiers = List.of();
  int overshoot;
  OnStoreFailure onStoreFailure = OnStoreFailure.DEFAULT;
  boolean shadow;

  private PolicyDraft(String name, boolean unnamed) {
    this.name = name;
    this.unnamed = unnamed;
  }

  /**
   * A policy that has only a name and the annotation's defaults: no limit, no window.
   *
   * @param name its name
   * @return the draft
   */
  public static PolicyDraft empty(String name) {
    return new PolicyDraft(name, true);
  }

  /**
   * A policy as its annotation says.
   *
   * @param written the annotation
   * @param name its name
   * @param unnamed whether the name is the default one
   * @return the draft
   */
  public static PolicyDraft of(RateLimit written, String name, boolean unnamed) {
    PolicyDraft draft = new PolicyDraft(name, unnamed);
    draft.limit = written.limit();
    draft.unit = written.unit();
    draft.window = length(written.window(), written.unit());
    draft.windowText = written.window() + " " + written.unit().name();
    draft.by = List.of(written.by());
    draft.keys = List.of(written.key());
    draft.mode = written.mode();
    draft.exceedBy = written.exceedBy();
    draft.algorithm = written.algorithm();
    draft.burst = written.burst();
    draft.cost = written.cost();
    draft.count = written.count();
    draft.tiers = tiers(written.tiers());
    draft.overshoot = written.overshoot();
    draft.onStoreFailure = written.onStoreFailure();
    draft.shadow = written.shadow();
    return draft;
  }

  private static List<Map.Entry<String, Long>> tiers(Tier[] written) {
    if (written.length == 0) {
      return List.of();
    }
    List<Map.Entry<String, Long>> tiers = new ArrayList<>(written.length);
    for (Tier each : written) {
      tiers.add(Map.entry(each.name(), each.limit()));
    }
    return tiers;
  }

  /**
   * The same policy with the members that settings of a prefix give instead.
   *
   * @param by the settings
   * @param prefix what their names begin with; the member follows
   * @return another draft
   * @throws io.weir.InvalidSettingException if a value is malformed
   */
  public PolicyDraft overridden(Settings by, String prefix) {
    PolicyDraft next = new PolicyDraft(name, unnamed);
    next.spoken.putAll(spoken);
    for (String member : SettingNames.members()) {
      by.find(prefix + member).ifPresent(any -> next.spoken.put(member, prefix + member));
    }
    next.limit = by.number(prefix + "limit", limit, 1, Policy.MAX_LIMIT);
    next.window = by.duration(prefix + "window", window);
    next.windowText = by.text(prefix + "window", windowText);
    next.by = by.find(prefix + "by").isPresent() ? by.choices(prefix + "by", By.class) : this.by;
    next.keys = by.find(prefix + "key").isPresent() ? by.list(prefix + "key") : keys;
    next.mode = by.choice(prefix + "mode", mode);
    next.exceedBy = (int) by.number(prefix + "exceed-by", exceedBy, 0, 1000);
    next.algorithm = by.choice(prefix + "algorithm", algorithm);
    next.burst = by.number(prefix + "burst", burst, 0, Policy.MAX_LIMIT);
    next.cost = by.number(prefix + "cost", cost, 1, Policy.MAX_LIMIT);
    next.count = by.choice(prefix + "count", count);
    next.tiers = overriddenTiers(by, prefix + SettingNames.TIER);
    next.overshoot = (int) by.number(prefix + "overshoot", overshoot, 0, 100);
    next.onStoreFailure = by.choice(prefix + "on-store-failure", onStoreFailure);
    next.shadow = by.flag(prefix + "shadow", shadow);
    return next;
  }

  private List<Map.Entry<String, Long>> overriddenTiers(Settings by, String prefix) {
    List<Map.Entry<String, Long>> all = new ArrayList<>();
    for (Map.Entry<String, Long> tier : tiers) {
      long limit = by.number(prefix + tier.getKey(), tier.getValue(), 1, Policy.MAX_LIMIT);
      all.add(Map.entry(tier.getKey(), limit));
    }
    for (String name : by.all().keySet()) {
      String tier = name.startsWith(prefix) ? name.substring(prefix.length()) : "";
      if (!tier.isEmpty() && tiers.stream().noneMatch(each -> each.getKey().equals(tier))) {
        all.add(Map.entry(tier, by.number(name, 0, 1, Policy.MAX_LIMIT)));
      }
    }
    return all;
  }

  /** How messages call a member: by the name of the setting that gave it, if one did. */
  String label(String member) {
    String spelled = member.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    return spoken.getOrDefault(spelled, member);
  }

  /**
   * Its name, right or wrong.
   *
   * @return as written or made
   */
  public String name() {
    return name;
  }

  /**
   * Whether the name is the default one, made of class and method.
   *
   * @return false if somebody wrote the name
   */
  public boolean isUnnamed() {
    return unnamed;
  }

  /**
   * Whether a setting gave a member.
   *
   * @param member as settings spell it
   * @return false if the annotation or the default says it
   */
  public boolean isSet(String member) {
    return spoken.containsKey(member);
  }

  /**
   * Makes the policy; only of what {@link PolicyChecks} found no fault with.
   *
   * @return the policy
   */
  public Policy policy() {
    var policy =
        Policy.builder(name)
            .limit(limit)
            .window(window)
            .algorithm(algorithm)
            .burst(burst)
            .mode(mode)
            .exceedBy(exceedBy)
            .cost(cost)
            .count(count)
            .overshoot(overshoot)
            .onStoreFailure(onStoreFailure)
            .shadow(shadow)
            .by(by.toArray(new By[0]))
            .keys(keys.toArray(new String[0]));
    tiers.forEach(tier -> policy.tier(tier.getKey(), tier.getValue()));
    return policy.build();
  }

  private static Duration length(long amount, ChronoUnit unit) {
    long millis = WindowUnit.of(unit).map(WindowUnit::millis).orElse(0L);
    if (amount < 0 || millis == 0) {
      return Duration.ZERO;
    }
    return amount <= FOREVER.toMillis() / millis ? Duration.ofMillis(amount * millis) : FOREVER;
  }
}
