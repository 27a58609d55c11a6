package io.weir.guard;

import io.weir.key.KeyResolver;
import io.weir.key.PeerAddress;
import io.weir.load.LoadSensor;
import io.weir.policy.CallerTier;
import io.weir.policy.TierResolver;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The parts that an application may bring: those given to the builder, else those that {@code
 * ServiceLoader} finds. Immutable.
 */
record FoundParts(
    Map<String, KeyResolver> resolvers,
    TierResolver tiers,
    Optional<LoadSensor> loadSensor,
    Optional<PeerAddress> peerAddress) {

  static FoundParts of(WeirBuilder given, ClassLoader loader) {
    Map<String, KeyResolver> resolvers = new LinkedHashMap<>();
    ServiceLoader.load(KeyResolver.class, loader).forEach(each -> resolvers.put(each.name(), each));
    resolvers.putAll(given.resolvers);
    return new FoundParts(
        Map.copyOf(resolvers),
        given.tiers.or(() -> first(TierResolver.class, loader)).orElse(noTiers()),
        given.loadSensor.or(() -> first(LoadSensor.class, loader)),
        given.peerAddress.or(() -> first(PeerAddress.class, loader)).map(GuardedPeer::new));
  }

  static <T> Optional<T> first(Class<T> service, ClassLoader loader) {
    return ServiceLoader.load(service, loader).findFirst();
  }

  private static TierResolver noTiers() {
    return (request, policy) -> CallerTier.none();
  }
}
