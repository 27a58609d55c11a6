package io.weir.internal.application;

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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Collects the parts that an application gives to its builder. Confine to one thread. */
final class GivenExtensions {
  final Map<String, KeyResolver> keyResolvers = new LinkedHashMap<>();
  final Map<String, CostResolver> costResolvers = new LinkedHashMap<>();
  final Map<String, RequestCondition> conditions = new LinkedHashMap<>();
  Optional<TierResolver> tierResolver = Optional.empty();
  Optional<LoadSensor> loadSensor = Optional.empty();
  Optional<PeerAddress> peerAddress = Optional.empty();
  Optional<UserNames> userNames = Optional.empty();
  Optional<PolicySource> policySource = Optional.empty();
  Optional<PolicySourceProvider> policySourceProvider = Optional.empty();
  Optional<RefusalBody> refusalBody = Optional.empty();
  Optional<DecisionMetrics> metrics = Optional.empty();
  Optional<DecisionTracing> tracing = Optional.empty();
}
