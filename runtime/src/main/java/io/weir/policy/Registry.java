package io.weir.policy;

import io.weir.Policy;
import io.weir.settings.SettingNames;
import io.weir.settings.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The policies of endpoints by name, and what the settings make of them.
 *
 * <p>Confine to one thread at a time: the catalog's lock.
 */
final class Registry {
  private static final List<String> FIXED = List.of("by", "key", "url");

  private final Set<String> resolvers;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /**
   * One name: what the endpoint says, and where it said so first.
   *
   * @param byDefault whether {@code weir.default.*} says it
   */
  private record Entry(
      BoundPolicy bound,
      Draft written,
      Object element,
      String place,
      Site site,
      boolean byDefault) {}

  Registry(Set<String> resolvers) {
    this.resolvers = Set.copyOf(resolvers);
  }

  Set<String> names() {
    return entries.keySet();
  }

  /** Binds what an annotation says; nothing if it is mistaken. */
  Optional<BoundPolicy> bind(
      Draft written,
      Object element,
      String place,
      Site site,
      Settings settings,
      List<String> mistakes) {
    List<String> found = Rules.mistakes(written, place, site, resolvers);
    if (!found.isEmpty()) {
      mistakes.addAll(found);
      return Optional.empty();
    }
    Entry entry = entries.get(written.name);
    if (entry == null) {
      return add(written, element, place, site, false, settings, mistakes);
    }
    if (!entry.element.equals(element)) {
      conflict(entry, written, place).ifPresent(mistakes::add);
    }
    return Optional.of(entry.bound);
  }

  /** Binds what the settings say for endpoints without any annotation. */
  Optional<BoundPolicy> bindDefault(
      String name,
      Object element,
      String place,
      Site site,
      Settings settings,
      List<String> mistakes) {
    Entry entry = entries.get(name);
    return entry == null
        ? add(Draft.empty(name), element, place, site, true, settings, mistakes)
        : Optional.of(entry.bound);
  }

  private Optional<BoundPolicy> add(
      Draft written,
      Object element,
      String place,
      Site site,
      boolean byDefault,
      Settings settings,
      List<String> mistakes) {
    Optional<Policy> policy = resolve(written, place, site, byDefault, settings, mistakes);
    Optional<BoundPolicy> bound =
        policy.map(each -> new BoundPolicy(each, PolicySettings.costs(settings)));
    bound.ifPresent(
        each ->
            entries.put(written.name, new Entry(each, written, element, place, site, byDefault)));
    return bound;
  }

  private static Optional<String> conflict(Entry entry, Draft written, String place) {
    if (entry.byDefault || entry.written.unnamed || written.unnamed) {
      return Optional.of(
          place
              + ": name = "
              + written.name
              + ": "
              + entry.place
              + " has it too; give one of them a name of its own");
    }
    if (!entry.written.policy().equals(written.policy())) {
      return Optional.of(
          place
              + ": name = "
              + written.name
              + ": "
              + entry.place
              + " has it too but other members; policies of one name must be equal");
    }
    return Optional.empty();
  }

  /** What becomes of a policy under some settings; nothing if it is mistaken. */
  private Optional<Policy> resolve(
      Draft written,
      String place,
      Site site,
      boolean byDefault,
      Settings settings,
      List<String> mistakes) {
    String prefix = SettingNames.POLICY + written.name + ".";
    List<String> found = new ArrayList<>(fixed(prefix, place, settings));
    try {
      Draft base = byDefault ? written.overridden(settings, SettingNames.DEFAULT) : written;
      Draft draft = base.overridden(settings, prefix);
      found.addAll(Rules.mistakes(draft, place, site, resolvers));
      mistakes.addAll(found);
      return found.isEmpty() ? Optional.of(draft.policy()) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      mistakes.add(place + ": " + malformed.getMessage());
      return Optional.empty();
    }
  }

  private static List<String> fixed(String prefix, String place, Settings settings) {
    return FIXED.stream()
        .filter(member -> settings.find(prefix + member).isPresent())
        .map(
            member ->
                place
                    + ": "
                    + prefix
                    + member
                    + " = "
                    + settings.text(prefix + member, "")
                    + ": can't be changed by settings, since an endpoint has this policy")
        .toList();
  }

  /** What becomes of all policies under new settings, without any effect yet. */
  Map<String, Policy> resolveAll(Settings settings, List<String> mistakes) {
    Map<String, Policy> all = new HashMap<>();
    entries.forEach(
        (name, entry) ->
            resolve(entry.written, entry.place, entry.site, entry.byDefault, settings, mistakes)
                .filter(policy -> countsSame(entry, policy, mistakes))
                .ifPresent(policy -> all.put(name, policy)));
    return all;
  }

  private static boolean countsSame(Entry entry, Policy policy, List<String> mistakes) {
    boolean same = policy.by().equals(entry.bound.by()) && policy.keys().equals(entry.bound.keys());
    if (!same) {
      mistakes.add(
          entry.place
              + ": weir.default.by = "
              + policy.by()
              + " "
              + policy.keys()
              + ": whom a policy counts can't change while the application runs");
    }
    return same;
  }

  void commit(Map<String, Policy> policies, Settings settings) {
    Map<String, Long> costs = PolicySettings.costs(settings);
    policies.forEach(
        (name, policy) ->
            Optional.ofNullable(entries.get(name))
                .ifPresent(entry -> entry.bound.become(policy, costs)));
  }
}
