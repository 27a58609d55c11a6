package io.weir.benchmarks.decisions.cases;

import io.weir.Decision;
import io.weir.Key;
import io.weir.Policy;
import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.annotation.Algorithm;
import io.weir.benchmarks.decisions.peers.CallerNames;
import io.weir.internal.inprocess.InProcessStore;
import java.time.Duration;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A limiter that counts in this process, exactly and without leases. */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH calls start()
public class InProcess {
  /** The algorithm. */
  @Param("SLIDING_WINDOW")
  public Algorithm algorithm = Algorithm.SLIDING_WINDOW;

  private Policy policy;
  private RateLimiter limiter;

  /** Makes everybody's bucket. */
  @Setup
  public void start(CallerNames callers) {
    policy =
        Policy.builder("big")
            .limit(CallerNames.LIMIT)
            .window(Duration.ofDays(1))
            .algorithm(algorithm)
            .build();
    limiter =
        RateLimiter.builder().store(new InProcessStore(Ticker.system(), callers.room())).build();
    IntStream.range(0, callers.keys)
        .parallel()
        .forEach(number -> take(Key.of(CallerNames.text(number))));
  }

  /** Stops it. */
  @TearDown
  public void stop() {
    limiter.close();
  }

  Decision take(Key key) {
    return limiter.tryAcquire(policy, key);
  }
}
