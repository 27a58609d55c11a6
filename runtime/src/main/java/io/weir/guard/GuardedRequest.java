package io.weir.guard;

import io.weir.Ask;
import io.weir.Decision;
import io.weir.RateLimitExceededException;
import io.weir.annotation.Count;
import io.weir.http.HeaderField;
import io.weir.http.Refusal;
import io.weir.key.KeyTooLongException;
import io.weir.key.RequestInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One request's way past the guard of its endpoint: decided in two phases, and settled when its
 * response is known.
 *
 * <p>Loops instead of streams, here as in what it calls: with streams this was most of what a
 * request paid for being limited. Safe for concurrent use, as far as the phases come one after the
 * other.
 */
public final class GuardedRequest {
  private final Weir weir;
  private final EndpointGuard guard;
  private final RequestInfo request;
  private final AtomicBoolean ended = new AtomicBoolean();

  /** One for each phase that decided; replaced whole. */
  private volatile List<Decision> decisions = List.of();

  GuardedRequest(Weir weir, EndpointGuard guard, RequestInfo request) {
    this.weir = weir;
    this.guard = guard;
    this.request = request;
  }

  /**
   * Decides one phase, and waits for the store, if it has to be asked, at most for its time-out.
   * Trouble of the limiter's own, or of an application's part, admits.
   *
   * @param phase before or after authentication
   * @return the response to send instead of going on; nothing if the request is admitted
   */
  public Optional<Refusal> decide(Phase phase) {
    List<GuardedPolicy> policies = guard.policies(phase);
    if (policies.isEmpty() || !weir.enabled()) {
      return Optional.empty();
    }
    try {
      return record(weir.limiter().tryAcquire(asks(policies)));
    } catch (KeyTooLongException tooLong) {
      return badRequest(tooLong);
    } catch (RuntimeException | LinkageError trouble) {
      return undecided(trouble);
    }
  }

  /**
   * Decides one phase without waiting. Trouble of the limiter's own, or of an application's part,
   * admits without a decision; an endpoint's first is logged.
   *
   * @param phase before or after authentication
   * @return the response to send instead of going on; nothing if the request is admitted. Never
   *     completed exceptionally
   */
  public CompletionStage<Optional<Refusal>> decideAsync(Phase phase) {
    List<GuardedPolicy> policies = guard.policies(phase);
    if (policies.isEmpty() || !weir.enabled()) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    try {
      return weir.limiter()
          .tryAcquireAsync(asks(policies))
          .thenApply(this::record)
          .exceptionally(this::undecided);
    } catch (KeyTooLongException tooLong) {
      return CompletableFuture.completedFuture(badRequest(tooLong));
    } catch (RuntimeException | LinkageError trouble) {
      return CompletableFuture.completedFuture(undecided(trouble));
    }
  }

  private Optional<Refusal> badRequest(KeyTooLongException tooLong) {
    giveAllBack();
    return Optional.of(weir.refusals().badRequest(tooLong.getMessage()));
  }

  /** The limiter's trouble must not become the request's. */
  private Optional<Refusal> undecided(Throwable trouble) {
    guard.warn(trouble);
    return Optional.empty();
  }

  /**
   * Decides all policies at once, whether they need a user or not, for a call that has no response
   * to send. Waits for the store, if it has to be asked, at most for its time-out. Trouble of the
   * limiter's own admits without a decision; a policy's first is logged.
   *
   * @throws RateLimitExceededException if a policy refuses
   * @throws KeyTooLongException if the call can't be counted
   */
  public void admit() {
    if (guard.isEmpty() || !weir.enabled()) {
      return;
    }
    decidedAtOnce()
        .ifPresent(
            decision -> {
              add(decision);
              if (!decision.admitted()) {
                throw new RateLimitExceededException(decision);
              }
            });
  }

  private Optional<Decision> decidedAtOnce() {
    try {
      return Optional.of(weir.limiter().tryAcquire(asks(guard.all())));
    } catch (KeyTooLongException tooLong) {
      throw tooLong;
    } catch (RuntimeException | LinkageError trouble) {
      guard.warn(trouble);
      return Optional.empty();
    }
  }

  private List<Ask> asks(List<GuardedPolicy> policies) {
    if (policies.size() == 1) {
      return List.of(policies.get(0).ask(request, weir.tiers()));
    }
    List<Ask> asks = new ArrayList<>(policies.size());
    for (GuardedPolicy each : policies) {
      asks.add(each.ask(request, weir.tiers()));
    }
    return asks;
  }

  private Optional<Refusal> record(Decision decision) {
    add(decision);
    if (decision.admitted()) {
      return Optional.empty();
    }
    giveAllBack();
    return Optional.of(weir.refusals().of(decision()));
  }

  private void add(Decision decision) {
    if (decisions.isEmpty()) {
      decisions = List.of(decision);
      return;
    }
    List<Decision> all = new ArrayList<>(decisions);
    all.add(decision);
    decisions = List.copyOf(all);
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
    return all.size() == 1 ? all.get(0) : Decision.of(all);
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
   * @return none if nothing was decided
   */
  public List<HeaderField> headers() {
    return isDecided() ? weir.fields().of(decision()) : List.of();
  }

  /**
   * Takes note of the response: gives back what doesn't count in the end. Only the first call of
   * this or {@link #failed()} matters.
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
    if (ended.compareAndSet(false, true)) {
      for (Decision each : decisions) {
        for (Decision part : each.parts()) {
          if (part.policy().count() == notCounted) {
            weir.limiter().refund(part);
          }
        }
      }
    }
  }

  private void giveAllBack() {
    decisions.forEach(weir.limiter()::refund);
  }
}
