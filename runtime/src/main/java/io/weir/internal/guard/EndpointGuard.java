package io.weir.internal.guard;

import io.weir.Policy;
import io.weir.adapter.LimitedEndpoint;
import io.weir.annotation.By;
import io.weir.internal.extension.NonThrowingLog;
import io.weir.internal.key.BodyUse;
import io.weir.internal.key.KeySyntax;
import io.weir.internal.settings.SettingNames;
import io.weir.spi.DecisionPhase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds the policies that annotations and settings bind to one endpoint, by the phase that decides
 * them. Those that a policy source adds for a request aren't among them.
 *
 * <p>Safe for concurrent use; follows the settings.
 */
public abstract class EndpointGuard implements LimitedEndpoint {
  private static final System.Logger LOG = System.getLogger(EndpointGuard.class.getName());
  private static final List<By> EVERYBODY = List.of(By.ENDPOINT);

  private final RequestServices services;
  private final List<GuardedPolicy> before;
  private final List<GuardedPolicy> after;
  private final List<GuardedPolicy> all;
  private final CurrentPolicies currentBefore;
  private final CurrentPolicies currentAfter;

  /** Null unless policies of the phase read the body. */
  private final @Nullable BodySteps bodyBefore;

  private final @Nullable BodySteps bodyAfter;

  /** The formats of a body that any policy of either phase reads. */
  private final BodyUse bodyUse;

  private final boolean needsAddress;
  private final boolean isOfApplication;
  private final boolean mayWaitForUser;

  EndpointGuard(RequestServices services, List<GuardedPolicy> policies) {
    this.services = services;
    this.before = of(DecisionPhase.BEFORE_AUTHENTICATION, policies);
    this.after = of(DecisionPhase.AFTER_AUTHENTICATION, policies);
    this.all = both(before, after);
    this.currentBefore = new CurrentPolicies(before);
    this.currentAfter = new CurrentPolicies(after);
    this.bodyUse = bodyUse(all);
    this.bodyBefore = bodyUse.isAny() ? BodySteps.of(before) : null;
    this.bodyAfter = bodyUse.isAny() ? BodySteps.of(after) : null;
    if (bodyUse.isAny()) {
      services.markBodyReader();
    }
    this.needsAddress = countAnyApart(all);
    this.isOfApplication = hasApplications(all);
    this.mayWaitForUser = mayAnyWaitForUser(before);
    if (services.isOpen()) {
      for (GuardedPolicy each : all) {
        each.bound()
            .current()
            .ban()
            .ifPresent(terms -> services.bans().use(each.bound().name(), terms));
      }
    }
  }

  // Loops instead of streams: applications have thousands of endpoints, and while they start,
  // little is compiled.

  private static BodyUse bodyUse(List<GuardedPolicy> policies) {
    BodyUse use = BodyUse.NONE;
    for (GuardedPolicy each : policies) {
      if (each.readsBody()) {
        use = use.and(each.reader().body());
      }
    }
    return use;
  }

  private static List<GuardedPolicy> of(DecisionPhase phase, List<GuardedPolicy> policies) {
    List<GuardedPolicy> found = new ArrayList<>(policies.size());
    for (GuardedPolicy each : policies) {
      if (each.phase() == phase) {
        found.add(each);
      }
    }
    return found.size() == policies.size() ? policies : List.copyOf(found);
  }

  private static List<GuardedPolicy> both(List<GuardedPolicy> one, List<GuardedPolicy> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.isEmpty() ? other : one;
    }
    List<GuardedPolicy> both = new ArrayList<>(one);
    both.addAll(other);
    return List.copyOf(both);
  }

  /** Returns whether the policy of the whole application is among them. */
  private static boolean hasApplications(List<GuardedPolicy> policies) {
    for (GuardedPolicy each : policies) {
      if (each.bound().name().equals(SettingNames.APPLICATION_POLICY)) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayAnyWaitForUser(List<GuardedPolicy> policies) {
    for (GuardedPolicy each : policies) {
      if (each.reader().mayWaitForUser()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether any of them distinguishes callers. */
  private static boolean countAnyApart(List<GuardedPolicy> policies) {
    for (GuardedPolicy each : policies) {
      if (!each.bound().by().equals(EVERYBODY)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean isEmpty() {
    return all.isEmpty() && !services.decideAny();
  }

  @Override
  public boolean decides(DecisionPhase phase) {
    return isBound(phase) || services.decideAny();
  }

  @Override
  public boolean isBound(DecisionPhase phase) {
    return !policies(phase).isEmpty()
        || mayWaitForUser && phase == DecisionPhase.AFTER_AUTHENTICATION;
  }

  @Override
  public boolean needsAddress() {
    return needsAddress;
  }

  /**
   * Finds the expressions that read a parameter of the method.
   *
   * @return the name of the parameter by the expression, such as {@code key = param:phone}
   */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (GuardedPolicy each : all) {
      parameters.putAll(parameters(each.bound().current()));
    }
    return parameters;
  }

  /** Does as {@link #parameters()} for one policy. */
  public static Map<String, String> parameters(Policy policy) {
    Map<String, String> parameters = new LinkedHashMap<>();
    policy.keys().forEach(key -> add("key", key, parameters));
    add("costFrom", policy.costFrom(), parameters);
    return parameters;
  }

  private static void add(String member, String expression, Map<String, String> parameters) {
    KeySyntax.parameter(expression)
        .ifPresent(name -> parameters.put(member + " = " + expression, name));
  }

  /** Returns whether the policy of the whole application is bound here. */
  boolean isOfApplication() {
    return isOfApplication;
  }

  List<GuardedPolicy> all() {
    return all;
  }

  /** Returns null if no policy of this name is bound here. */
  @Nullable GuardedPolicy find(String policy) {
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).bound().name().equals(policy)) {
        return all.get(i);
      }
    }
    return null;
  }

  /** Returns whether any policy is bound here, whatever a policy source adds. */
  boolean hasPolicies() {
    return !all.isEmpty();
  }

  /** Returns whether there is anything to decide if a policy source has nothing to add. */
  boolean decidesWithoutSource() {
    return hasPolicies() || services.mayShutOut();
  }

  /** Logs, once for each policy, why a request isn't decided. */
  void warn(Throwable trouble) {
    List<String> names =
        all.stream()
            .filter(each -> each.usage().markFailed())
            .map(each -> each.bound().name())
            .toList();
    if (!names.isEmpty()) {
      NonThrowingLog.log(
          LOG,
          System.Logger.Level.ERROR,
          "a request was admitted without a decision by the policies "
              + names
              + " (logged once for these policies)",
          trouble);
    }
  }

  RequestServices services() {
    return services;
  }

  /**
   * Returns the policies of a phase as they are in force; the same list until one of them changes.
   */
  List<Policy> bound(DecisionPhase phase) {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION ? currentBefore.get() : currentAfter.get();
  }

  /** Returns how the phase is divided; null unless policies of it read the body. */
  @Nullable BodySteps bodySteps(DecisionPhase phase) {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION ? bodyBefore : bodyAfter;
  }

  /** Returns the formats of a body that any policy of either phase reads. */
  BodyUse bodyUse() {
    return bodyUse;
  }

  /** Returns the policies of a phase that don't read the body. */
  List<GuardedPolicy> bodiless(DecisionPhase phase) {
    BodySteps steps = bodySteps(phase);
    return steps == null ? policies(phase) : steps.bodiless();
  }

  List<GuardedPolicy> policies(DecisionPhase phase) {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION ? before : after;
  }
}
