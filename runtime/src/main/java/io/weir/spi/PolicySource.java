package io.weir.spi;

import io.weir.Decision;
import io.weir.Policy;
import io.weir.annotation.By;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Brings further policies for requests, beside those of annotations and settings: rules in a
 * database, for example.
 *
 * <p>A source can limit every endpoint, annotated or not. It is called in each phase of a request,
 * and its policies are decided together with the annotated policies of that phase: all of them
 * admit the request, or none takes a permit. A bucket charges a request once, however often it is
 * dispatched. A policy with the name of an annotated one replaces that policy for the request.
 *
 * <p><b>Time.</b> A source returns a completed stage if it can. If it has to look something up, it
 * completes the stage later: a blocking adapter waits for it, at most as long as a decision waits
 * for the store ({@code weir.store.timeout}); an asynchronous one continues when the stage is
 * completed, and no thread waits. This time-out covers source and store together: the time that the
 * source takes is missing for the store. Only a source that names a longer {@link #timeout} is
 * waited for by that, and at most half of the store's time is then missing: rules do so for a
 * caller's quota ({@code weir.rules.quota-timeout}). A source must not block, since an event loop
 * may call it.
 *
 * <p><b>Failure.</b> If the source throws, fails or is late, only the annotated policies decide the
 * request, and the decision is {@linkplain io.weir.Decision#degraded() degraded}. Without annotated
 * policies the request passes undecided. The first failure is logged. A single policy that can't be
 * used (its key can't be read, the store doesn't support its algorithm) is skipped and logged once.
 *
 * <p>Safe for concurrent use. Given to {@link io.weir.WeirBuilder#policySource}, found by {@link
 * java.util.ServiceLoader}, or made by a {@link PolicySourceProvider} if a setting asks for it; an
 * application has at most one.
 */
@FunctionalInterface
public interface PolicySource extends AutoCloseable {
  /**
   * Finds the policies for a request in one phase.
   *
   * <p>For a woven method, which decides both phases at once, it is called for one after the other.
   *
   * @param request the request: its {@linkplain RequestInfo#endpoint() endpoint}, {@linkplain
   *     RequestInfo#answeredMethod() method} and caller; must not be read after this method has
   *     returned
   * @param tier the caller's tier by the application's {@link TierResolver#tier}
   * @param phase the phase: decide policies by {@link By#USER} after authentication, since before
   *     it they would count by address
   * @param bound the effective policies of annotations and settings that decide in this phase; the
   *     same list until one of them changes
   * @return the policies, no bucket twice; none if no policy applies. A policy with the name of a
   *     bound one replaces it for this request: with its limit and cost, if these are {@linkplain
   *     AppliedPolicy#isLimitGiven() given}, and with the burst, refill, mode, priority, overshoot,
   *     failure behaviour, shadow mode and {@code count} of its {@link AppliedPolicy#policy()}. The
   *     key, {@code costFrom} and {@code when} remain those of the bound policy; algorithm, window,
   *     and whether it has a refill, must be equal, else the bound policy applies. A policy with
   *     the name of one that decides in the endpoint's other phase is ignored. Neither the stage
   *     nor its value may be null. Returning the same completed stage of {@link
   *     AppliedPolicies#noneInAnyPhase()} each time is the cheapest answer
   */
  CompletionStage<AppliedPolicies> policies(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound);

  /**
   * Returns the longest wait of a request for this source, where it needs more than that for the
   * store. Read while a request waits. Of its wait at most half of {@code weir.store.timeout} is
   * then missing for the store.
   *
   * @return empty unless overridden: source and store share {@code weir.store.timeout}
   */
  default Optional<Duration> timeout() {
    return Optional.empty();
  }

  /**
   * Observes the end of each request that any policy decided: it was refused, or it was answered
   * and permits that don't count were refunded. Includes and woven calls belong to the request that
   * they are made in; a woven call outside of a request is a request of its own. Called in the
   * thread that ends the request, so it must return at once. The first exception is logged.
   *
   * @param request the request; must not be read after this method has returned
   * @param decision all its decisions together; for an admitted request it has refused parts if an
   *     include or a call was refused and the application continued
   */
  default void completed(RequestInfo request, Decision decision) {}

  /**
   * Returns metrics of the source's own. They receive what the application's metrics receive, for
   * all policies: those of annotations and settings as well.
   *
   * @return none unless overridden. Called once, before {@link #start}
   */
  default Optional<DecisionMetrics> metrics() {
    return Optional.empty();
  }

  /**
   * Returns the source's entries for the application's access list.
   *
   * @return none unless overridden. Called once, before {@link #start}
   */
  default Optional<AccessListSource> accessList() {
    return Optional.empty();
  }

  /**
   * Starts the source before the first request.
   *
   * @param application the parts of the application that the source may use
   * @throws IllegalArgumentException if a setting can't be used; the application doesn't start then
   */
  default void start(SourceContext application) {}

  /**
   * Registers a listener for changes of the source's policies, so that outdated policies aren't
   * cached. Called once, before the first request.
   *
   * @param listener to be run after each change, in any thread; it returns at once
   */
  default void onChange(Runnable listener) {}

  /**
   * Describes the policies of the source for people: lines below the {@linkplain
   * io.weir.Weir#table() table} of policies.
   *
   * @return the lines; none unless overridden. Called whenever the table is written
   */
  default List<String> describe() {
    return List.of();
  }

  /** Closes the source when its Weir is closed. Idempotent. */
  @Override
  default void close() {}
}
