package io.weir.internal.guard;

import io.weir.InvalidRequestException;
import io.weir.PermitRequest;
import io.weir.Policy;
import io.weir.annotation.By;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.AppliedPolicy;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks the application's {@link PolicySource}, for a limited time; where it fails or is late, its
 * policies are {@linkplain Answer#UNKNOWN unknown}.
 *
 * <p>Safe for concurrent use.
 */
final class SafePolicySource implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(SafePolicySource.class.getName());

  /** So that a source that invents names all the time doesn't fill the memory. */
  private static final int MAX_READERS = 10_000;

  private final PolicySource source;
  private final PermitStore store;
  private final Duration timeout;
  private final ScheduledExecutorService scheduler;
  private final Function<Policy, RequestReader> readerOf;
  private final Map<ReadMembers, RequestReader> readers = new ConcurrentHashMap<>();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
  private final SafeCalls calls =
      new SafeCalls(LOG, "the PolicySource failed: requests are decided without its policies");

  /**
   * What the source answered.
   *
   * @param policies those that it applies to the request
   * @param isKnown whether it has answered at all
   */
  record Answer(List<AppliedPolicy> policies, boolean isKnown) {
    /** There is no source, or it has nothing to say. */
    static final Answer NONE = new Answer(List.of(), true);

    /** The source failed, or was late. */
    static final Answer UNKNOWN = new Answer(List.of(), false);

    /** The policies of both answers. */
    Answer and(Answer other) {
      List<AppliedPolicy> both = new ArrayList<>(policies);
      both.addAll(other.policies);
      return new Answer(List.copyOf(both), isKnown && other.isKnown);
    }
  }

  /** What the reader of a policy is made of. */
  private record ReadMembers(
      String name, List<By> by, List<String> keys, String costFrom, String when) {
    ReadMembers(Policy policy) {
      this(policy.name(), policy.by(), policy.keys(), policy.costFrom(), policy.when());
    }
  }

  /**
   * Asks a source.
   *
   * @param store the store, which must count the buckets of its policies
   * @param timeout how long a request waits for an answer
   * @param scheduler ends the wait of those that no thread waits for
   * @param readerOf makes what reads requests for a policy
   */
  SafePolicySource(
      PolicySource source,
      PermitStore store,
      Duration timeout,
      ScheduledExecutorService scheduler,
      Function<Policy, RequestReader> readerOf) {
    this.source = source;
    this.store = store;
    this.timeout = timeout;
    this.scheduler = scheduler;
    this.readerOf = readerOf;
    source.onChange(this::forgetPolicies);
  }

  private void forgetPolicies() {
    readers.clear();
    warned.clear();
  }

  /** Asks and waits, at most for the time-out. */
  Answer await(RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
    CompletableFuture<Answer> answer = ask(request, tier, phase, bound);
    try {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      calls.failed(late());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException impossible) {
      calls.failed(impossible);
    }
    return Answer.UNKNOWN;
  }

  /** Asks without waiting; completed at the latest when the time-out is over, and never fails. */
  CompletionStage<Answer> askAsync(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
    CompletableFuture<Answer> answer = ask(request, tier, phase, bound);
    if (!answer.isDone()) {
      timeOut(answer);
    }
    return answer;
  }

  private CompletableFuture<Answer> ask(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    try {
      source
          .policies(request, tier, phase, bound)
          .whenComplete((policies, failure) -> answer.complete(answer(policies, failure)));
    } catch (Throwable broken) {
      answer.complete(answer(null, broken));
    }
    return answer;
  }

  private Answer answer(@Nullable AppliedPolicies applied, @Nullable Throwable failure) {
    try {
      if (failure == null) {
        AppliedPolicies all = Objects.requireNonNull(applied, "null, no policies");
        return all == AppliedPolicies.none()
            ? Answer.NONE
            : new Answer(all.policies(), all.isComplete());
      }
      calls.failed(failure);
    } catch (NullPointerException broken) {
      calls.failed(broken);
    }
    return Answer.UNKNOWN;
  }

  private void timeOut(CompletableFuture<Answer> answer) {
    try {
      Future<?> alarm =
          scheduler.schedule(() -> giveUp(answer), timeout.toNanos(), TimeUnit.NANOSECONDS);
      CompletionStage<Answer> stage = answer;
      stage.whenComplete((known, failure) -> alarm.cancel(false));
    } catch (RejectedExecutionException closed) {
      answer.complete(Answer.UNKNOWN);
    }
  }

  private void giveUp(CompletableFuture<Answer> answer) {
    if (answer.complete(Answer.UNKNOWN)) {
      calls.failed(late());
    }
  }

  private TimeoutException late() {
    return new TimeoutException("no answer within " + timeout);
  }

  /**
   * What a policy of the source requests for a request, beyond what it has charged before.
   *
   * @return nothing if that is all, if the policy doesn't hold, or can't be used, which is logged
   *     once
   * @throws InvalidRequestException if the policy can't count the request
   */
  Optional<PermitRequest> request(
      AppliedPolicy applied, RequestInfo request, DecisionHistory history) {
    Policy policy = applied.policy();
    try {
      if (!store.counts(policy.spec())) {
        throw new IllegalArgumentException("the store doesn't count buckets of " + policy.spec());
      }
      if (!policy.when().isEmpty() && !reader(policy).holds(request, history)) {
        return Optional.empty();
      }
      long cost = cost(applied, request, history);
      long rest = cost < 0 ? cost : history.rest(policy.name(), cost);
      return rest < 0
          ? Optional.empty()
          : Optional.of(
              new PermitRequest(
                  policy,
                  applied.key().orElseGet(() -> reader(policy).key(request)),
                  rest,
                  applied.limit()));
    } catch (InvalidRequestException invalid) {
      throw invalid;
    } catch (RuntimeException | LinkageError unusable) {
      warn(policy.name(), unusable);
      return Optional.empty();
    }
  }

  private long cost(AppliedPolicy applied, RequestInfo request, DecisionHistory history) {
    Policy policy = applied.policy();
    return applied.isCostGiven() || policy.costFrom().isEmpty()
        ? applied.permits()
        : reader(policy).cost(request, history, policy, applied.limit(), applied.permits());
  }

  private RequestReader reader(Policy policy) {
    ReadMembers members = new ReadMembers(policy);
    RequestReader known = readers.get(members);
    if (known != null) {
      return known;
    }
    if (readers.size() >= MAX_READERS) {
      readers.clear();
    }
    return readers.computeIfAbsent(members, any -> Objects.requireNonNull(readerOf.apply(policy)));
  }

  private void warn(String policy, Throwable unusable) {
    if (warned.size() < MAX_READERS && warned.add(policy)) {
      LOG.log(
          System.Logger.Level.ERROR,
          "the policy "
              + policy
              + " of the PolicySource can't be used and is left out: "
              + unusable.getMessage());
    }
  }

  @Override
  public void close() {
    calls.run(source::close);
  }
}
