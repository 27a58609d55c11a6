package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.internal.policy.draft.EndpointCapabilities;
import io.weir.internal.policy.draft.LimitedElement;
import io.weir.internal.policy.draft.PolicyChecks;
import io.weir.internal.policy.draft.PolicyDraft;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Holds the policies of endpoints by name, and applies the settings to them.
 *
 * <p>Hold the catalog's lock for all methods.
 */
final class PolicyRegistry {
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /**
   * One name: its first definition, and the policy in force.
   *
   * @param asWritten whether the policy is in force as written, because settings don't suit it
   * @param unpriced the HTTP methods whose cost is ignored, since it is more than the policy admits
   */
  private record Entry(
      DeclaredPolicy written, LivePolicy bound, boolean asWritten, Set<String> unpriced) {
    /** Puts the policy into effect, with the costs and exceptions of some settings. */
    void become(Policy policy, SettingsSnapshot settings) {
      bound.become(policy, costs(settings), written.except(settings, asWritten));
    }

    private Map<String, Long> costs(SettingsSnapshot settings) {
      if (asWritten) {
        return Map.of();
      }
      Map<String, Long> costs = new HashMap<>(MethodCosts.of(settings));
      costs.keySet().removeAll(unpriced);
      return costs;
    }
  }

  /** Returns the names that nothing else can have; excludes those that a URL had first. */
  Set<String> names() {
    return entries.values().stream()
        .filter(each -> !each.asWritten)
        .map(each -> each.bound.name())
        .collect(Collectors.toUnmodifiableSet());
  }

  Collection<LivePolicy> all() {
    return entries.values().stream().map(Entry::bound).toList();
  }

  boolean exceptsPaths() {
    return entries.values().stream().anyMatch(each -> !each.bound.now().except().isEmpty());
  }

  /** Binds all annotations of a method or class, except those with mistakes. */
  List<LivePolicy> bindAll(
      LimitedElement found,
      EndpointCapabilities scope,
      SettingsSnapshot settings,
      BindingMistakes mistakes) {
    PolicyDefinitionSite origin =
        new PolicyDefinitionSite(
            found.declaringClass(), found.element().toString(), found.place(), scope);
    if (found.unlimited() && !found.limits().isEmpty()) {
      mistakes
          .fatal()
          .add(
              found.place()
                  + ": @Unlimited = true: can't be combined with @RateLimit; remove one of them");
    }
    List<LivePolicy> bound = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (PolicyDraft draft : found.drafts()) {
      if (!names.add(draft.name())) {
        mistakes
            .fatal()
            .add(
                found.place()
                    + ": name = "
                    + draft.name()
                    + ": is used by two policies here; rename one of them");
      }
      bind(draft, origin, settings, mistakes).ifPresent(bound::add);
    }
    return List.copyOf(bound);
  }

  /** Binds an annotation; empty if it has a mistake. */
  private Optional<LivePolicy> bind(
      PolicyDraft draft,
      PolicyDefinitionSite origin,
      SettingsSnapshot settings,
      BindingMistakes mistakes) {
    List<String> found = PolicyChecks.mistakes(draft, origin.place(), origin.scope());
    mistakes.fatal().addAll(found);
    if (!found.isEmpty()) {
      return Optional.empty();
    }
    DeclaredPolicy written = new DeclaredPolicy(draft, origin, "");
    if (draft.name().equals(SettingNames.APPLICATION_POLICY)) {
      mistakes.fatal().add(written.mistake("name", draft.name(), PolicySettings.RESERVED));
      return Optional.empty();
    }
    Entry entry = entries.get(draft.name());
    if (entry == null) {
      return add(written, settings, mistakes);
    }
    entry.written.conflict(written).ifPresent(mistakes.fatal()::add);
    return Optional.of(entry.bound);
  }

  /**
   * Binds a policy that settings alone define.
   *
   * @param name the policy's name, whatever else is bound
   * @param base the prefix of those settings
   */
  List<LivePolicy> bindSettings(
      String name,
      String base,
      PolicyDefinitionSite origin,
      SettingsSnapshot settings,
      BindingMistakes mistakes) {
    DeclaredPolicy written = new DeclaredPolicy(PolicyDraft.empty(name), origin, base);
    Entry entry = entries.get(name);
    if (entry == null) {
      return add(written, settings, mistakes).map(List::of).orElse(List.of());
    }
    if (!entry.written.isBySettings()) {
      mistakes.fatal().add(entry.written.nameTaken(written));
    }
    return List.of(entry.bound);
  }

  private Optional<LivePolicy> add(
      DeclaredPolicy written, SettingsSnapshot settings, BindingMistakes mistakes) {
    Optional<Policy> policy = written.resolve(settings, mistakes.ofSettings());
    Optional<Policy> asWritten =
        mistakes.ignoresSettings() ? written.withoutOverrides(settings) : Optional.empty();
    if (policy.isPresent() && asWritten.isPresent()) {
      List<String> misfits = mistakes.misfits(policy.get());
      if (!misfits.isEmpty() && mistakes.misfits(asWritten.get()).isEmpty()) {
        mistakes.ofSettings().addAll(misfits);
        policy = Optional.empty();
      }
    }
    boolean ignoresSettings = policy.isEmpty();
    return policy.or(() -> asWritten).map(each -> put(written, each, ignoresSettings, settings));
  }

  private LivePolicy put(
      DeclaredPolicy written, Policy policy, boolean ignoresSettings, SettingsSnapshot settings) {
    LivePolicy bound = new LivePolicy(policy, Map.of());
    Entry entry = new Entry(written, bound, ignoresSettings, Set.of());
    entry.become(policy, settings);
    entries.put(bound.name(), entry);
    return bound;
  }

  /** Removes all policies but these, and returns the removed ones. */
  List<LivePolicy> retain(Set<LivePolicy> kept) {
    List<LivePolicy> gone =
        entries.values().stream().map(Entry::bound).filter(each -> !kept.contains(each)).toList();
    gone.forEach(each -> entries.remove(each.name()));
    return gone;
  }

  /**
   * Determines all policies under new settings, without putting them into effect.
   *
   * @param mistakes collects the mistakes of policies that follow the settings
   * @param ignored collects the remaining mistakes of those that don't
   * @return those without mistakes
   */
  Map<String, Policy> resolveAll(
      SettingsSnapshot settings, List<String> mistakes, List<String> ignored) {
    Map<String, Policy> all = new HashMap<>();
    for (Entry entry : entries.values()) {
      List<String> found = entry.asWritten ? ignored : mistakes;
      entry
          .written
          .resolve(settings, found)
          .filter(policy -> readsSame(entry, policy, found))
          .ifPresent(policy -> all.put(policy.name(), policy));
    }
    return all;
  }

  /** Returns whether a policy ignores the cost of a method, or all its settings. */
  boolean ignores(ExcessiveMethodCost mistake) {
    Entry entry = entries.get(mistake.policy());
    return entry != null && (entry.asWritten || entry.unpriced.contains(mistake.method()));
  }

  /** Ignores the cost of a method until the settings change. */
  void ignore(ExcessiveMethodCost mistake, SettingsSnapshot settings) {
    Entry entry = entries.get(mistake.policy());
    if (entry != null) {
      Set<String> unpriced = new HashSet<>(entry.unpriced);
      unpriced.add(mistake.method());
      Entry next = new Entry(entry.written, entry.bound, entry.asWritten, Set.copyOf(unpriced));
      entries.put(mistake.policy(), next);
      next.become(next.bound.current(), settings);
    }
  }

  private static boolean readsSame(Entry entry, Policy policy, List<String> mistakes) {
    List<String> members = entry.bound.readsOtherwise(policy);
    members.forEach(member -> mistakes.add(fixed(entry, member, policy)));
    return members.isEmpty();
  }

  private static String fixed(Entry entry, String member, Policy policy) {
    return switch (member) {
      case LivePolicy.COST_FROM -> fixed(entry, member, policy.costFrom(), "the source of costs");
      case LivePolicy.WHEN -> fixed(entry, member, policy.when(), "the condition of a policy");
      default -> {
        String counted = policy.by() + " " + policy.keys();
        yield fixed(entry, entry.written.base() + member, counted, "the key of a policy");
      }
    };
  }

  private static String fixed(Entry entry, String member, String value, String what) {
    return entry.written.mistake(
        member, value, what + " can't change while the application runs; restart it");
  }

  /** Puts new settings into effect; a policy for which they are wrong is in force as written. */
  void commit(Map<String, Policy> policies, SettingsSnapshot settings) {
    for (Map.Entry<String, Entry> each : entries.entrySet()) {
      Entry entry = each.getValue();
      Policy following = policies.get(each.getKey());
      Entry next = new Entry(entry.written, entry.bound, following == null, Set.of());
      Policy policy =
          following != null
              ? following
              : entry
                  .written
                  .withoutOverrides(settings)
                  .filter(entry.bound::readsSame)
                  .orElseGet(entry.bound::current);
      next.become(policy, settings);
      each.setValue(next);
    }
  }
}
