package io.weir.policy;

import io.weir.Policy;
import io.weir.policy.draft.Annotated;
import io.weir.policy.draft.Draft;
import io.weir.policy.draft.Rules;
import io.weir.policy.draft.Scope;
import io.weir.settings.SettingNames;
import io.weir.settings.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /**
   * Where a policy is written.
   *
   * @param element the method, class or endpoint, to tell the same from another
   * @param place how messages name it
   * @param scope what it can make use of there
   */
  record Origin(Object element, String place, Scope scope) {}

  /** One name: what was written under it, where first, and what is in force. */
  private record Entry(Written written, BoundPolicy bound) {}

  /** A policy as written. One by default has all its members from {@code weir.default.*}. */
  private record Written(Draft draft, Origin origin, boolean byDefault) {
    String mistake(String member, Object value, String rule) {
      return origin.place + ": " + member + " = " + value + ": " + rule;
    }
  }

  Set<String> names() {
    return Set.copyOf(entries.keySet());
  }

  Collection<BoundPolicy> all() {
    return entries.values().stream().map(Entry::bound).toList();
  }

  /** Binds all that stands at a method or class; without what is mistaken. */
  List<BoundPolicy> bindAll(
      Annotated found, Scope scope, Settings settings, List<String> mistakes) {
    Origin origin = new Origin(found.element(), found.place(), scope);
    if (found.unlimited() && !found.limits().isEmpty()) {
      mistakes.add(found.place() + ": @Unlimited = true: can't stand together with @RateLimit");
    }
    List<BoundPolicy> bound = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Draft draft : found.drafts()) {
      if (!names.add(draft.name())) {
        mistakes.add(
            found.place() + ": name = " + draft.name() + ": stands twice; give each its own");
      }
      bind(draft, origin, settings, mistakes).ifPresent(bound::add);
    }
    return List.copyOf(bound);
  }

  /** Binds what an annotation says; nothing if it is mistaken. */
  private Optional<BoundPolicy> bind(
      Draft draft, Origin origin, Settings settings, List<String> mistakes) {
    List<String> found = Rules.mistakes(draft, origin.place, origin.scope);
    mistakes.addAll(found);
    if (!found.isEmpty()) {
      return Optional.empty();
    }
    Written written = new Written(draft, origin, false);
    Entry entry = entries.get(draft.name());
    if (entry == null) {
      return add(written, settings, mistakes);
    }
    conflict(entry.written, written).ifPresent(mistakes::add);
    return Optional.of(entry.bound);
  }

  /**
   * Binds what the settings say for endpoints without any annotation.
   *
   * @param names what it may be called; the first that nothing else has is taken
   */
  Optional<BoundPolicy> bindDefault(
      List<String> names, Origin origin, Settings settings, List<String> mistakes) {
    String name = names.stream().filter(each -> isFree(each, origin)).findFirst().orElse("");
    Entry entry = entries.get(name);
    return entry == null
        ? add(new Written(Draft.empty(name), origin, true), settings, mistakes)
        : Optional.of(entry.bound);
  }

  private boolean isFree(String name, Origin origin) {
    Entry entry = entries.get(name);
    return entry == null
        || entry.written.byDefault && entry.written.origin.element.equals(origin.element);
  }

  private Optional<BoundPolicy> add(Written written, Settings settings, List<String> mistakes) {
    Optional<BoundPolicy> bound =
        resolve(written, settings, mistakes)
            .map(policy -> new BoundPolicy(policy, PolicySettings.costs(settings)));
    bound.ifPresent(each -> entries.put(each.name(), new Entry(written, each)));
    return bound;
  }

  private static Optional<String> conflict(Written first, Written next) {
    if (first.origin.element.equals(next.origin.element)) {
      return Optional.empty();
    }
    String has = first.origin.element + " has it too";
    if (first.byDefault || first.draft.isUnnamed() && next.draft.isUnnamed()) {
      return Optional.of(
          next.mistake("name", next.draft.name(), has + "; give one of them a name of its own"));
    }
    return first.draft.policy().equals(next.draft.policy())
        ? Optional.empty()
        : Optional.of(
            next.mistake("name", next.draft.name(), has + "; policies of one name must be equal"));
  }

  /** What becomes of a policy under some settings; nothing if it is mistaken. */
  private static Optional<Policy> resolve(
      Written written, Settings settings, List<String> mistakes) {
    String prefix = SettingNames.POLICY + written.draft.name() + ".";
    if (!written.byDefault && !settings.anyUnder(prefix)) {
      // What is written was found right before it was bound.
      return Optional.of(written.draft.policy());
    }
    List<String> found = new ArrayList<>(fixed(written, prefix, settings));
    try {
      Draft base =
          written.byDefault
              ? written.draft.overridden(settings, SettingNames.DEFAULT)
              : written.draft;
      Draft draft = base.overridden(settings, prefix);
      found.addAll(Rules.mistakes(draft, written.origin.place, written.origin.scope));
      mistakes.addAll(found);
      return found.isEmpty() ? Optional.of(draft.policy()) : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      mistakes.add(written.origin.place + ": " + malformed.getMessage());
      return Optional.empty();
    }
  }

  private static List<String> fixed(Written written, String prefix, Settings settings) {
    return FIXED.stream()
        .map(member -> prefix + member)
        .filter(name -> settings.find(name).isPresent())
        .map(
            name ->
                written.mistake(
                    name,
                    settings.text(name, ""),
                    "can't be changed by settings, since an endpoint has this policy"))
        .toList();
  }

  /** What becomes of all policies under new settings, without any effect yet. */
  Map<String, Policy> resolveAll(Settings settings, List<String> mistakes) {
    Map<String, Policy> all = new HashMap<>();
    for (Entry entry : entries.values()) {
      resolve(entry.written, settings, mistakes)
          .filter(policy -> countsSame(entry, policy, mistakes))
          .ifPresent(policy -> all.put(policy.name(), policy));
    }
    return all;
  }

  private static boolean countsSame(Entry entry, Policy policy, List<String> mistakes) {
    boolean same = policy.by().equals(entry.bound.by()) && policy.keys().equals(entry.bound.keys());
    if (!same) {
      mistakes.add(
          entry.written.mistake(
              SettingNames.DEFAULT + "by",
              policy.by() + " " + policy.keys(),
              "whom a policy counts can't change while the application runs"));
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
