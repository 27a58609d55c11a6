package io.weir.internal.policy;

import io.weir.EndpointPolicy;
import io.weir.Policy;
import io.weir.internal.key.ReadablePlaces;
import io.weir.internal.policy.draft.ApplicationCapabilities;
import io.weir.internal.policy.draft.EndpointAnnotations;
import io.weir.internal.policy.draft.EndpointCapabilities;
import io.weir.internal.policy.draft.LimitedElement;
import io.weir.internal.settings.SettingNames;
import io.weir.internal.settings.SettingsSnapshot;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Binds policies to the endpoints read so far, by annotations and settings.
 *
 * <p>{@link #find}, {@link #hasRead}, {@link #exceptsPaths} and {@link #addTo} are safe for
 * concurrent use; hold the catalog's lock for all other methods.
 */
final class EndpointPolicyBindings {
  private final Map<JavaEndpoint, Bound> endpoints = new ConcurrentHashMap<>();
  private final PolicyRegistry registry = new PolicyRegistry();
  private final ApplicationCapabilities capabilities;
  private final PolicyWarningLog warnings;
  private SettingsSnapshot settings = SettingsSnapshot.of(Map.of());
  private boolean defaultAsked;
  private boolean prepared;

  /** Whether any policy leaves out paths, so that the path of a request matters. */
  private volatile boolean exceptsPaths;

  /** The policy of {@code weir.application.*}; exists from the start or never. */
  private volatile List<LivePolicy> ofApplication = List.of();

  record Bound(EndpointAnnotations annotations, List<LivePolicy> policies) {}

  EndpointPolicyBindings(ApplicationCapabilities capabilities, PolicyWarningLog warnings) {
    this.capabilities = capabilities;
    this.warnings = warnings;
  }

  /** Returns the policies of an endpoint; empty if it wasn't read yet. */
  Optional<List<LivePolicy>> find(JavaEndpoint endpoint) {
    return Optional.ofNullable(endpoints.get(endpoint)).map(Bound::policies);
  }

  /** Adds a line for each endpoint and policy, and warns of odd combinations. */
  void addTo(PolicyTableWriter table, UrlPolicies urls) {
    endpoints.forEach(
        (endpoint, bound) -> {
          List<LivePolicy> together = new ArrayList<>(bound.policies);
          if (endpoint.site().urlPatterns()) {
            together.addAll(urls.everywhere());
          }
          table.add(endpoint, bound.annotations, bound.policies, together);
          warnings.ofPriorities(endpoint.place(), bound.policies, together);
        });
  }

  void addTo(List<EndpointPolicy> all) {
    endpoints.forEach(
        (endpoint, bound) ->
            bound.policies.forEach(
                each -> all.add(new EndpointPolicy(endpoint.label(), each.current()))));
  }

  boolean isEmpty() {
    return endpoints.isEmpty();
  }

  boolean exceptsPaths() {
    return exceptsPaths;
  }

  /** Returns whether any endpoint of a class or of a subclass was read. */
  boolean hasRead(Class<?> type) {
    return endpoints.keySet().stream().anyMatch(each -> type.isAssignableFrom(each.type()));
  }

  Collection<LivePolicy> policies() {
    return registry.all();
  }

  Set<String> names() {
    return registry.names();
  }

  /** Returns whether an endpoint of any other class has policies beside the application's. */
  boolean limitsAnyBeside(Class<?> type) {
    return endpoints.entrySet().stream()
        .anyMatch(
            each ->
                each.getKey().type() != type
                    && !ofApplication.containsAll(each.getValue().policies));
  }

  SettingsSnapshot settings() {
    return settings;
  }

  /**
   * Removes the endpoints of an application, and returns the policies that no other endpoint has.
   */
  Collection<LivePolicy> forget(ClassLoader application) {
    endpoints.keySet().removeIf(each -> each.isOf(application));
    Set<LivePolicy> kept = new HashSet<>(ofApplication);
    endpoints.values().forEach(each -> kept.addAll(each.policies));
    return registry.retain(kept);
  }

  /** Binds policies to an endpoint; keeps them unless there is a fatal mistake. */
  List<LivePolicy> bind(
      JavaEndpoint endpoint, EndpointAnnotations annotations, BindingMistakes mistakes) {
    Bound bound = new Bound(annotations, read(endpoint, annotations, mistakes));
    List<ExcessiveMethodCost> ofCosts = costMistakes(Map.of(endpoint, bound));
    ofCosts.forEach(each -> mistakes.ofSettings().add(each.line()));
    if (mistakes.fatal().isEmpty() && endpoints.putIfAbsent(endpoint, bound) == null) {
      ofCosts.forEach(each -> registry.ignore(each, settings));
      mistakes.ofSettings().forEach(warnings::ofIgnored);
      bound.policies.stream()
          .filter(each -> !ofApplication.contains(each))
          .forEach(each -> each.appliesTo(endpoint.label()));
      if (bound.policies.stream().anyMatch(each -> !each.now().except().isEmpty())) {
        exceptsPaths = true;
      }
      warnings.ofInventedKeys(endpoint.place(), bound.policies);
      if (!endpoint.site().methodParameters()) { // a call is decided at once, with its user
        bound.policies.forEach(each -> warnings.ofLateCondition(place(endpoint, each), each));
      }
    }
    return bound.policies;
  }

  private String place(JavaEndpoint endpoint, LivePolicy policy) {
    return ofApplication.contains(policy) ? policy.describe() : endpoint.place();
  }

  /** Finds costs that are too high under the settings in force and aren't ignored yet. */
  private List<ExcessiveMethodCost> costMistakes(Map<JavaEndpoint, Bound> at) {
    return costMistakes(at, each -> Optional.of(each.current()), settings);
  }

  /**
   * Finds costs that are more than a policy of an endpoint ever admits, and aren't ignored yet.
   *
   * @param inForce finds a policy under these settings; empty if it has a mistake
   */
  private List<ExcessiveMethodCost> costMistakes(
      Map<JavaEndpoint, Bound> at,
      Function<LivePolicy, Optional<Policy>> inForce,
      SettingsSnapshot under) {
    if (!under.anyUnder(SettingNames.COST)) {
      return List.of();
    }
    List<ExcessiveMethodCost> mistakes = new ArrayList<>();
    at.forEach(
        (endpoint, bound) ->
            bound.policies.stream()
                .flatMap(each -> inForce.apply(each).stream())
                .flatMap(
                    each ->
                        ExcessiveMethodCost.find(endpoint, bound.annotations, each, under).stream())
                .filter(each -> !registry.ignores(each))
                .forEach(mistakes::add));
    return mistakes;
  }

  private List<LivePolicy> read(
      JavaEndpoint endpoint, EndpointAnnotations annotations, BindingMistakes mistakes) {
    Optional<LimitedElement> annotated = annotations.inForce();
    if (annotated.isPresent()) {
      List<LivePolicy> own =
          registry.bindAll(
              annotated.get(),
              endpoint.scope(capabilities, annotations.ofMethod().isPresent()),
              settings,
              mistakes);
      return annotated.get().unlimited() ? own : withApplication(own);
    }
    if (endpoint.site().methodParameters()) {
      return List.of();
    }
    defaultAsked = true;
    PolicyDefinitionSite origin =
        new PolicyDefinitionSite(
            endpoint.type(),
            endpoint.label(),
            endpoint.place(),
            endpoint.scope(capabilities, false));
    return withApplication(
        PolicySettings.has(SettingNames.DEFAULT, settings)
            ? registry.bindSettings(
                endpoint.defaultName(), SettingNames.DEFAULT, origin, settings, mistakes)
            : List.of());
  }

  private List<LivePolicy> withApplication(List<LivePolicy> own) {
    if (own.isEmpty() || ofApplication.isEmpty()) {
      return own.isEmpty() ? ofApplication : own;
    }
    List<LivePolicy> all = new ArrayList<>(own);
    all.addAll(ofApplication);
    return List.copyOf(all);
  }

  /** Returns the policies of an endpoint that can't carry annotations; at most one. */
  List<LivePolicy> ofApplication() {
    return ofApplication;
  }

  /**
   * Validates new settings against all policies, and returns the task that puts them into effect.
   */
  Runnable prepare(SettingsSnapshot next, List<String> mistakes) {
    EndpointCapabilities any =
        new EndpointCapabilities(capabilities, ReadablePlaces.OF_SOURCES, false);
    SettingsSnapshot before = defaultAsked ? settings : next;
    mistakes.addAll(PolicySettings.mistakes(SettingNames.DEFAULT, any, before, next));
    prepareApplication(next, mistakes);
    List<String> ignored = new ArrayList<>();
    Map<String, Policy> policies = registry.resolveAll(next, mistakes, ignored);
    costMistakes(endpoints, each -> Optional.ofNullable(policies.get(each.name())), next)
        .forEach(each -> mistakes.add(each.line()));
    return () -> commit(next);
  }

  private void prepareApplication(SettingsSnapshot next, List<String> mistakes) {
    EndpointCapabilities all =
        new EndpointCapabilities(capabilities, ReadablePlaces.EVERYWHERE, false);
    SettingsSnapshot before = prepared ? settings : next;
    String prefix = SettingNames.APPLICATION;
    List<String> found = PolicySettings.mistakes(prefix, all, before, next);
    mistakes.addAll(found);
    if (!prepared && found.isEmpty() && PolicySettings.has(prefix, next)) {
      PolicyDefinitionSite origin =
          new PolicyDefinitionSite(getClass(), "weir.application", "weir.application", all);
      BindingMistakes wrong = BindingMistakes.atStart();
      ofApplication =
          registry.bindSettings(SettingNames.APPLICATION_POLICY, prefix, origin, next, wrong);
      mistakes.addAll(wrong.fatal());
      ofApplication.forEach(each -> each.appliesTo("all endpoints"));
    }
    prepared = true;
  }

  /**
   * Resolves the policies again, since an endpoint may have been read after the settings were
   * validated.
   */
  private void commit(SettingsSnapshot next) {
    settings = next;
    List<String> ignored = new ArrayList<>();
    registry.commit(registry.resolveAll(next, ignored, ignored), next);
    for (ExcessiveMethodCost each : costMistakes(endpoints)) {
      registry.ignore(each, next);
      ignored.add(each.line());
    }
    exceptsPaths = registry.exceptsPaths();
    ignored.forEach(warnings::ofIgnored);
  }
}
