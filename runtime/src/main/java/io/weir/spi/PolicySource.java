package io.weir.spi;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.annotation.By;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Brings further policies for requests, beside those of annotations and settings: rules in a
 * database, for example.
 *
 * <p>With a source every endpoint is limited by what the source says, whether it is annotated or
 * not. The source is asked in each phase of a request, and what it answers is decided together with
 * the annotated policies of that phase: all of them admit the request, or none takes a permit. A
 * bucket charges a request once, wherever the request is dispatched. What has the name of an
 * annotated policy takes that policy's place for the request.
 *
 * <p><b>Time.</b> A source answers at once where it can, by a completed stage. Where it has to look
 * something up, it answers later: a blocking adapter waits for it, at most as long as a decision
 * waits for the store ({@code weir.store.timeout}); an asynchronous one goes on when the stage is
 * completed, and no thread waits. The decision waits for source and store together no longer than
 * that: what the source took is missing for the store. So a source must not block, since it may be
 * called by an event loop.
 *
 * <p><b>Failure.</b> If the source throws, fails or is late, the request is decided by the
 * annotated policies alone, and that decision is {@linkplain io.weir.Decision#degraded() degraded}.
 * Where there are none, the request passes undecided. The first failure is logged. A single policy
 * that can't be used (its key can't be read, the store doesn't know its algorithm) is left out
 * alone, and is logged once.
 *
 * <p>Safe for concurrent use. Given to {@link io.weir.WeirBuilder#policySource}, found by {@link
 * java.util.ServiceLoader}, or made by a {@link PolicySourceProvider} that a setting calls for; an
 * application has at most one.
 */
@FunctionalInterface
public interface PolicySource extends AutoCloseable {
  /**
   * The policies that hold for a request in one phase.
   *
   * <p>A woven method decides both phases at once, and so asks for both, one after the other.
   *
   * @param request what is known of the request: its {@linkplain RequestInfo#endpoint() endpoint},
   *     {@linkplain RequestInfo#answeredMethod() method} and caller; not to be read any more once
   *     this method has returned
   * @param tier what the application's {@link TierResolver#tier} says of the caller
   * @param phase the phase: policies by {@link By#USER} are to be decided after authentication,
   *     since before it there is no user, and they would count by address
   * @param bound the policies of annotations and settings that decide in this phase, as they are in
   *     force; always the same list until one of them changes
   * @return the policies, no bucket twice; none if the source has nothing to say. One that has the
   *     name of a bound policy takes its place for this request: with its limit and cost as far as
   *     these are {@linkplain AppliedPolicy#isLimitGiven() given}, and all that its {@link
   *     AppliedPolicy#policy()} says of burst, mode, priority, overshoot, failure behaviour, shadow
   *     and what counts. Whom it counts, {@code costFrom} and {@code when} stay the bound policy's;
   *     so must the rest of the bucket (algorithm, window, refill), else the bound policy holds.
   *     What has the name of a policy that the endpoint's other phase decides does nothing. Never
   *     null, nor is what it completes with. A stage of {@link AppliedPolicies#noneInAnyPhase()}
   *     that is kept and answered again costs the least
   */
  CompletionStage<AppliedPolicies> policies(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound);

  /**
   * Takes note of a request that any policy decided, once, when it is known how it ended: refused,
   * or answered, and what doesn't count was refunded. Parts of a response and woven calls belong to
   * the request that they are made in; a woven call outside of a request is one of its own. Called
   * in the thread that ends the request, so it returns at once. What it throws is logged once.
   *
   * @param request what is known of the request; not to be read any more once this method has
   *     returned
   * @param decision all its decisions together; of a request that was admitted it holds refused
   *     parts if a part or a call was refused and the application went on
   */
  default void completed(RequestInfo request, Decision decision) {}

  /**
   * Starts the source, before the first request.
   *
   * @param application what the source may use of the application
   * @throws IllegalArgumentException if a setting can't be used; the application doesn't start then
   */
  default void start(SourceContext application) {}

  /**
   * Has somebody told whenever the policies of the source may have changed, so that nothing of the
   * old ones is kept. Called once, before the first request.
   *
   * @param listener to be run after each change, in any thread; returns at once
   */
  default void onChange(Runnable listener) {}

  /**
   * What the source applies, for people: lines that go below the {@linkplain io.weir.Weir#table()
   * table} of policies.
   *
   * @return nothing unless overridden; asked whenever the table is made
   */
  default List<String> describe() {
    return List.of();
  }

  /** Ends the source; called when its Weir is closed. Idempotent. */
  @Override
  default void close() {}
}
