package io.weir.internal.guard;

import io.weir.annotation.By;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Guards one endpoint: the policies bound to it, ready to decide requests.
 *
 * <p>Safe for concurrent use; follows the settings.
 */
public final class EndpointGuard {
  private static final System.Logger LOG = System.getLogger(EndpointGuard.class.getName());
  private static final String PARAMETER = "param:";
  private static final List<By> EVERYBODY = List.of(By.ENDPOINT);

  private final WeirRuntime weir;
  private final List<GuardedPolicy> before;
  private final List<GuardedPolicy> after;
  private final List<GuardedPolicy> all;
  private final boolean needsAddress;

  EndpointGuard(WeirRuntime weir, List<GuardedPolicy> policies) {
    this.weir = weir;
    this.before = of(DecisionPhase.BEFORE_AUTHENTICATION, policies);
    this.after = of(DecisionPhase.AFTER_AUTHENTICATION, policies);
    this.all = both(before, after);
    this.needsAddress = countAny(all);
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

  /** Whether any of them counts callers apart. */
  private static boolean countAny(List<GuardedPolicy> policies) {
    for (GuardedPolicy each : policies) {
      if (!each.bound().by().equals(EVERYBODY)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether nothing is bound here, so that adapters needn't do anything.
   *
   * @return true if every request passes
   */
  public boolean isEmpty() {
    return before.isEmpty() && after.isEmpty();
  }

  /**
   * Whether a phase has anything to decide.
   *
   * @param phase before or after authentication
   * @return true if a policy belongs to it
   */
  public boolean decides(DecisionPhase phase) {
    return !policies(phase).isEmpty();
  }

  /**
   * Whether the caller's address may be asked for: a missing user or key counts by it too.
   *
   * @return false if everybody counts together
   */
  public boolean needsAddress() {
    return needsAddress;
  }

  /**
   * The names of the method's parameters that keys are read from.
   *
   * @return what follows {@code param:} in the expressions
   */
  public List<String> parameters() {
    return all.stream()
        .flatMap(each -> each.bound().keys().stream())
        .filter(expression -> expression.startsWith(PARAMETER))
        .map(expression -> expression.substring(PARAMETER.length()))
        .toList();
  }

  /**
   * Guards by the policies of both; a policy that both name counts once.
   *
   * @param other another guard of the same application
   * @return a guard of all policies
   */
  public EndpointGuard and(EndpointGuard other) {
    if (isEmpty() || other.isEmpty()) {
      return isEmpty() ? other : this;
    }
    return new EndpointGuard(
        weir, Stream.concat(all.stream(), other.all.stream()).distinct().toList());
  }

  List<GuardedPolicy> all() {
    return all;
  }

  /**
   * Lets a request in front of the guard.
   *
   * @param request what the adapter knows of it; read in each phase
   * @return the request's way past this guard
   */
  public GuardedRequest enter(RequestInfo request) {
    return new GuardedRequest(weir, this, request);
  }

  /**
   * Lets a request in front of the guard that may have met others before.
   *
   * @param request what the adapter knows of it; read in each phase
   * @param attribute what the request has under {@link GuardedRequest#ATTRIBUTE}, if anything
   * @return the request's way so far, which leads past this guard now; a new one if there was none
   *     in this application
   */
  public GuardedRequest enter(RequestInfo request, @Nullable Object attribute) {
    if (attribute instanceof GuardedRequest begun && begun.isOf(weir)) {
      begun.moveTo(this, request);
      return begun;
    }
    return enter(request);
  }

  /** Says once of each policy what keeps its requests from being decided. */
  void warn(Throwable trouble) {
    List<String> names =
        all.stream()
            .filter(each -> each.use().failsFirst())
            .map(each -> each.bound().name())
            .toList();
    if (!names.isEmpty()) {
      LOG.log(
          System.Logger.Level.ERROR,
          "a request was admitted without a decision by " + names + " (said once for these)",
          trouble);
    }
  }

  List<GuardedPolicy> policies(DecisionPhase phase) {
    return phase == DecisionPhase.BEFORE_AUTHENTICATION ? before : after;
  }
}
