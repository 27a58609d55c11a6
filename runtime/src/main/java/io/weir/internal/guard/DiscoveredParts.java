package io.weir.internal.guard;

import io.weir.spi.CallerTier;
import io.weir.spi.KeyResolver;
import io.weir.spi.LoadSensor;
import io.weir.spi.PeerAddress;
import io.weir.spi.TierResolver;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The parts that an application may bring: those given to the builder, else those that {@code
 * ServiceLoader} finds. Immutable.
 */
record DiscoveredParts(
    Map<String, KeyResolver> resolvers,
    TierResolver tiers,
    Optional<LoadSensor> loadSensor,
    Optional<PeerAddress> peerAddress) {

  static DiscoveredParts of(DefaultWeirBuilder given, ClassLoader loader) {
    Map<String, KeyResolver> resolvers = new LinkedHashMap<>();
    ServiceLoader.load(KeyResolver.class, loader).forEach(each -> resolvers.put(each.name(), each));
    resolvers.putAll(given.resolvers);
    return new DiscoveredParts(
        Map.copyOf(resolvers),
        given.tiers.or(() -> first(TierResolver.class, loader)).orElse(noTiers()),
        given.loadSensor.or(() -> first(LoadSensor.class, loader)),
        given.peerAddress.or(() -> first(PeerAddress.class, loader)).map(SafePeerAddress::new));
  }

  static <T> Optional<T> first(Class<T> service, ClassLoader loader) {
    return ServiceLoader.load(service, loader).findFirst();
  }

  private static TierResolver noTiers() {
    return (request, policy) -> CallerTier.none();
  }
}
