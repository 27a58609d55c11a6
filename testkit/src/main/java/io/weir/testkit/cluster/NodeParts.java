package io.weir.testkit.cluster;

import io.weir.RateLimiter;
import io.weir.Ticker;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.LoadSensor;
import io.weir.store.LeasingStore;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The parts of the limiter of one simulated node.
 *
 * <p>Immutable.
 *
 * @param name the node's name
 * @param settings how nodes are set up
 * @param store the shared store, as this node sees it through the network
 * @param ticker the node's clocks
 * @param scheduler the node's scheduler
 * @param load how busy the node is
 * @param metrics records decisions
 */
public record NodeParts(
    String name,
    NodeSettings settings,
    LeasingStore store,
    Ticker ticker,
    ScheduledExecutorService scheduler,
    LoadSensor load,
    DecisionMetrics metrics) {

  /** Makes a limiter of its parts. */
  @FunctionalInterface
  public interface Assembly {
    /**
     * Makes a limiter.
     *
     * @param parts all it needs
     * @return a limiter that the cluster closes, unless the node crashes
     */
    RateLimiter assemble(NodeParts parts);
  }

  /**
   * Returns a limiter as applications have it.
   *
   * @return a limiter that the caller closes
   */
  public RateLimiter limiter() {
    return RateLimiter.builder()
        .store(store)
        .ticker(ticker)
        .scheduler(scheduler)
        .loadSensor(load)
        .metrics(metrics)
        .storeTimeout(settings.storeTimeout())
        .flushInterval(settings.flushInterval())
        .cacheBuckets(settings.maxBuckets())
        .nodes(settings.nodes())
        .reserve(settings.reserve())
        .nodeName(name)
        .onStoreFailure(settings::onStoreFailure)
        .build();
  }
}
