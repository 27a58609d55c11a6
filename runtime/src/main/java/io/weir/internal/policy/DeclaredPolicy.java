package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.internal.policy.draft.PolicyChecks;
import io.weir.internal.policy.draft.PolicyDraft;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A policy as an annotation or settings define it, before settings override any of its members.
 *
 * <p>Immutable.
 *
 * @param base the prefix of the settings that define it; empty for an annotation
 */
record DeclaredPolicy(PolicyDraft draft, PolicyDefinitionSite origin, String base) {
  private static final List<String> FIXED = List.of("by", "key", "url");

  boolean isBySettings() {
    return !base.isEmpty();
  }

  /** Writes a message that names the place, the member, its value and the rule that it breaks. */
  String mistake(String member, Object value, String rule) {
    return origin.place() + ": " + member + " = " + value + ": " + rule;
  }

  /** Returns the policy that is in force under some settings; empty if it has a mistake. */
  Optional<Policy> resolve(SettingsSnapshot settings, List<String> mistakes) {
    String prefix = SettingNames.POLICY + draft.name() + ".";
    if (!isBySettings() && !settings.anyUnder(prefix)) {
      // The annotation was checked before it was bound.
      return Optional.of(draft.inZoneOf(settings).policy());
    }
    List<String> found = new ArrayList<>(fixedMembers(prefix, settings));
    try {
      PolicyDraft own = isBySettings() ? draft.overridden(settings, base) : draft;
      PolicyDraft overridden = own.overridden(settings, prefix);
      found.addAll(mistakes(overridden));
      mistakes.addAll(found);
      return found.isEmpty() ? Optional.of(overridden.policy()) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      mistakes.add(origin.place() + ": " + malformed.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Returns the paths that the policy leaves out under some settings.
   *
   * @param withoutOverrides whether the settings of its name are ignored
   */
  ExceptedPaths except(SettingsSnapshot settings, boolean withoutOverrides) {
    String own = SettingNames.POLICY + draft.name() + "." + SettingNames.EXCEPT;
    boolean isOverridden = !withoutOverrides && settings.find(own).isPresent();
    return isOverridden || isBySettings()
        ? new ExceptedPaths(settings.list(isOverridden ? own : base + SettingNames.EXCEPT))
        : ExceptedPaths.NONE;
  }

  private List<String> fixedMembers(String prefix, SettingsSnapshot settings) {
    return FIXED.stream()
        .map(member -> prefix + member)
        .filter(name -> settings.find(name).isPresent())
        .map(
            name ->
                mistake(
                    name,
                    settings.text(name, ""),
                    "can't be changed by settings, since an endpoint has this policy; remove the"
                        + " setting"))
        .toList();
  }

  private List<String> mistakes(PolicyDraft of) {
    return PolicyChecks.mistakes(of, origin.place(), origin.scope());
  }

  /** Returns the policy without overrides; empty if even that has a mistake. */
  Optional<Policy> withoutOverrides(SettingsSnapshot settings) {
    if (!isBySettings()) {
      return Optional.of(draft.inZoneOf(settings).policy());
    }
    try {
      PolicyDraft own = draft.overridden(settings, base);
      return mistakes(own).isEmpty() ? Optional.of(own.policy()) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /** Says why another policy can't have the same name; empty if it can. */
  Optional<String> conflict(DeclaredPolicy other) {
    if (!isBySettings() && origin.isSame(other.origin)) {
      return Optional.empty();
    }
    // The same method of another class loader is the same application, deployed twice.
    boolean elsewhere = !origin.element().equals(other.origin.element());
    if (isBySettings() || elsewhere && draft.isUnnamed() && other.draft.isUnnamed()) {
      return Optional.of(nameTaken(other));
    }
    return draft.policy().equals(other.draft.policy())
        ? Optional.empty()
        : Optional.of(
            other.mistake(
                "name",
                other.draft.name(),
                origin.element()
                    + " has a policy of this name too; make both equal, or rename one of them"));
  }

  /** Says that another policy can't have the name of this one. */
  String nameTaken(DeclaredPolicy other) {
    return other.mistake(
        "name",
        other.draft.name(),
        origin.element() + " has a policy of this name too; rename one of them");
  }
}
