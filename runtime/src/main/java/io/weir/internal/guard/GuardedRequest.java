package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.PermitRequest;
import io.weir.RateLimitExceededException;
import io.weir.annotation.Count;
import io.weir.internal.http.HeaderField;
import io.weir.internal.http.Refusal;
import io.weir.internal.key.KeyTooLongException;
import io.weir.internal.permits.RequestDecision;
import io.weir.spi.RequestInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request's way past the guards of all endpoints that it meets: those that it is dispatched to,
 * and those of each adapter that it passes. Decided in two phases at each of them, and settled when
 * its response is known.
 *
 * <p>A policy charges a request once, wherever the request meets it; if it costs more there than it
 * was charged, the rest is charged too. A refusal gives back whatever the request was charged, and
 * the header fields tell of all its decisions.
 *
 * <p>Loops instead of streams, here as in what it calls: with streams this was most of what a
 * request paid for being limited. Safe for concurrent use, as far as the phases come one after the
 * other.
 */
public final class GuardedRequest {
  /** The attribute of a request under which one adapter leaves this for the next. */
  public static final String ATTRIBUTE = GuardedRequest.class.getName();

  private final WeirRuntime weir;
  private volatile EndpointGuard guard;
  private volatile RequestInfo request;

  /** What doesn't count, once that is known. */
  private final AtomicReference<@Nullable Count> ended = new AtomicReference<>();

  /** One for each phase that decided; replaced whole. */
  private volatile List<Decision> decisions = List.of();

  /** Whether all of them were given back, since one refused. */
  private volatile boolean refused;

  /** Whether a policy charged in two steps. */
  private volatile boolean inSteps;

  private volatile @Nullable List<HeaderField> headers;

  GuardedRequest(WeirRuntime weir, EndpointGuard guard, RequestInfo request) {
    this.weir = weir;
    this.guard = guard;
    this.request = request;
  }

  /**
   * Goes on to another endpoint, whose policies are decided next.
   *
   * @param next guards the endpoint
   * @param seen what the adapter there knows of the request
   */
  public void moveTo(EndpointGuard next, RequestInfo seen) {
    guard = next;
    request = seen;
  }

  boolean isOf(WeirRuntime other) {
    return weir == other;
  }

  /**
   * Decides one phase, as far as it wasn't decided before, and waits for the store, if it has to be
   * asked, at most for its time-out. Trouble of the limiter's own, or of an application's part,
   * admits.
   *
   * @param phase before or after authentication
   * @return the response to send instead of going on; nothing if the request is admitted
   */
  public Optional<Refusal> decide(DecisionPhase phase) {
    List<GuardedPolicy> policies = guard.policies(phase);
    if (policies.isEmpty() || !weir.enabled()) {
      return Optional.empty();
    }
    try {
      List<PermitRequest> asks = asks(policies);
      return asks.isEmpty() ? Optional.empty() : record(weir.limiter().tryAcquire(asks));
    } catch (KeyTooLongException tooLong) {
      return badRequest(tooLong);
    } catch (RuntimeException | LinkageError trouble) {
      return undecided(trouble);
    }
  }

  /**
   * Decides one phase, as far as it wasn't decided before, without waiting. Trouble of the
   * limiter's own, or of an application's part, admits without a decision; an endpoint's first is
   * logged.
   *
   * @param phase before or after authentication
   * @return the response to send instead of going on; nothing if the request is admitted. Never
   *     completed exceptionally
   */
  public CompletionStage<Optional<Refusal>> decideAsync(DecisionPhase phase) {
    List<GuardedPolicy> policies = guard.policies(phase);
    if (policies.isEmpty() || !weir.enabled()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    try {
      List<PermitRequest> asks = asks(policies);
      if (asks.isEmpty()) {
        return CompletableFuture.completedFuture(Optional.empty());
      }
      return weir.limiter()
          .tryAcquireAsync(asks)
          .thenApply(this::record)
          .exceptionally(this::undecided);
    } catch (KeyTooLongException tooLong) {
      return CompletableFuture.completedFuture(badRequest(tooLong));
    } catch (RuntimeException | LinkageError trouble) {
      return CompletableFuture.completedFuture(undecided(trouble));
    }
  }

  private Optional<Refusal> badRequest(KeyTooLongException tooLong) {
    refused();
    return answered(weir.refusals().badRequest(tooLong.getMessage()));
  }

  /** The limiter's trouble must not become the request's. */
  private Optional<Refusal> undecided(Throwable trouble) {
    guard.warn(trouble);
    return Optional.empty();
  }

  /**
   * Decides all policies at once, whether they need a user or not, as far as they weren't decided
   * before, for a call that has no response to send. A refusal leaves what the request was charged
   * before. Waits for the store, if it has to be asked, at most for its time-out. Trouble of the
   * limiter's own admits without a decision; a policy's first is logged.
   *
   * @throws RateLimitExceededException if a policy refuses
   * @throws KeyTooLongException if the call can't be counted
   */
  public void admit() {
    if (guard.isEmpty() || !weir.enabled()) {
      return;
    }
    decidedAtOnce().ifPresent(this::admit);
  }

  private Optional<Decision> decidedAtOnce() {
    try {
      List<PermitRequest> asks = asks(guard.all());
      return asks.isEmpty() ? Optional.empty() : Optional.of(weir.limiter().tryAcquire(asks));
    } catch (KeyTooLongException tooLong) {
      throw tooLong;
    } catch (RuntimeException | LinkageError trouble) {
      guard.warn(trouble);
      return Optional.empty();
    }
  }

  private void admit(Decision decision) {
    if (!decision.admitted()) {
      throw new RateLimitExceededException(told(and(decision)));
    }
    add(decision);
  }

  /**
   * Decides as {@link #admit()} does, for a part of the response, such as an include.
   *
   * @return what to throw instead of going on, if the part is refused; nothing if it is admitted
   */
  public Optional<RuntimeException> admitPart() {
    try {
      admit();
      return Optional.empty();
    } catch (RateLimitExceededException | KeyTooLongException refusal) {
      return Optional.of(refusal);
    }
  }

  private List<PermitRequest> asks(List<GuardedPolicy> policies) {
    forgetRefused();
    if (decisions.isEmpty() && policies.size() == 1) {
      return List.of(policies.get(0).ask(request, weir.tiers()));
    }
    List<PermitRequest> asks = new ArrayList<>(policies.size());
    for (GuardedPolicy each : policies) {
      long charged = charged(each.bound().name());
      Optional<PermitRequest> ask = each.ask(request, weir.tiers(), charged);
      ask.ifPresent(asks::add);
      if (ask.isPresent() && charged > 0) {
        inSteps = true;
      }
    }
    return asks;
  }

  /** Whoever goes on in spite of a refusal has been charged nothing. */
  private void forgetRefused() {
    if (refused) {
      refused = false;
      decisions = List.of();
      headers = null;
    }
  }

  /**
   * What a policy has charged this request, so that it isn't charged again. All there is where the
   * policy has decided without charging, as it does in shadow mode and without its store.
   */
  private long charged(String policy) {
    boolean decided = false;
    long permits = 0;
    for (Decision each : decisions) {
      for (Decision part : each.parts()) {
        if (part.policy().name().equals(policy)) {
          decided = true;
          permits += part.permits();
        }
      }
    }
    return decided && permits == 0 ? Long.MAX_VALUE : permits;
  }

  private Optional<Refusal> record(Decision decision) {
    add(decision);
    if (decision.admitted()) {
      return Optional.empty();
    }
    refused();
    return answered(weir.refusals().of(told(decisions)));
  }

  private void add(Decision decision) {
    decisions = and(decision);
    headers = null;
    Count notCounted = ended.get();
    if (notCounted != null) {
      refund(decision, notCounted);
    }
  }

  private List<Decision> and(Decision decision) {
    if (decisions.isEmpty()) {
      return List.of(decision);
    }
    List<Decision> all = new ArrayList<>(decisions);
    all.add(decision);
    return List.copyOf(all);
  }

  /** What the caller is told: of a policy that charged the rest later only what it said last. */
  private Decision told(List<Decision> all) {
    if (!inSteps) {
      return together(all);
    }
    Map<String, Decision> latest = new LinkedHashMap<>();
    for (Decision each : all) {
      for (Decision part : each.parts()) {
        latest.put(part.policy().name(), part);
      }
    }
    return RequestDecision.of(List.copyOf(latest.values()));
  }

  private static Decision together(List<Decision> all) {
    return all.size() == 1 ? all.get(0) : RequestDecision.of(all);
  }

  /**
   * What was decided so far.
   *
   * @return the decision of all phases together
   * @throws IllegalStateException if no policy decided; see {@link #isDecided()}
   */
  public Decision decision() {
    List<Decision> all = decisions;
    if (all.isEmpty()) {
      throw new IllegalStateException("nothing was decided");
    }
    return together(all);
  }

  /**
   * Whether any policy decided this request.
   *
   * @return false before the first phase, and where Weir is switched off
   */
  public boolean isDecided() {
    return !decisions.isEmpty();
  }

  /**
   * The header fields that tell the caller of its limits.
   *
   * @return those of the response's last word: of all decisions together, or of a refusal; none if
   *     nothing was decided
   */
  public List<HeaderField> headers() {
    List<HeaderField> told = headers;
    if (told == null) {
      told = isDecided() ? weir.fields().of(told(decisions)) : List.of();
      headers = told;
    }
    return told;
  }

  /**
   * Takes note of the refusal that is sent, which may be that of a woven method: its header fields
   * are the last word.
   *
   * @param refusal the response
   * @return the same
   */
  public Optional<Refusal> answered(Refusal refusal) {
    headers = refusal.headers();
    return Optional.of(refusal);
  }

  /** Takes note that the whole request is refused: gives back whatever it was charged. */
  public void refused() {
    refused = true;
    decisions.forEach(weir.limiter()::refund);
  }

  /**
   * Takes note of the response: gives back what doesn't count in the end, also of what is decided
   * later. Only the first call of this or {@link #failed()} matters.
   *
   * @param status the HTTP status
   */
  public void completed(int status) {
    end(status < 400 ? Count.FAILURES : Count.SUCCESSES);
  }

  /** Takes note that there was no response, or an exception instead of one: a failure. */
  public void failed() {
    end(Count.SUCCESSES);
  }

  private void end(Count notCounted) {
    if (ended.compareAndSet(null, notCounted)) {
      for (Decision each : decisions) {
        refund(each, notCounted);
      }
    }
  }

  private void refund(Decision decision, Count notCounted) {
    for (Decision part : decision.parts()) {
      if (part.policy().count() == notCounted) {
        weir.limiter().refund(part);
      }
    }
  }
}
