package io.weir.guard;

import io.weir.Ask;
import io.weir.Decision;
import io.weir.RateLimitExceededException;
import io.weir.annotation.Count;
import io.weir.http.HeaderField;
import io.weir.http.Refusal;
import io.weir.key.KeyTooLongException;
import io.weir.key.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * One request's way past the guard of its endpoint: decided in two phases, and settled when its
 * response is known.
 *
 * <p>Safe for concurrent use, as far as the phases come one after the other.
 */
public final class GuardedRequest {
  private final Weir weir;
  private final EndpointGuard guard;
  private final RequestInfo request;
  private final List<Decision> decisions = new CopyOnWriteArrayList<>();
  private final AtomicBoolean ended = new AtomicBoolean();

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
    return decideAsync(phase).toCompletableFuture().join();
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
          .tryAcquireAsync(asks(policies.stream()))
          .thenApply(this::record)
          .exceptionally(this::undecided);
    } catch (KeyTooLongException tooLong) {
      giveAllBack();
      return CompletableFuture.completedFuture(
          Optional.of(weir.refusals().badRequest(tooLong.getMessage())));
    } catch (RuntimeException | LinkageError trouble) {
      return CompletableFuture.completedFuture(undecided(trouble));
    }
  }

  /** The limiter's trouble must not become the request's. */
  private Optional<Refusal> undecided(Throwable trouble) {
    guard.warn(trouble);
    return Optional.empty();
  }

  /**
   * Decides all policies at once, whether they need a user or not, for a call that has no response
   * to send. Waits for the store, if it has to be asked, at most for its time-out.
   *
   * @throws RateLimitExceededException if a policy refuses
   * @throws KeyTooLongException if the call can't be counted
   */
  public void admit() {
    if (guard.isEmpty() || !weir.enabled()) {
      return;
    }
    Decision decision = weir.limiter().tryAcquire(asks(guard.all()));
    decisions.add(decision);
    if (!decision.admitted()) {
      throw new RateLimitExceededException(decision);
    }
  }

  private List<Ask> asks(Stream<GuardedPolicy> policies) {
    return policies.map(each -> each.ask(request, weir.tiers())).toList();
  }

  private Optional<Refusal> record(Decision decision) {
    decisions.add(decision);
    if (decision.admitted()) {
      return Optional.empty();
    }
    giveAllBack();
    return Optional.of(weir.refusals().of(decision()));
  }

  /**
   * What was decided so far.
   *
   * @return the decision of all phases together
   * @throws IllegalStateException if no policy decided; see {@link #isDecided()}
   */
  public Decision decision() {
    if (decisions.isEmpty()) {
      throw new IllegalStateException("nothing was decided");
    }
    return Decision.of(decisions);
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
      decisions.stream()
          .flatMap(each -> each.parts().stream())
          .filter(part -> part.policy().count() == notCounted)
          .forEach(weir.limiter()::refund);
    }
  }

  private void giveAllBack() {
    decisions.forEach(weir.limiter()::refund);
  }
}
