package io.weir;

import io.weir.spi.CostResolver;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.RefusalBody;
import io.weir.spi.RequestCondition;
import io.weir.spi.TierResolver;
import io.weir.store.PermitStore;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Collects the parts of a {@link Weir}; what isn't given comes from settings and {@link
 * java.util.ServiceLoader}.
 *
 * <p>Confine to one thread.
 */
public interface WeirBuilder {
  /**
   * Adds settings that go before all others.
   *
   * @param settings by their full names, {@code weir.headers} say
   * @return this
   */
  WeirBuilder settings(Map<String, String> settings);

  /**
   * Adds a resolver for {@code by = KEY, key = "<name>"}.
   *
   * @param name the name that annotations use
   * @param resolver what reads the key
   * @return this
   */
  WeirBuilder keyResolver(String name, KeyResolver resolver);

  /**
   * Adds a resolver for {@code costFrom = "<name>"}.
   *
   * @param name the name that annotations use
   * @param resolver what reads the cost
   * @return this
   */
  WeirBuilder costResolver(String name, CostResolver resolver);

  /**
   * Adds a condition for {@code when = "<name>"}.
   *
   * @param name the name that annotations use
   * @param condition what says for which requests a policy holds
   * @return this
   */
  WeirBuilder requestCondition(String name, RequestCondition condition);

  /**
   * Sets what says which tier a caller has.
   *
   * @param resolver the resolver
   * @return this
   */
  WeirBuilder tierResolver(TierResolver resolver);

  /**
   * Sets what measures how busy this node is, in place of CPU, heap and requests in flight.
   *
   * @param sensor the sensor
   * @return this
   */
  WeirBuilder loadSensor(LoadSensor sensor);

  /**
   * Wraps the sensor that measures CPU, heap and requests in flight: to log what it says, or to
   * override it in a demonstration.
   *
   * @param around makes the sensor to use; it is given the one that measures
   * @return this
   */
  WeirBuilder loadSensor(UnaryOperator<LoadSensor> around);

  /**
   * Sets what finds the peer's address where the adapter can't.
   *
   * @param finder what reads the address off the adapter's request
   * @return this
   */
  WeirBuilder peerAddress(PeerAddress finder);

  /**
   * Sets what brings further policies, beside those of annotations and settings or in their place.
   *
   * @param source goes before one that is found; closed with the Weir, also if that can't be built
   * @return this
   */
  WeirBuilder policySource(PolicySource source);

  /**
   * Sets what refused callers read, in place of the standard document.
   *
   * @param words says it by language and policy
   * @return this
   */
  WeirBuilder refusalBody(RefusalBody words);

  /**
   * Sets where decisions are measured: {@code new MicrometerMetrics(registry)} say.
   *
   * @param measure in place of what is found
   * @return this
   */
  WeirBuilder metrics(DecisionMetrics measure);

  /**
   * Sets where buckets live, in place of the setting {@code weir.store}.
   *
   * @param permits the store; closed with the Weir
   * @return this
   */
  WeirBuilder store(PermitStore permits);

  /**
   * Sets the source of time.
   *
   * @param time a fake one in tests
   * @return this
   */
  WeirBuilder ticker(Ticker time);

  /**
   * Reads the settings and makes the Weir.
   *
   * @return a Weir that the caller closes
   * @throws io.weir.InvalidSettingException if a setting is malformed or unknown
   */
  Weir build();
}
