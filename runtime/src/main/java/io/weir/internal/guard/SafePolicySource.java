package io.weir.internal.guard;

import io.weir.Decision;
import io.weir.InvalidRequestException;
import io.weir.Policy;
import io.weir.Ticker;
import io.weir.internal.extension.SafeCalls;
import io.weir.spi.AppliedPolicies;
import io.weir.spi.CallerTier;
import io.weir.spi.DecisionPhase;
import io.weir.spi.PolicySource;
import io.weir.spi.RequestInfo;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
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
 * policies are {@linkplain #UNKNOWN unknown}. One that answers at once costs a request nothing of
 * its own.
 *
 * <p>Safe for concurrent use.
 */
final class SafePolicySource implements AutoCloseable {
  /** The source failed, or was late. */
  static final AppliedPolicies UNKNOWN = AppliedPolicies.incomplete(List.of());

  private static final System.Logger LOG = System.getLogger(SafePolicySource.class.getName());

  private final PolicySource source;
  private final AppliedPolicyReader reader;
  private final Duration timeout;
  private final Ticker ticker;
  private final ScheduledExecutorService scheduler;
  private final SafeCalls asked =
      new SafeCalls(LOG, "the PolicySource failed: requests are decided without its policies");
  private final SafeCalls told =
      new SafeCalls(LOG, "the PolicySource failed to take note of a request that was completed");
  private final SafeCalls others = new SafeCalls(LOG, "the PolicySource failed");

  /**
   * Asks a source.
   *
   * @param reader makes requests of its policies
   * @param timeout how long a request waits for an answer
   * @param ticker measures how long that was
   * @param scheduler ends the wait of those that no thread waits for
   */
  SafePolicySource(
      PolicySource source,
      AppliedPolicyReader reader,
      Duration timeout,
      Ticker ticker,
      ScheduledExecutorService scheduler) {
    this.source = source;
    this.reader = reader;
    this.timeout = timeout;
    this.ticker = ticker;
    this.scheduler = scheduler;
    source.onChange(reader::forgetPolicies);
  }

  /** The source itself, as it was given. */
  PolicySource source() {
    return source;
  }

  /** Makes requests of its policies. */
  AppliedPolicyReader reader() {
    return reader;
  }

  /** Asks and waits, at most for what is left of the time-out; the history takes note. */
  AppliedPolicies await(
      RequestInfo request,
      CallerTier tier,
      DecisionPhase phase,
      List<Policy> bound,
      DecisionHistory history) {
    CompletionStage<AppliedPolicies> stage = ask(request, tier, phase, bound);
    AppliedPolicies now = answeredNow(stage);
    if (now != null) {
      return now;
    }
    long began = ticker.nanoTime();
    try {
      return later(stage).get(timeout.toNanos() - history.waited(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      asked.failed(late());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException impossible) {
      asked.failed(impossible);
    } finally {
      history.waited(ticker.nanoTime() - began);
    }
    return UNKNOWN;
  }

  /**
   * Asks without waiting.
   *
   * @param next goes on with the answer; called at the latest when the time-out is over
   */
  <T> CompletionStage<T> askAsync(
      RequestInfo request,
      CallerTier tier,
      DecisionPhase phase,
      List<Policy> bound,
      DecisionHistory history,
      Function<AppliedPolicies, CompletionStage<T>> next) {
    CompletionStage<AppliedPolicies> stage = ask(request, tier, phase, bound);
    AppliedPolicies now = answeredNow(stage);
    if (now != null) {
      return next.apply(now);
    }
    long began = ticker.nanoTime();
    CompletableFuture<AppliedPolicies> answer = later(stage);
    if (!answer.isDone()) {
      timeOut(answer, timeout.toNanos() - history.waited());
    }
    return answer.thenCompose(
        known -> {
          history.waited(ticker.nanoTime() - began);
          return next.apply(known);
        });
  }

  private CompletionStage<AppliedPolicies> ask(
      RequestInfo request, CallerTier tier, DecisionPhase phase, List<Policy> bound) {
    try {
      return Objects.requireNonNull(
          source.policies(request, tier, phase, bound), "null instead of a stage");
    } catch (InvalidRequestException invalid) {
      throw invalid; // what it must read can't be read, and the client is told so
    } catch (Throwable broken) {
      asked.failed(broken);
      return CompletableFuture.completedFuture(UNKNOWN);
    }
  }

  /** What the source has answered already; null if it answers later. */
  private @Nullable AppliedPolicies answeredNow(CompletionStage<AppliedPolicies> stage) {
    if (!(stage instanceof CompletableFuture)) {
      return null; // only of these it is known how to look without waiting
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

  /** Never fails. */
  private CompletableFuture<AppliedPolicies> later(CompletionStage<AppliedPolicies> stage) {
    CompletableFuture<AppliedPolicies> answer = new CompletableFuture<>();
    try {
      var unused =
          stage.whenComplete((applied, failure) -> answer.complete(answer(applied, failure)));
    } catch (Throwable broken) {
      answer.complete(answer(null, broken));
    }
    return answer;
  }

  private AppliedPolicies answer(@Nullable AppliedPolicies applied, @Nullable Throwable failure) {
    if (failure == null && applied != null) {
      return applied;
    }
    asked.failed(failure == null ? new NullPointerException("null, no policies") : failure);
    return UNKNOWN;
  }

  private void timeOut(CompletableFuture<AppliedPolicies> answer, long nanos) {
    try {
      Future<?> alarm = scheduler.schedule(() -> giveUp(answer), nanos, TimeUnit.NANOSECONDS);
      CompletionStage<AppliedPolicies> stage = answer;
      var unused = stage.whenComplete((known, failure) -> alarm.cancel(false));
    } catch (RejectedExecutionException closed) {
      answer.complete(UNKNOWN);
    }
  }

  private void giveUp(CompletableFuture<AppliedPolicies> answer) {
    if (answer.complete(UNKNOWN)) {
      asked.failed(late());
    }
  }

  private TimeoutException late() {
    return new TimeoutException("no answer within " + timeout);
  }

  /** Tells the source of a request whose end is known. */
  void completed(RequestInfo request, Decision decision) {
    try { // no lambda, since this is called for each request
      source.completed(request, decision);
    } catch (Throwable broken) {
      told.failed(broken);
    }
  }

  /** The table of policies, and below it what the source says of its own. */
  String addTo(String table) {
    List<String> lines = others.get(() -> List.copyOf(source.describe()), List.of());
    return lines.isEmpty() ? table : table + String.join("\n", lines) + "\n";
  }

  @Override
  public void close() {
    others.run(source::close);
  }
}
