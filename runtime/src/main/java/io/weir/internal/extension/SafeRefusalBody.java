package io.weir.internal.extension;

import io.weir.Ticker;
import io.weir.internal.http.CustomRefusalBody;
import io.weir.internal.threads.DaemonThreadFactory;
import io.weir.internal.threads.RejectingPool;
import io.weir.spi.RefusalBody;
import io.weir.spi.RefusalInfo;
import io.weir.spi.RefusalText;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the application's {@link RefusalBody}; if it fails or is slow, the standard document is
 * sent. It runs in a thread of its own, which ends when idle, so that it delays a request by at
 * most {@value #PATIENCE_MILLIS} ms; after a slow answer it isn't asked for ten seconds.
 *
 * <p>Safe for concurrent use.
 */
public final class SafeRefusalBody implements CustomRefusalBody.Source, AutoCloseable {
  private static final long PATIENCE_MILLIS = 500;
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final int MAX_WAITING = 64;
  private static final long IDLE_SECONDS = 10;

  private final RefusalBody words;
  private final Ticker ticker;
  private final SafeCalls calls =
      new SafeCalls(
          System.getLogger(SafeRefusalBody.class.getName()),
          "the RefusalBody failed: refused callers get the standard document");
  private final ThreadPoolExecutor executor;

  /** The end of the pause after a slow answer; empty if there was none. */
  private volatile Optional<Long> pausedUntil = Optional.empty();

  public SafeRefusalBody(RefusalBody words, Ticker ticker) {
    this.words = words;
    this.ticker = ticker;
    this.executor =
        new RejectingPool(
            DaemonThreadFactory.named("weir"), 1, MAX_WAITING, Duration.ofSeconds(IDLE_SECONDS));
  }

  @Override
  public CustomRefusalBody of(RefusalInfo refusal) {
    if (isPaused()) {
      return CustomRefusalBody.UNKNOWN;
    }
    try {
      Future<Optional<RefusalText>> answer = executor.submit(() -> words.of(refusal));
      return new CustomRefusalBody(
          Objects.requireNonNull(await(answer), "null instead of a text"), true);
    } catch (ExecutionException failed) {
      calls.failed(Objects.requireNonNullElse(failed.getCause(), failed));
    } catch (TimeoutException slow) {
      pausedUntil = Optional.of(ticker.nanoTime() + PAUSE_NANOS);
      calls.failed(slow);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException tooMany) {
      return CustomRefusalBody.UNKNOWN;
    } catch (RuntimeException broken) {
      calls.failed(broken);
    }
    return CustomRefusalBody.UNKNOWN;
  }

  private static Optional<RefusalText> await(Future<Optional<RefusalText>> answer)
      throws ExecutionException, TimeoutException, InterruptedException {
    try {
      return answer.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException | InterruptedException over) {
      answer.cancel(true);
      throw over;
    }
  }

  private boolean isPaused() {
    return pausedUntil.filter(end -> ticker.nanoTime() - end < 0).isPresent();
  }

  /** Ends the thread. */
  @Override
  public void close() {
    executor.shutdownNow();
  }
}
