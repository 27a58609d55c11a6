package io.weir.internal.guard;

import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.internal.extension.SafeLog;
import io.weir.internal.key.KeySyntax;
import io.weir.internal.settings.SettingNames;
import io.weir.spi.DecisionPhase;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policies bound to one endpoint, by annotations and settings, ready to decide its requests.
 * What a policy source adds for a request isn't among them.
 *
 * <p>Safe for concurrent use; follows the settings.
 */
public final class GuardedEndpoint {
  private static final System.Logger LOG = System.getLogger(GuardedEndpoint.class.getName());
  private static final List<By> EVERYBODY = List.of(By.ENDPOINT);

  private final WeirRuntime weir;
  private final List<GuardedPolicy> before;
  private final List<GuardedPolicy> after;
  private final List<GuardedPolicy> all;
  private final CurrentPolicies currentBefore;
  private final CurrentPolicies currentAfter;
  private final boolean needsAddress;
  private final boolean isOfApplication;

  GuardedEndpoint(WeirRuntime weir, List<GuardedPolicy> policies) {
    this.weir = weir;
    this.before = of(DecisionPhase.BEFORE_AUTHENTICATION, policies);
    this.after = of(DecisionPhase.AFTER_AUTHENTICATION, policies);
    this.all = both(before, after);
    this.currentBefore = new CurrentPolicies(before);
    this.currentAfter = new CurrentPolicies(after);
    this.needsAddress = countAnyApart(all);
    this.isOfApplication = hasApplications(all);
  }

  // Loops, here as in all that is made for each endpoint: applications have thousands of them, and
  // while they start, little is compiled.

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

  /** Whether the policy of the whole application is among them. */
  private static boolean hasApplications(List<GuardedPolicy> policies) {
    for (GuardedPolicy each : policies) {
      if (each.bound().name().equals(SettingNames.APPLICATION_POLICY)) {
        return true;
      }
    }
    return false;
  }

  /** Whether any of them tells callers apart. */
  private static boolean countAnyApart(List<GuardedPolicy> policies) {
    for (GuardedPolicy each : policies) {
      if (!each.bound().by().equals(EVERYBODY)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether every request passes, so that adapters needn't do anything.
   *
   * @return true if no policy is bound here, and no policy source may add any
   */
  public boolean isEmpty() {
    return all.isEmpty() && weir.policySource().isEmpty();
  }

  /**
   * Whether a phase has anything to decide.
   *
   * @param phase before or after authentication
   * @return true if a policy belongs to it, or a policy source may add one
   */
  public boolean decides(DecisionPhase phase) {
    return isBound(phase) || weir.policySource().isPresent();
  }

  /**
   * Whether a policy that is bound here is decided in a phase, whatever a policy source may add.
   *
   * @param phase before or after authentication
   * @return true if there is one
   */
  public boolean isBound(DecisionPhase phase) {
    return !policies(phase).isEmpty();
  }

  /**
   * Whether a policy that is bound here may need the caller's address: one without a user or key is
   * counted by it too.
   *
   * @return false if everybody is counted together
   */
  public boolean needsAddress() {
    return needsAddress;
  }

  /**
   * The expressions that read a parameter of the method.
   *
   * @return the name of the parameter by the expression as a policy has it, {@code key =
   *     param:phone} say
   */
  public Map<String, String> parameters() {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (GuardedPolicy each : all) {
      parameters.putAll(parameters(each.bound().current()));
    }
    return parameters;
  }

  /**
   * The expressions of one policy that read a parameter of a method.
   *
   * @param policy the policy
   * @return see {@link #parameters()}
   */
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

  /**
   * Joins the policies of both; a policy that both have counts once.
   *
   * @param other another one of the same application
   * @return all policies
   */
  public GuardedEndpoint and(GuardedEndpoint other) {
    if (all.isEmpty() || other.all.isEmpty()) {
      return all.isEmpty() ? other : this;
    }
    return new GuardedEndpoint(
        weir, Stream.concat(all.stream(), other.all.stream()).distinct().toList());
  }

  List<GuardedPolicy> all() {
    return all;
  }

  /** Whether any policy is bound here, whatever a policy source adds. */
  boolean hasPolicies() {
    return !all.isEmpty();
  }

  /**
   * Begins the way of a request past these policies.
   *
   * @param request what the adapter knows of it; read in each phase
   * @return the request, undecided
   */
  public GuardedRequest enter(RequestInfo request) {
    return new GuardedRequest(weir, this, request);
  }

  /**
   * Leads a request to these policies that may have met others before.
   *
   * @param request what the adapter knows of it; read in each phase
   * @param attribute what the request has under {@link GuardedRequest#ATTRIBUTE}, if anything
   * @return the request as it was decided so far, now at these policies; a new one if it comes from
   *     another application
   */
  public GuardedRequest enter(RequestInfo request, @Nullable Object attribute) {
    if (attribute instanceof GuardedRequestHolder holder && holder.guarded().isOf(weir)) {
      GuardedRequest begun = holder.guarded();
      begun.moveTo(this, request);
      return begun;
    }
    return enter(request);
  }

  /**
   * The request as others have begun it, and where these led it.
   *
   * @param request what the adapter knows of it
   * @param attribute what the request has under {@link GuardedRequest#ATTRIBUTE}, if anything
   * @return a new one, at these policies, if nobody has begun it in this application
   */
  public GuardedRequest begun(RequestInfo request, @Nullable Object attribute) {
    return attribute instanceof GuardedRequestHolder holder && holder.guarded().isOf(weir)
        ? holder.guarded()
        : enter(request);
  }

  /**
   * Begins a call that may be part of the request of this thread. The policy of the whole
   * application charges the request, once; all others charge the call.
   *
   * @param call what is known of the call
   * @return the call, undecided
   */
  public GuardedRequest enterCall(RequestInfo call) {
    if (!isOfApplication && !weir.hasPolicySource()) {
      return enter(call);
    }
    return CurrentRequest.guarded(weir)
        .map(around -> new GuardedRequest(weir, this, call, around))
        .orElseGet(() -> enter(call));
  }

  /** Logs once for each policy why its requests aren't decided. */
  void warn(Throwable trouble) {
    List<String> names =
        all.stream()
            .filter(each -> each.usage().failsFirst())
            .map(each -> each.bound().name())
            .toList();
    if (!names.isEmpty()) {
      boolean unused =
          SafeLog.tryLog(
              LOG,
              System.Logger.Level.ERROR,
              "a request was admitted without a decision by " + names + " (said once for these)",
              trouble);
    }
  }

  WeirRuntime weir() {
    return weir;
  }

  /** The policies of a phase, as they are in force; the same list until one of them changes. */
  List<Policy> bound(DecisionPhase phase) {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION ? currentBefore.get() : currentAfter.get();
  }

  List<GuardedPolicy> policies(DecisionPhase phase) {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION ? before : after;
  }
}
