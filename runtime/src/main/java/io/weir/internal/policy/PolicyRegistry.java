package io.weir.internal.policy;

import io.weir.Policy;
import io.weir.internal.policy.draft.EndpointCapabilities;
import io.weir.internal.policy.draft.LimitedElement;
import io.weir.internal.policy.draft.PolicyChecks;
import io.weir.internal.policy.draft.PolicyDraft;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.Settings;
import java.lang.ref.WeakReference;
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
final class PolicyRegistry {
  private static final List<String> FIXED = List.of("by", "key", "url");

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /**
   * Where a policy is written. Holds no class, so that an application that shares a policy can be
   * unloaded.
   *
   * @param element the method or class in full, to tell the same from another
   * @param loader of its class, only weakly
   * @param place how messages name it
   * @param scope what it can make use of there
   */
  record Origin(
      String element, WeakReference<ClassLoader> loader, String place, EndpointCapabilities scope) {
    Origin(Class<?> type, String element, String place, EndpointCapabilities scope) {
      this(element, new WeakReference<>(type.getClassLoader()), place, scope);
    }

    boolean isSame(Origin other) {
      return element.equals(other.element) && other.loader.refersTo(loader.get());
    }
  }

  /** One name: what was written under it, where first, and what is in force. */
  private record Entry(Written written, BoundPolicy bound) {}

  /**
   * A policy as written.
   *
   * @param base what the settings begin with that give all its members; empty for an annotation
   */
  private record Written(PolicyDraft draft, Origin origin, String base) {
    boolean bySettings() {
      return !base.isEmpty();
    }

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

  /** Binds all annotations of a method or class, except those with mistakes. */
  List<BoundPolicy> bindAll(
      LimitedElement found, EndpointCapabilities scope, Settings settings, List<String> mistakes) {
    Origin origin =
        new Origin(found.declaringClass(), found.element().toString(), found.place(), scope);
    if (found.unlimited() && !found.limits().isEmpty()) {
      mistakes.add(found.place() + ": @Unlimited = true: can't stand together with @RateLimit");
    }
    List<BoundPolicy> bound = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (PolicyDraft draft : found.drafts()) {
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
      PolicyDraft draft, Origin origin, Settings settings, List<String> mistakes) {
    List<String> found = PolicyChecks.mistakes(draft, origin.place, origin.scope);
    mistakes.addAll(found);
    if (!found.isEmpty()) {
      return Optional.empty();
    }
    Written written = new Written(draft, origin, "");
    if (draft.name().equals(PolicyCatalog.APPLICATION)) {
      mistakes.add(written.mistake("name", draft.name(), PolicyCatalog.TAKEN));
      return Optional.empty();
    }
    Entry entry = entries.get(draft.name());
    if (entry == null) {
      return add(written, settings, mistakes);
    }
    conflict(entry.written, written).ifPresent(mistakes::add);
    return Optional.of(entry.bound);
  }

  /**
   * Binds what the settings alone say.
   *
   * @param name what the policy is called, whatever else is bound
   * @param base what those settings begin with
   */
  List<BoundPolicy> bindSettings(
      String name, String base, Origin origin, Settings settings, List<String> mistakes) {
    Written written = new Written(PolicyDraft.empty(name), origin, base);
    Entry entry = entries.get(name);
    if (entry == null) {
      return add(written, settings, mistakes).map(List::of).orElse(List.of());
    }
    if (!entry.written.bySettings()) {
      mistakes.add(nameTaken(entry.written, written));
    }
    return List.of(entry.bound);
  }

  private Optional<BoundPolicy> add(Written written, Settings settings, List<String> mistakes) {
    Optional<BoundPolicy> bound =
        resolve(written, settings, mistakes)
            .map(policy -> new BoundPolicy(policy, PolicySettings.costs(settings)));
    bound.ifPresent(each -> entries.put(each.name(), new Entry(written, each)));
    return bound;
  }

  private static Optional<String> conflict(Written first, Written next) {
    if (!first.bySettings() && first.origin.isSame(next.origin)) {
      return Optional.empty();
    }
    // The same method of another class loader is the same application, deployed twice.
    boolean elsewhere = !first.origin.element.equals(next.origin.element);
    if (first.bySettings() || elsewhere && first.draft.isUnnamed() && next.draft.isUnnamed()) {
      return Optional.of(nameTaken(first, next));
    }
    return first.draft.policy().equals(next.draft.policy())
        ? Optional.empty()
        : Optional.of(
            next.mistake(
                "name",
                next.draft.name(),
                first.origin.element + " has it too; policies of one name must be equal"));
  }

  private static String nameTaken(Written first, Written next) {
    return next.mistake(
        "name",
        next.draft.name(),
        first.origin.element + " has it too; give one of them a name of its own");
  }

  /** Drops all others than these. */
  List<BoundPolicy> retain(Set<BoundPolicy> kept) {
    List<BoundPolicy> gone =
        entries.values().stream().map(Entry::bound).filter(each -> !kept.contains(each)).toList();
    gone.forEach(each -> entries.remove(each.name()));
    return gone;
  }

  /** What becomes of a policy under some settings; nothing if it is mistaken. */
  private static Optional<Policy> resolve(
      Written written, Settings settings, List<String> mistakes) {
    String prefix = SettingNames.POLICY + written.draft.name() + ".";
    if (!written.bySettings() && !settings.anyUnder(prefix)) {
      // What is written was checked before it was bound.
      return Optional.of(written.draft.inZoneOf(settings).policy());
    }
    List<String> found = new ArrayList<>(fixed(written, prefix, settings));
    try {
      PolicyDraft base =
          written.bySettings() ? written.draft.overridden(settings, written.base) : written.draft;
      PolicyDraft draft = base.overridden(settings, prefix);
      found.addAll(PolicyChecks.mistakes(draft, written.origin.place, written.origin.scope));
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
          .filter(policy -> readsSame(entry, policy, mistakes))
          .ifPresent(policy -> all.put(policy.name(), policy));
    }
    return all;
  }

  private static boolean readsSame(Entry entry, Policy policy, List<String> mistakes) {
    List<String> members = entry.bound.readsOtherwise(policy);
    members.forEach(member -> mistakes.add(fixed(entry, member, policy)));
    return members.isEmpty();
  }

  private static String fixed(Entry entry, String member, Policy policy) {
    return switch (member) {
      case BoundPolicy.COST_FROM ->
          fixed(entry, member, policy.costFrom(), "where a policy finds costs");
      case BoundPolicy.WHEN ->
          fixed(entry, member, policy.when(), "for which requests a policy holds");
      default -> {
        String counted = policy.by() + " " + policy.keys();
        yield fixed(entry, entry.written.base + member, counted, "whom a policy counts");
      }
    };
  }

  private static String fixed(Entry entry, String member, String value, String what) {
    return entry.written.mistake(member, value, what + " can't change while the application runs");
  }

  void commit(Map<String, Policy> policies, Settings settings) {
    Map<String, Long> costs = PolicySettings.costs(settings);
    policies.forEach(
        (name, policy) ->
            Optional.ofNullable(entries.get(name))
                .ifPresent(entry -> entry.bound.become(policy, costs)));
  }
}
