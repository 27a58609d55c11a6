package io.weir.internal.policy.draft;

import io.weir.Policy;
import io.weir.PolicyBuilder;
import io.weir.annotation.RateLimit;
import io.weir.annotation.Tier;
import io.weir.internal.settings.PolicyMember;
import io.weir.internal.settings.PolicyMembers;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Holds the members of a policy as written, valid or not; {@link PolicyChecks} finds the mistakes.
 *
 * <p>Confine to one thread.
 */
public final class PolicyDraft {
  private static final RateLimit DEFAULTS =
      Objects.requireNonNull(Defaults.class.getAnnotation(RateLimit.class));

  final String name;
  final List<DraftTier> tiers;
  private final boolean unnamed;
  private final Map<PolicyMember<?>, Object> values = new HashMap<>();

  /** The setting that set a member, by the member's name; the last one if there are several. */
  private final Map<String, String> givenBy = new HashMap<>();

  /** The window as it was written, for messages. */
  private String windowText;

  /** The time zone of calendar windows that name none. */
  private String usualZone = "UTC";

  /**
   * A tier as written.
   *
   * @param refill 0 for the policy's in proportion
   */
  record DraftTier(String name, long limit, long refill) {}

  /** Carries the annotation with all members at their defaults; limit and window have none. */
  @RateLimit(limit = 0, window = 0)
  private static final class Defaults {}

  private PolicyDraft(RateLimit written, String name, boolean unnamed) {
    this.name = name;
    this.unnamed = unnamed;
    this.windowText = written.window() + " " + written.unit().name();
    this.tiers = tiers(written.tiers());
    PolicyMembers.ALL.forEach(each -> values.put(each, each.of(written)));
  }

  private PolicyDraft(PolicyDraft other, List<DraftTier> tiers) {
    this.name = other.name;
    this.unnamed = other.unnamed;
    this.windowText = other.windowText;
    this.usualZone = other.usualZone;
    this.tiers = tiers;
    this.values.putAll(other.values);
    this.givenBy.putAll(other.givenBy);
  }

  /** Makes a policy that has only a name and the annotation's defaults: no limit, no window. */
  public static PolicyDraft empty(String name) {
    return new PolicyDraft(DEFAULTS, name, true);
  }

  /**
   * Makes a policy from its annotation.
   *
   * @param unnamed whether the name is the default one
   */
  public static PolicyDraft of(RateLimit written, String name, boolean unnamed) {
    return new PolicyDraft(written, name, unnamed);
  }

  private static List<DraftTier> tiers(Tier[] written) {
    if (written.length == 0) {
      return List.of();
    }
    List<DraftTier> tiers = new ArrayList<>(written.length);
    for (Tier each : written) {
      tiers.add(new DraftTier(each.name(), each.limit(), each.refill()));
    }
    return tiers;
  }

  /**
   * Returns a copy with the members that settings override.
   *
   * @param prefix the beginning of their names; the member follows
   * @throws io.weir.InvalidSettingException if a value is malformed
   */
  public PolicyDraft overridden(SettingsSnapshot by, String prefix) {
    PolicyDraft next = new PolicyDraft(this, overriddenTiers(by, prefix));
    for (PolicyMember<?> member : PolicyMembers.ALL) {
      String setting = prefix + member.setting();
      by.find(prefix, member)
          .ifPresent(
              value -> {
                next.values.put(member, value);
                next.givenBy.put(member.name(), setting);
              });
    }
    next.windowText = by.text(prefix + PolicyMembers.WINDOW.setting(), windowText);
    next.usualZone = by.text(SettingNames.ZONE, usualZone);
    return next;
  }

  /**
   * Returns a copy with the time zone that settings give to calendar windows without one; this
   * draft if the zone is the same.
   */
  public PolicyDraft inZoneOf(SettingsSnapshot by) {
    String zone = by.text(SettingNames.ZONE, usualZone);
    if (zone.equals(usualZone)) {
      return this;
    }
    PolicyDraft next = new PolicyDraft(this, tiers);
    next.usualZone = zone;
    return next;
  }

  private List<DraftTier> overriddenTiers(SettingsSnapshot by, String prefix) {
    String limits = prefix + SettingNames.TIER;
    String refills = prefix + SettingNames.TIER_REFILL;
    List<DraftTier> all = new ArrayList<>();
    for (DraftTier tier : tiers) {
      long limit = by.number(limits + tier.name(), tier.limit(), 1, Policy.MAX_LIMIT);
      all.add(new DraftTier(tier.name(), limit, refill(by, refills + tier.name(), tier.refill())));
    }
    for (String setting : by.all().keySet()) {
      String tier = nameAfter(limits, setting);
      if (!tier.isEmpty() && isNew(tier, tiers)) {
        long limit = by.number(setting, 0, 1, Policy.MAX_LIMIT);
        all.add(new DraftTier(tier, limit, refill(by, refills + tier, 0)));
      }
    }
    for (String setting : by.all().keySet()) {
      String tier = nameAfter(refills, setting);
      if (!tier.isEmpty() && isNew(tier, all)) {
        throw by.invalid(setting, "must be for a tier of the policy, which has none of this name");
      }
    }
    return all;
  }

  private static long refill(SettingsSnapshot by, String setting, long written) {
    return by.number(setting, written, 1, Policy.MAX_LIMIT);
  }

  private static String nameAfter(String prefix, String setting) {
    return setting.startsWith(prefix) ? setting.substring(prefix.length()) : "";
  }

  private static boolean isNew(String tier, List<DraftTier> among) {
    return among.stream().noneMatch(each -> each.name().equals(tier));
  }

  @SuppressWarnings("unchecked") // each value was put under a member of its type
  <T> T get(PolicyMember<T> member) {
    return (T) Objects.requireNonNull(values.get(member));
  }

  /** Returns a member's name in messages: the setting that set it, if one did. */
  String label(String member) {
    return givenBy.getOrDefault(member, member);
  }

  /** Returns a member's value as messages show it. */
  String shown(String member, String value) {
    return member.equals(PolicyMembers.WINDOW.name()) ? windowText : value;
  }

  /** Returns its name, valid or not. */
  public String name() {
    return name;
  }

  /** Returns whether the name is the default one, made of class and method. */
  public boolean isUnnamed() {
    return unnamed;
  }

  /** Returns whether a setting set a member, rather than the annotation or its default. */
  public boolean isSet(PolicyMember<?> member) {
    return givenBy.containsKey(member.name());
  }

  /** Makes the policy. Requires that {@link PolicyChecks} has found no mistake. */
  public Policy policy() {
    return builder().build();
  }

  PolicyBuilder builder() {
    PolicyBuilder policy = Policy.builder(name);
    PolicyMembers.ALL.forEach(each -> give(each, policy));
    if (get(PolicyMembers.ZONE).isEmpty() && get(PolicyMembers.WINDOW).isOfCalendar()) {
      policy.zone(usualZone);
    }
    tiers.forEach(tier -> policy.tier(tier.name(), tier.limit(), tier.refill()));
    return policy;
  }

  private <T> void give(PolicyMember<T> member, PolicyBuilder policy) {
    member.give(get(member), policy);
  }
}
