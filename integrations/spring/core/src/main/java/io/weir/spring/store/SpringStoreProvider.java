package io.weir.spring.store;

import io.weir.Ticker;
import io.weir.store.PermitStore;
import io.weir.store.StoreProvider;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Opens the store in the Redis that Spring knows, where {@code weir.store=spring} says so. Settings
 * of Weir, such as {@code weir.store.redis.user}, override what Spring knows.
 *
 * <p>Safe for concurrent use.
 */
final class SpringStoreProvider implements StoreProvider {
  private static final String TRUST_STORE = "weir.store.redis.trust-store";

  private final RedisDetailsFinder finder;

  SpringStoreProvider(RedisDetailsFinder finder) {
    this.finder = finder;
  }

  @Override
  public Set<String> schemes() {
    return Set.of("spring");
  }

  @Override
  public PermitStore open(URI given, UnaryOperator<String> setting, Ticker ticker) {
    RedisDetails details = finder.find();
    URI address = parse(details.address());
    StoreProvider redis = provider(address.getScheme());
    UnaryOperator<String> both =
        name -> {
          String own = setting.apply(name);
          return own.isEmpty() ? details.settings().getOrDefault(name, "") : own;
        };
    boolean isTrustSet = !setting.apply(TRUST_STORE).isBlank();
    return details.certificates().isEmpty() || isTrustSet
        ? redis.open(address, both, ticker)
        : redis.open(address, both, ticker, new BundleSockets(details.certificates().get()));
  }

  // The address has no password. The master of sentinels may have a name that no URI can hold.
  private static URI parse(String address) {
    try {
      return new URI(address);
    } catch (URISyntaxException malformed) {
      throw new IllegalArgumentException(
          "weir.store=spring can't use Spring's Redis, since its address "
              + address
              + " is malformed: "
              + malformed.getReason(),
          malformed);
    }
  }

  private static StoreProvider provider(String scheme) {
    return ServiceLoader.load(StoreProvider.class, StoreProvider.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.schemes().contains(scheme))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("weir.store=spring needs a store in Redis"));
  }
}
