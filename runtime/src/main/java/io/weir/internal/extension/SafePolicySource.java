package io.weir.internal.extension;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.access.AccessEntry;
import io.weir.access.AccessSubject;
import io.weir.internal.value.DurationText;
import io.weir.spi.AccessListSource;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks the application's {@link PolicySource} for a limited time; if it fails or is late, its
 * policies are {@linkplain #UNKNOWN unknown}. A source that answers at once adds no allocation to a
 * request.
 *
 * <p>Safe for concurrent use.
 */
public final class SafePolicySource implements AutoCloseable {
  /** The answer if the source fails or is late. */
  public static final AppliedPolicies UNKNOWN = AppliedPolicies.incomplete(List.of());

  /** Sums up how long one request has waited for the source. */
  public interface WaitedTime {
    /** Returns how long it has waited so far, in nanoseconds. */
    long waited();

    /**
     * Adds a wait.
     *
     * @param nanos its length; a negative one counts as 0
     */
    void addWaited(long nanos);
  }

  private static final System.Logger LOG = System.getLogger(SafePolicySource.class.getName());

  private final PolicySource source;
  private final Duration timeout;
  private final Ticker ticker;
  private final ScheduledExecutorService scheduler;
  private final SafeCalls asked =
      new SafeCalls(LOG, "the PolicySource failed: requests are decided without its policies");
  private final SafeCalls completed =
      new SafeCalls(LOG, "the PolicySource failed to record a completed request");
  private final SafeCalls others = new SafeCalls(LOG, "the PolicySource failed");

  /** Null until it is followed, and if the source has none. */
  private volatile @Nullable AccessListSource accessList;

  /**
   * Wraps a source.
   *
   * @param timeout the longest wait of a request for its answers
   * @param scheduler ends the waits of asynchronous requests
   */
  public SafePolicySource(
      PolicySource source, Duration timeout, Ticker ticker, ScheduledExecutorService scheduler) {
    this.source = source;
    this.timeout = timeout;
    this.ticker = ticker;
    this.scheduler = scheduler;
  }

  public PolicySource source() {
    return source;
  }

  /**
   * Asks and waits, at most for what is left of the time-out.
   *
   * @param waitedTime is increased by the wait
   * @return the policies; {@link #UNKNOWN} if the source fails or is late
   * @throws InvalidRequestException if the request lacks what a policy must read
   */
  public AppliedPolicies await(
      RequestInfo request,
      CallerTier tier,
      DecisionPhase phase,
      List<Policy> bound,
      WaitedTime waitedTime) {
    CompletionStage<AppliedPolicies> stage = ask(request, tier, phase, bound);
    AppliedPolicies now = answeredNow(stage);
    if (now != null) {
      return now;
    }
    long began = ticker.nanoTime();
    Wait wait = longestWait();
    try {
      return later(stage).get(wait.longest - waitedTime.waited(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      asked.failed(wait.late());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      throwIfInvalid(failed.getCause());
      asked.failed(failed);
    } finally {
      waitedTime.addWaited(wait.counted(ticker.nanoTime() - began));
    }
    return UNKNOWN;
  }

  /**
   * Asks without waiting.
   *
   * @param waitedTime is increased by the time until the answer
   * @param next continues with the answer, at the latest after the time-out
   */
  public <T> CompletionStage<T> askAsync(
      RequestInfo request,
      CallerTier tier,
      DecisionPhase phase,
      List<Policy> bound,
      WaitedTime waitedTime,
      Executor resume,
      Function<AppliedPolicies, CompletionStage<T>> next) {
    CompletionStage<AppliedPolicies> stage = ask(request, tier, phase, bound);
    AppliedPolicies now = answeredNow(stage);
    if (now != null) {
      return next.apply(now);
    }
    long began = ticker.nanoTime();
    CompletableFuture<AppliedPolicies> answer = later(stage);
    Wait wait = longestWait();
    if (!answer.isDone()) {
      timeOut(answer, wait, wait.longest - waitedTime.waited());
    }
    return answer.thenComposeAsync(
        known -> {
          waitedTime.addWaited(wait.counted(ticker.nanoTime() - began));
          return next.apply(known);
        },
        resume);
  }

  private CompletionStage<AppliedPolicies> ask(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
    try {
      return Objects.requireNonNull(
          source.policies(request, tier, phase, bound), "null instead of a stage");
    } catch (InvalidRequestException invalid) {
      throw invalid;
    } catch (Throwable broken) {
      asked.failed(broken);
      return CompletableFuture.completedFuture(UNKNOWN);
    }
  }

  /** Returns the answer if the source has given it already; else null. */
  private @Nullable AppliedPolicies answeredNow(CompletionStage<AppliedPolicies> stage) {
    if (!(stage instanceof CompletableFuture)) {
      return null; // other stages can't be read without waiting
    }
    try {
      CompletableFuture<AppliedPolicies> readable = stage.toCompletableFuture();
      return readable.isDone() ? answer(readable.join(), null) : null;
    } catch (CompletionException failed) {
      return answer(null, failed.getCause() == null ? failed : failed.getCause());
    } catch (RuntimeException failed) {
      return answer(null, failed);
    }
  }

  /** The request lacks what a policy must read: it is answered by 400. */
  private static void throwIfInvalid(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof InvalidRequestException invalid) {
      throw invalid;
    }
  }

  /** Fails only with an {@link InvalidRequestException}. */
  private CompletableFuture<AppliedPolicies> later(CompletionStage<AppliedPolicies> stage) {
    CompletableFuture<AppliedPolicies> answer = new CompletableFuture<>();
    try {
      var unused =
          stage.whenComplete(
              (applied, failure) -> {
                try {
                  answer.complete(answer(applied, failure));
                } catch (InvalidRequestException invalid) {
                  answer.completeExceptionally(invalid);
                }
              });
    } catch (Throwable broken) {
      answer.complete(answer(null, broken));
    }
    return answer;
  }

  private AppliedPolicies answer(@Nullable AppliedPolicies applied, @Nullable Throwable failure) {
    if (failure == null && applied != null) {
      return applied;
    }
    throwIfInvalid(failure);
    asked.failed(
        failure == null
            ? new NullPointerException("it returned null instead of policies")
            : failure);
    return UNKNOWN;
  }

  private void timeOut(CompletableFuture<AppliedPolicies> answer, Wait wait, long nanos) {
    try {
      Future<?> alarm = scheduler.schedule(() -> giveUp(answer, wait), nanos, TimeUnit.NANOSECONDS);
      CompletionStage<AppliedPolicies> stage = answer;
      var unused = stage.whenComplete((known, failure) -> alarm.cancel(false));
    } catch (RejectedExecutionException closed) {
      answer.complete(UNKNOWN);
    }
  }

  private void giveUp(CompletableFuture<AppliedPolicies> answer, Wait wait) {
    if (answer.complete(UNKNOWN)) {
      asked.failed(wait.late());
    }
  }

  /** Returns how long a request may wait: as for the store, unless the source needs longer. */
  private Wait longestWait() {
    return others
        .get(source::timeout, Optional.<Duration>empty())
        .filter(own -> own.compareTo(timeout) > 0)
        .map(own -> new Wait(own.toNanos(), timeout.toNanos() / 2))
        .orElseGet(() -> new Wait(timeout.toNanos(), Long.MAX_VALUE));
  }

  /**
   * The wait of one request.
   *
   * @param longest in nanoseconds
   * @param mostCounted as much of it is missing for the store, so that some is left
   */
  private record Wait(long longest, long mostCounted) {
    long counted(long nanos) {
      return Math.min(nanos, mostCounted);
    }

    TimeoutException late() {
      return new TimeoutException(
          "no answer within " + DurationText.inWords(Duration.ofNanos(longest)));
    }
  }

  /** Reports a request that has ended to the source, with all that was decided of it. */
  public void completed(RequestInfo request, Decision decision) {
    try { // no lambda, since this is called for each request
      source.completed(request, decision);
    } catch (Throwable broken) {
      completed.failed(broken);
    }
  }

  /**
   * Has the source give its entries for the access list and its bans, if it has any.
   *
   * @param entries takes all entries after each change
   * @param bans takes all bans after each change
   */
  public void followAccessList(
      Consumer<List<AccessEntry>> entries, Consumer<List<AccessEntry>> bans) {
    others
        .get(source::accessList, Optional.<AccessListSource>empty())
        .ifPresent(
            each -> {
              others.run(() -> each.follow(entries));
              others.run(() -> each.followBans(bans));
              accessList = each;
            });
  }

  /** Returns whether the source keeps bans, so that all nodes have them. */
  public boolean keepsBans() {
    AccessListSource list = accessList;
    return list != null && others.get(list::keepsBans, false);
  }

  /** Has the source write a ban that this node has made. */
  public void ban(AccessEntry ban, String policy) {
    AccessListSource list = accessList;
    if (list != null) {
      others.run(() -> list.ban(ban, policy));
    }
  }

  /** Has the source lift a ban. */
  public void lift(AccessSubject subject) {
    AccessListSource list = accessList;
    if (list != null) {
      others.run(() -> list.lift(subject));
    }
  }

  /** Adds what the source says of its own policies below the table of policies. */
  public String addTo(String table) {
    List<String> lines = others.get(() -> List.copyOf(source.describe()), List.of());
    return lines.isEmpty() ? table : table + String.join("\n", lines) + "\n";
  }

  @Override
  public void close() {
    others.run(source::close);
  }
}
