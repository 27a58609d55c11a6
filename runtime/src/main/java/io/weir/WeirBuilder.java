package io.weir;

import io.weir.spi.CostResolver;
import io.weir.spi.DecisionMetrics;
import io.weir.spi.DecisionTracing;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.PeerAddress;
import io.weir.spi.PolicySource;
import io.weir.spi.PolicySourceProvider;
import io.weir.spi.RefusalBody;
import io.weir.spi.RequestCondition;
import io.weir.spi.TierResolver;
import io.weir.spi.UserNames;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Builds a {@link Weir}. Parts that aren't given come from settings and {@link
 * java.util.ServiceLoader}.
 *
 * <p>Confine to one thread.
 */
public interface WeirBuilder {
  /**
   * Adds settings that override all others.
   *
   * @param settings values by full names, such as {@code weir.headers}
   * @return this
   */
  WeirBuilder settings(Map<String, String> settings);

  /**
   * Sets a place of settings that is read again every few seconds as files are, such as the
   * configuration of a framework. It overrides all places but {@link #settings(Map)}.
   *
   * @param source returns values by full names. Names that begin with {@code WEIR_} are environment
   *     variables, which all full names of the source override; other names are ignored. Called in
   *     a thread that other tasks wait for, so it must not block. If it fails at the start, {@link
   *     #build()} fails; later that is logged, and the old settings stay in force
   * @return this
   */
  WeirBuilder liveSettings(Supplier<Map<String, String>> source);

  /**
   * Reads no settings but those that {@link #settings(Map)} adds: no files, environment variables,
   * system properties or live settings.
   *
   * @return this
   */
  WeirBuilder onlyGivenSettings();

  /**
   * Adds a resolver for {@code by = KEY, key = "<name>"}.
   *
   * @param name the name that annotations use
   * @param resolver reads the key
   * @return this
   */
  WeirBuilder keyResolver(String name, KeyResolver resolver);

  /**
   * Adds a resolver for {@code costFrom = "<name>"}.
   *
   * @param name the name that annotations use
   * @param resolver computes the cost
   * @return this
   */
  WeirBuilder costResolver(String name, CostResolver resolver);

  /**
   * Adds a condition for {@code when = "<name>"}.
   *
   * @param name the name that annotations use
   * @param condition decides to which requests a policy applies
   * @return this
   */
  WeirBuilder requestCondition(String name, RequestCondition condition);

  /**
   * Sets the resolver that determines the tier of a caller.
   *
   * @param resolver the resolver
   * @return this
   */
  WeirBuilder tierResolver(TierResolver resolver);

  /**
   * Sets the sensor of this node's load, in place of CPU, heap and requests in flight.
   *
   * @param sensor the sensor
   * @return this
   */
  WeirBuilder loadSensor(LoadSensor sensor);

  /**
   * Wraps the sensor that measures CPU, heap and requests in flight, for example to log or to
   * override its readings.
   *
   * @param around makes the sensor to use from the one that measures
   * @return this
   */
  WeirBuilder loadSensor(UnaryOperator<LoadSensor> around);

  /**
   * Sets the way to find the peer's address if the adapter can't.
   *
   * @param finder reads the address from the adapter's request
   * @return this
   */
  WeirBuilder peerAddress(PeerAddress finder);

  /**
   * Sets the names of users. Without them a user has the name of its principal.
   *
   * @param names names the users of principals
   * @return this
   */
  WeirBuilder userNames(UserNames names);

  /**
   * Sets the source of further policies, which add to those of annotations and settings or replace
   * them.
   *
   * @param source used in place of one that is found; closed with the Weir, also if that can't be
   *     built
   * @return this
   */
  WeirBuilder policySource(PolicySource source);

  /**
   * Sets the provider that opens the policy source if a setting asks for it, in place of a provider
   * that is found. Without effect if a source is given, or found itself.
   *
   * @param provider called once, by {@link #build()}
   * @return this
   */
  WeirBuilder policySourceProvider(PolicySourceProvider provider);

  /**
   * Sets the writer of refusals' bodies, in place of the standard body.
   *
   * @param words writes bodies by language and policy
   * @return this
   */
  WeirBuilder refusalBody(RefusalBody words);

  /**
   * Sets the metrics of decisions, such as {@code new MicrometerMetrics(registry)}.
   *
   * @param measure used in place of metrics that are found
   * @return this
   */
  WeirBuilder metrics(DecisionMetrics measure);

  /**
   * Sets the tracing of decisions, such as {@code new MicrometerTracing(tracer)}.
   *
   * @param spans used in place of tracing that is found
   * @return this
   */
  WeirBuilder tracing(DecisionTracing spans);

  /**
   * Sets the store of the buckets, in place of the setting {@code weir.store}.
   *
   * @param permits the store; closed with the Weir
   * @return this
   */
  WeirBuilder store(PermitStore permits);

  /**
   * Adds a provider of stores to those that are found; for its schemes it is used in place of them.
   *
   * @param provider opens the store if {@code weir.store} has one of its schemes. If the scheme is
   *     the whole address, the colon isn't needed
   * @return this
   */
  WeirBuilder storeProvider(StoreProvider provider);

  /**
   * Sets the source of time.
   *
   * @param time a ticker, such as a fake one in tests
   * @return this
   */
  WeirBuilder ticker(Ticker time);

  /**
   * Reads the settings and makes the Weir.
   *
   * @return a Weir that the caller closes
   * @throws io.weir.InvalidSettingException if a setting is malformed or unknown, or asks for what
   *     isn't on the class path
   */
  Weir build();
}
