package io.weir;

import io.weir.annotation.OnStoreFailure;
import io.weir.annotation.Priority;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.LoadSensor;
import io.weir.store.PermitStore;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Builds a {@link RateLimiter}.
 *
 * <p>Confine to one thread.
 */
public interface RateLimiterBuilder {
  /**
   * Sets the store of the buckets; in this process unless set.
   *
   * @param where a store, which the limiter closes
   * @return this
   */
  RateLimiterBuilder store(PermitStore where);

  /**
   * Sets the store of the buckets by its address, whose scheme selects the kind of store.
   *
   * @param address an address as in the setting {@code weir.store}, such as {@code inprocess:}
   * @param setting reads a setting by its full name; the empty string if it isn't set
   * @return this; {@link #build()} fails if the address is malformed
   */
  RateLimiterBuilder store(String address, UnaryOperator<String> setting);

  /**
   * Sets the source of time; the machine's clocks unless set.
   *
   * @param clock the ticker
   * @return this
   */
  RateLimiterBuilder ticker(Ticker clock);

  /**
   * Sets the sensor of this node's load; it measures processor and heap unless set.
   *
   * @param sensor called for each request under a policy that is ELASTIC or has a priority
   * @return this
   */
  RateLimiterBuilder loadSensor(LoadSensor sensor);

  /**
   * Sets the curves by which policies with a priority reduce their limits under load; {@link
   * LoadCurve#of} unless set.
   *
   * @param settings called whenever a policy with a priority decides; must return at once
   * @return this
   */
  RateLimiterBuilder loadCurves(Function<Priority, LoadCurve> settings);

  /**
   * Sets the metrics of decisions; none unless set.
   *
   * @param observer metrics, which the limiter closes
   * @return this
   */
  RateLimiterBuilder metrics(DecisionMetrics observer);

  /**
   * Sets the tracing of decisions; none unless set.
   *
   * @param spans finds the span that a decision is recorded on
   * @return this
   */
  RateLimiterBuilder tracing(DecisionTracing spans);

  /**
   * Sets how long a decision may wait for the store; 100 ms unless set.
   *
   * @param longest more than zero
   * @return this
   * @throws IllegalArgumentException if it is zero or less
   */
  RateLimiterBuilder storeTimeout(Duration longest);

  /**
   * Sets how long {@link #build()} may take to warm up a store that leases permits: it connects,
   * loads the store's scripts, learns the number of live nodes, and decides test requests until
   * these are fast. If the store can't be reached within this time, the limiter is made without it.
   *
   * <p>2 s unless set. With a {@link #ticker} or {@link #scheduler} of your own, which may stand
   * still in a test, there is no warm-up unless this is set.
   *
   * @param longest more than zero, by the machine's clock
   * @return this
   * @throws IllegalArgumentException if it is zero or less
   */
  RateLimiterBuilder startTimeout(Duration longest);

  /**
   * Sets the scheduler of flushes, heartbeats and the time-outs of asynchronous decisions; a daemon
   * thread of the limiter's own unless set, started when it is first needed.
   *
   * @param executor a scheduler, which the limiter doesn't close
   * @return this
   */
  RateLimiterBuilder scheduler(ScheduledExecutorService executor);

  /**
   * Sets how often leases are topped up and idle permits given back, if the store leases permits;
   * 100 ms unless set.
   *
   * @param interval 10 ms to 10 s
   * @return this; {@link #build()} fails if the value is out of range
   */
  RateLimiterBuilder flushInterval(Duration interval);

  /**
   * Sets the number of buckets whose leases are cached, if the store leases permits, and that this
   * node counts individually while the store can't be reached; 100,000 unless set.
   *
   * @param most 1 and more
   * @return this; {@link #build()} fails if the value is out of range
   */
  RateLimiterBuilder cacheBuckets(long most);

  /**
   * Sets whether permits are also leased for slow callers, if the store leases permits; true unless
   * set. While a bucket of a fixed or sliding window of a minute or more is far from its limit, a
   * node then holds a few permits for up to an eighth of the window, and needn't call the store for
   * each request. In return, the first window after a sudden rise of requests may admit up to an
   * eighth less than the limit, but never more.
   *
   * @param on false to call the store for each request of such a caller
   * @return this
   */
  RateLimiterBuilder leasesForSlowCallers(boolean on);

  /**
   * Sets the number of nodes that share a limit while the store can't be reached, used until the
   * store has reported the number of live nodes; 1 unless set.
   *
   * @param live 1 and more
   * @return this
   * @throws IllegalArgumentException if it is less than 1
   */
  RateLimiterBuilder nodes(int live);

  /**
   * Sets the percentage of each limit that is reserved for nodes that can't reach the store and
   * decide by {@link OnStoreFailure#LOCAL}, so that all nodes together don't admit more than the
   * limit. Each of these nodes may admit an equal share of the reserve, so {@link #nodes} must then
   * be the maximum number of nodes. 0 unless set; without effect if the store is in this process.
   *
   * @param percent 0 to 90
   * @return this
   * @throws IllegalArgumentException if it is outside that range
   */
  RateLimiterBuilder reserve(int percent);

  /**
   * Sets this node's name among those that share the store; random unless set.
   *
   * @param name unique among the nodes, not empty
   * @return this
   */
  RateLimiterBuilder nodeName(String name);

  /**
   * Sets how policies whose {@code onStoreFailure} is {@code DEFAULT} decide while the store can't
   * be reached; {@code LOCAL} unless set.
   *
   * @param settings called whenever a request is decided without the store
   * @return this
   */
  RateLimiterBuilder onStoreFailure(Supplier<OnStoreFailure> settings);

  /**
   * Makes the limiter.
   *
   * @return a limiter that the caller closes
   * @throws IllegalArgumentException if there is no store for the address, its address or settings
   *     are malformed, or it needs a library that isn't on the class path
   */
  RateLimiter build();
}
